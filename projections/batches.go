package projections

import (
	"iter"

	"assay/events"
)

// batchEvents is how many events one transaction applies: enough that the commit costs little, few enough that its rows
// fit.
const batchEvents = 2000

// batch is a run of events, and the error that ended the read after them, if any.
type batch struct {
	events []events.Event
	err    error
}

// batches cuts a read into batches. It reads and decodes the next batch while the consumer works on the last one. No
// goroutine is left when the consumer stops.
func batches(reading iter.Seq2[events.Event, error]) iter.Seq[batch] {
	return func(yield func(batch) bool) {
		read, stop := make(chan batch, 1), make(chan struct{})
		go func() {
			defer close(read)
			cut(reading, func(b batch) bool {
				select {
				case read <- b:
					return true
				case <-stop:
					return false
				}
			})
		}()
		defer func() {
			close(stop)
			for range read { // until the reader has ended
			}
		}()
		for b := range read {
			if !yield(b) {
				return
			}
		}
	}
}

func cut(reading iter.Seq2[events.Event, error], yield func(batch) bool) {
	var b batch
	for e, err := range reading {
		if err != nil {
			b.err = err
			break
		}
		if b.events = append(b.events, e); len(b.events) < batchEvents {
			continue
		}
		if !yield(b) {
			return
		}
		b.events = make([]events.Event, 0, batchEvents)
	}
	if len(b.events) > 0 || b.err != nil {
		yield(b)
	}
}
