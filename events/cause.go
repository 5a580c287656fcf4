package events

import (
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"
)

// Recause is for logs, when the fact of an event in a batch already stands. Other events of the batch may name this
// event as their cause. Recause makes them name the standing record instead. Raws are the records of the batch; those
// that change are encoded again. It returns a changed copy of the batch. Events that were stored before, with their
// Raw, stay as they are.
func Recause(batch []Event, raws [][]byte, skipped int, standing []byte) ([]Event, error) {
	was := batch[skipped].ID
	caused := func(e Event) bool { return e.Cause == was && e.Raw == nil }
	first := slices.IndexFunc(batch, caused)
	if first < 0 || was == (ulid.ULID{}) {
		return batch, nil
	}
	r, err := decodeRecord(standing)
	if err != nil || r.ID == was {
		return batch, err
	}
	batch = slices.Clone(batch)
	for i := first; i < len(batch); i++ {
		if !caused(batch[i]) {
			continue
		}
		batch[i].Cause = r.ID
		if raws[i], err = Encode(batch[i]); err != nil {
			return nil, fmt.Errorf("with its cause: %w", err)
		}
	}
	return batch, nil
}
