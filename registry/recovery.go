package registry

import (
	"context"

	"assay/events"
	"assay/registry/integrity"
)

// lateLog is a log that knows which events were signed late.
type lateLog interface {
	Late() []events.Event
	ForgetLate(upTo events.Seq) error
}

// RecordRecovery finds events that were signed late, and records this if it is not yet on record.
func (r *Registry) RecordRecovery(ctx context.Context) error {
	log, ok := r.Log.(lateLog)
	if !ok || len(log.Late()) == 0 {
		return nil
	}
	late := log.Late()
	for _, e := range late {
		r.Recovered = append(r.Recovered, integrity.LateEvent{Seq: e.Seq, Key: e.Key, Time: stamp(e.Time)})
	}
	first, last := late[0].Seq, late[len(late)-1].Seq
	if _, err := r.record(ctx, ActorSystem, fact{key: events.RecoveredKey(first, last), body: events.Recovered{First: first, Last: last}}); err != nil {
		return err
	}
	return log.ForgetLate(last)
}
