package integrity

import (
	"context"
	"fmt"
	"iter"

	"assay/events"
	"assay/events/ledger"
	"assay/registry/batch"
)

// Copied is the result of a copy: the object copy/1.
type Copied struct {
	Schema string     `json:"schema"`
	Events events.Seq `json:"events"` // in both logs now
	New    events.Seq `json:"new"`    // of those, copied by this run
	Root   string     `json:"root"`   // of both
}

// CopyLog copies a log into an empty one, or one that has its beginning, and compares the two. The names are for
// messages.
func CopyLog(ctx context.Context, source, target events.Log, from, to string) (Copied, error) {
	had, before, err := ledger.RootOf(ctx, target, 1<<62)
	if err != nil {
		return Copied{}, err
	}
	size, want, err := ledger.RootOf(ctx, source, had)
	if err != nil {
		return Copied{}, err
	}
	if size != had || want != before {
		return Copied{}, fmt.Errorf("the %d events of %s are not the beginning of %s: copy into an empty log", had, to, from)
	}
	if _, err := Copy(ctx, source.Read(ctx, had), target); err != nil {
		return Copied{}, err
	}
	return compareLogs(ctx, source, target, had)
}

// compareLogs reads both logs up to the length of the copy; the source may have grown meanwhile.
func compareLogs(ctx context.Context, source, target events.Log, had events.Seq) (Copied, error) {
	size, root, err := ledger.RootOf(ctx, target, 1<<62)
	if err != nil {
		return Copied{}, err
	}
	also, want, err := ledger.RootOf(ctx, source, size)
	if err != nil {
		return Copied{}, err
	}
	if also != size || want != root {
		return Copied{}, fmt.Errorf("the copy of %d events has root %v, the log has %v: %w", size, root, want, events.ErrDamaged)
	}
	return Copied{Schema: "copy/1", Events: size, New: size - had, Root: root.String()}, nil
}

// Copy appends the events of a backup to an empty log, record for record, and returns their number. If the context
// ends, it stops between two batches.
func Copy(ctx context.Context, records iter.Seq2[events.Event, error], to events.Log) (events.Seq, error) {
	done := events.Seq(0)
	size := func(e events.Event) int { return len(e.Raw) }
	all := batch.Of[events.Event]{Most: events.MaxBatch, Bytes: events.MaxBatchBytes, Size: size, Append: func(list []events.Event) error {
		receipt, err := to.Append(ctx, list...)
		if err != nil {
			return err
		}
		for i, p := range receipt {
			if p.Seq != list[i].Seq {
				return fmt.Errorf("event %d is event %d in the copy: the log was not empty, or a key stands twice", list[i].Seq, p.Seq)
			}
		}
		done = list[len(list)-1].Seq
		return nil
	}}
	for e, err := range records {
		if err == nil {
			err = all.Add(e)
		}
		if err != nil {
			return done, err
		}
	}
	return done, all.Flush()
}
