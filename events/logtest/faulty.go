package logtest

import (
	"context"
	"errors"

	"assay/events"
)

// Fault is a way in which Faulty misbehaves in one Append.
type Fault int

// What may go wrong between a caller and a log that both do their work.
const (
	None            Fault = iota // Append does what it should
	NotWritten                   // nothing is recorded, and the caller is told that it failed
	NotAcknowledged              // the events are recorded, and the caller is told that it failed
	Repeated                     // the request arrives twice: the caller gets the second answer, all events standing
)

// ErrInjected is the failure that Faulty reports.
var ErrInjected = errors.New("failed on purpose")

// Faulty is a log that misbehaves on purpose. Whoever appends to it until Append returns nil or a
// *ConflictError must end with each event recorded exactly once.
type Faulty struct {
	events.Log
	Next func() Fault // the fault of the next Append; called by every goroutine that appends
}

// Append is as in events.Log, except for the next fault.
func (f Faulty) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	fault := f.Next()
	if fault == NotWritten {
		return nil, ErrInjected
	}
	receipt, err := f.Log.Append(ctx, batch...)
	switch {
	case err != nil:
		return nil, err
	case fault == NotAcknowledged:
		return nil, ErrInjected
	case fault == Repeated:
		return f.Log.Append(ctx, batch...)
	}
	return receipt, nil
}
