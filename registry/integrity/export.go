package integrity

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/events"
)

// ExportedEvent is an event for other programs to read: the object event/1.
type ExportedEvent struct {
	Schema string      `json:"schema"`
	Seq    events.Seq  `json:"seq"`
	ID     ulid.ULID   `json:"id"`
	Key    events.Key  `json:"key"`
	Time   time.Time   `json:"time"`
	Actor  string      `json:"actor"`
	Cause  *ulid.ULID  `json:"cause,omitempty"`
	Kind   string      `json:"kind"`
	Body   events.Body `json:"body"`
}

// Export yields every event after a position, in order.
func (h Holdings) Export(ctx context.Context, after events.Seq, each func(ExportedEvent) error) error {
	for e, err := range h.Log.Read(ctx, after) {
		if err != nil {
			return err
		}
		out := ExportedEvent{
			Schema: "event/1", Seq: e.Seq, ID: e.ID, Key: e.Key, Time: e.Time, Actor: e.Actor, Kind: e.Body.Kind(), Body: e.Body,
		}
		if e.Cause != (ulid.ULID{}) {
			out.Cause = &e.Cause
		}
		if err := each(out); err != nil {
			return err
		}
	}
	return nil
}
