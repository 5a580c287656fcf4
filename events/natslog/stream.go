package natslog

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/nats-io/nats.go/jetstream"

	"assay/events"
)

// config is how the stream of a log is set up: on disk, replicated, without a limit that would end it or trim
// it, and so that nothing can be deleted. Whether the servers sync every write (sync_interval: always) is theirs
// alone and cannot be seen from here.
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

// setUp makes the stream, or checks the one that stands.
func (l *Log) setUp(ctx context.Context) error {
	if most := l.servers.NC.MaxPayload(); most < events.MaxRecord+maxHeader {
		return fmt.Errorf("%w: the server takes messages of %d bytes, not %d (max_payload)", ErrSetOtherwise, most, events.MaxRecord+maxHeader)
	}
	want := l.config()
	info, err := l.servers.StreamInfo(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if err = l.servers.MakeStream(ctx, want); err != nil {
			return fmt.Errorf("there is no stream %s: make it: %w", want.Name, err)
		}
		info, err = l.servers.StreamInfo(ctx, want.Name)
	}
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", want.Name, err)
	}
	return errors.Join(checkConfig(want, info.Config), checkState(info.State))
}

// checkConfig names everything in which a stream is not set up as it has to be.
func checkConfig(want, have jetstream.StreamConfig) error {
	type setting struct {
		name       string
		have, want any
	}
	var differences []error
	for _, s := range []setting{
		{"subjects", have.Subjects, want.Subjects}, {"storage", have.Storage, want.Storage}, {"replicas", have.Replicas, want.Replicas},
		{"retention", have.Retention, want.Retention}, {"discard", have.Discard, want.Discard}, {"persist mode", have.PersistMode, want.PersistMode},
		{"max messages", have.MaxMsgs, want.MaxMsgs}, {"max bytes", have.MaxBytes, want.MaxBytes}, {"max age", have.MaxAge, want.MaxAge},
		{"max messages per subject", have.MaxMsgsPerSubject, want.MaxMsgsPerSubject}, {"max message size", have.MaxMsgSize, want.MaxMsgSize},
		{"deny delete", have.DenyDelete, want.DenyDelete}, {"deny purge", have.DenyPurge, want.DenyPurge},
		{"allow rollup", have.AllowRollup, want.AllowRollup}, {"allow message TTL", have.AllowMsgTTL, want.AllowMsgTTL},
		{"allow direct get", have.AllowDirect, want.AllowDirect}, {"allow atomic batches", have.AllowAtomicPublish, want.AllowAtomicPublish},
		{"allow message counters", have.AllowMsgCounter, want.AllowMsgCounter}, {"no acknowledgements", have.NoAck, want.NoAck},
		{"sealed", have.Sealed, want.Sealed}, {"mirror", have.Mirror != nil, false}, {"sources", len(have.Sources), 0},
		{"subject transform", have.SubjectTransform != nil, false}, {"first sequence", max(have.FirstSeq, 1), uint64(1)},
	} {
		if !reflect.DeepEqual(s.have, s.want) {
			differences = append(differences, fmt.Errorf("%s: %v, not %v", s.name, s.have, s.want))
		}
	}
	if len(differences) > 0 {
		return fmt.Errorf("%w: %w", ErrSetOtherwise, errors.Join(differences...))
	}
	return nil
}

// checkState tells of messages that the server itself knows to be gone.
func checkState(s jetstream.StreamState) error {
	if s.LastSeq > 0 && s.FirstSeq != 1 || s.NumDeleted > 0 || s.Lost != nil {
		return fmt.Errorf("%w: the stream holds messages %d to %d, %d of those between are gone", events.ErrDamaged, s.FirstSeq, s.LastSeq, s.NumDeleted)
	}
	return nil
}
