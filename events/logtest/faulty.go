package logtest

import (
	"context"
	"errors"

	"assay/events"
)

// Fault is a way in which Faulty misbehaves in one Append.
type Fault int

// A fault happens between a caller and a log that both work correctly.
const (
	None            Fault = iota // Append does what it should
	NotWritten                   // nothing is recorded, and Append returns an error
	NotAcknowledged              // the events are recorded, but Append returns an error
	Repeated                     // the request arrives twice: the caller gets the second answer, in which all events stood already
)

// ErrInjected is the failure that Faulty reports.
var ErrInjected = errors.New("failed on purpose")

// Faulty is a log that misbehaves on purpose. A caller that repeats Append until it returns nil or a *ConflictError
// must end with each event recorded exactly once.
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
