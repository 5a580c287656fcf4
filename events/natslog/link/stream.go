package link

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// Replicas is how many servers should hold a stream: three of a cluster, or the one there is.
func (l *Link) Replicas() int {
	if l.NC.ConnectedClusterName() != "" {
		return 3
	}
	return 1
}

// StreamInfo looks at a stream.
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

// MakeStream makes a stream. When another process makes the same one meanwhile, that is as good.
func (l *Link) MakeStream(ctx context.Context, want jetstream.StreamConfig) error {
	err := l.Retry(ctx, "make the stream", "$JS.API.STREAM.CREATE."+want.Name, func(ctx context.Context) error {
		_, err := l.JS.CreateStream(ctx, want)
		return err
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil
	}
	return err
}
