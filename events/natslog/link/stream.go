package link

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/nats-io/nats.go/jetstream"
)

// Replicas returns how many servers should store a stream: three in a cluster, or one on a single server.
func (l *Link) Replicas() int {
	if l.NC.ConnectedClusterName() != "" {
		return 3
	}
	return 1
}

// StreamInfo returns the state and settings of a stream.
func (l *Link) StreamInfo(ctx context.Context, name string) (info *jetstream.StreamInfo, err error) {
	err = l.Retry(ctx, "look at the stream", "$JS.API.STREAM.INFO."+name, func(ctx context.Context) error {
		stream, err := l.JS.Stream(ctx, name)
		if err == nil {
			info = stream.CachedInfo()
		}
		return err
	})
	return info, err
}

// EnsureStream creates a stream unless it exists. If it exists with other settings, the error is ErrSetOtherwise with
// each difference.
func (l *Link) EnsureStream(ctx context.Context, want jetstream.StreamConfig) error {
	err := l.Retry(ctx, "make the stream", "$JS.API.STREAM.CREATE."+want.Name, func(ctx context.Context) error {
		_, err := l.JS.CreateStream(ctx, want)
		return err
	})
	if !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return err // nil when the same stream exists
	}
	info, err := l.StreamInfo(ctx, want.Name)
	if err != nil {
		return err
	}
	return CheckConfig(want, info.Config)
}

// CheckConfig returns ErrSetOtherwise with every setting of a stream that is not as required.
func CheckConfig(want, have jetstream.StreamConfig) error {
	type setting struct {
		name       string
		have, want any
	}
	var differences []error
	for _, s := range []setting{
		{"subjects", have.Subjects, want.Subjects}, {"storage", have.Storage, want.Storage}, {"replicas", have.Replicas, want.Replicas},
		{"retention", have.Retention, want.Retention}, {"discard", have.Discard, want.Discard},
		{"discard per subject", have.DiscardNewPerSubject, want.DiscardNewPerSubject}, {"persist mode", have.PersistMode, want.PersistMode},
		{"max messages", have.MaxMsgs, want.MaxMsgs}, {"max bytes", have.MaxBytes, want.MaxBytes}, {"max age", have.MaxAge, want.MaxAge},
		{"max messages per subject", have.MaxMsgsPerSubject, want.MaxMsgsPerSubject}, {"max message size", have.MaxMsgSize, want.MaxMsgSize},
		{"deny delete", have.DenyDelete, want.DenyDelete}, {"deny purge", have.DenyPurge, want.DenyPurge},
		{"allow rollup", have.AllowRollup, want.AllowRollup}, {"allow message TTL", have.AllowMsgTTL, want.AllowMsgTTL},
		{"allow direct get", have.AllowDirect, want.AllowDirect}, {"allow atomic batches", have.AllowAtomicPublish, want.AllowAtomicPublish},
		{"allow message counters", have.AllowMsgCounter, want.AllowMsgCounter}, {"no acknowledgements", have.NoAck, want.NoAck},
		{"sealed", have.Sealed, want.Sealed}, {"mirror", have.Mirror != nil, false}, {"sources", len(have.Sources), 0},
		{"subject transform", have.SubjectTransform != nil, false}, {"republish", have.RePublish != nil, false},
		{"max consumers", have.MaxConsumers, want.MaxConsumers}, {"first sequence", max(have.FirstSeq, 1), uint64(1)},
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
