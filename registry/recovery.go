package registry

import (
	"context"

	"assay/events"
)

// LateEvent is an event that stood at the end of the log without a signature when it was opened.
type LateEvent struct {
	Seq  events.Seq `json:"seq"`
	Key  events.Key `json:"key"`
	Time string     `json:"time"` // RFC 3339, UTC
}

// RecordRecovery puts on record that events at the end of the log had not been signed when it was opened.
func (r *Registry) RecordRecovery(ctx context.Context) error {
	if len(r.Late) == 0 {
		return nil
	}
	first, last := r.Late[0].Seq, r.Late[len(r.Late)-1].Seq
	_, err := r.record(ctx, ActorSystem, fact{key: events.RecoveredKey(first, last), body: events.Recovered{First: first, Last: last}})
	return err
}

// LateEvents lists the events that had not been signed when the log was opened.
func (r *Registry) LateEvents() []LateEvent {
	var list []LateEvent
	for _, e := range r.Late {
		list = append(list, LateEvent{Seq: e.Seq, Key: e.Key, Time: stamp(e.Time)})
	}
	return list
}
