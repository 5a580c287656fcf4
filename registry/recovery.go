package registry

import (
	"context"

	"assay/events"
)

// LateEvent is an event that stood at the end of the log without a signature, and was signed afterwards.
type LateEvent struct {
	Seq  events.Seq `json:"seq"`
	Key  events.Key `json:"key"`
	Time string     `json:"time"` // RFC 3339, UTC
}

// lateLog is a log that knows which events were signed late.
type lateLog interface {
	Late() []events.Event
	ForgetLate(upTo events.Seq) error
}

// RecordRecovery finds which events were signed late and are not on record as such, and puts that on record.
func (r *Registry) RecordRecovery(ctx context.Context) error {
	log, ok := r.Log.(lateLog)
	if !ok || len(log.Late()) == 0 {
		return nil
	}
	late := log.Late()
	for _, e := range late {
		r.Recovered = append(r.Recovered, LateEvent{Seq: e.Seq, Key: e.Key, Time: stamp(e.Time)})
	}
	first, last := late[0].Seq, late[len(late)-1].Seq
	if _, err := r.record(ctx, ActorSystem, fact{key: events.RecoveredKey(first, last), body: events.Recovered{First: first, Last: last}}); err != nil {
		return err
	}
	return log.ForgetLate(last)
}
