package natslog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay/events"
	"assay/events/natslog/link"
)

// config returns the settings of a log's stream: on disk, replicated, without a limit that would stop or trim it, and
// without deletion. Whether the servers sync every write (sync_interval: always) is set on the servers and cannot be
// seen from here.
func (l *Log) config() jetstream.StreamConfig {
	replicas := l.o.Replicas
	if replicas == 0 {
		replicas = l.servers.Replicas()
	}
	return jetstream.StreamConfig{
		Name: l.o.Stream, Subjects: []string{l.prefix + ">"}, Description: "the events of an assay registry",
		Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage, Replicas: replicas, Discard: jetstream.DiscardNew,
		MaxConsumers: -1, MaxMsgs: -1, MaxBytes: -1, MaxMsgsPerSubject: -1, MaxMsgSize: -1,
		DenyDelete: true, DenyPurge: true, AllowDirect: true, AllowAtomicPublish: true,
	}
}

// setUp creates the stream, or checks an existing one.
func (l *Log) setUp(ctx context.Context) error {
	if most := l.servers.NC.MaxPayload(); most < events.MaxRecord+maxHeader {
		return fmt.Errorf("the server takes messages of %d bytes, not %d (max_payload)", most, events.MaxRecord+maxHeader)
	}
	want := l.config()
	info, err := l.servers.StreamInfo(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if err = l.servers.EnsureStream(ctx, want); err != nil {
			return fmt.Errorf("there is no stream %s: make it: %w", want.Name, err)
		}
		info, err = l.servers.StreamInfo(ctx, want.Name)
	}
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", want.Name, err)
	}
	l.alone = info.Config.Replicas == 1
	return errors.Join(link.CheckConfig(want, info.Config), checkState(info.State))
}

// checkState reports messages that the server itself knows to be gone.
func checkState(s jetstream.StreamState) error {
	if s.LastSeq > 0 && s.FirstSeq != 1 || s.NumDeleted > 0 || s.Lost != nil {
		return fmt.Errorf("%w: the stream holds messages %d to %d, %d of those between are gone", events.ErrDamaged, s.FirstSeq, s.LastSeq, s.NumDeleted)
	}
	return nil
}
