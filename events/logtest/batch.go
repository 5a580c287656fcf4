package logtest

import (
	"fmt"
	"strings"
	"testing"

	"assay/events"
)

// Batch makes n events for benchmarks. Their records have about size bytes, from 170 on. Their keys differ from those
// of all other rounds.
func Batch(t testing.TB, round, n, size int) []events.Event {
	t.Helper()
	batch := make([]events.Event, n)
	for i := range batch {
		name := fmt.Sprintf("sudoku-%06d%010d", i*7919%1_000_000, round)
		batch[i] = Fact(name, strings.Repeat("x", size-150), uint64(round*n+i))
	}
	if raw, err := events.Encode(batch[0]); err != nil || len(raw) < size-20 || len(raw) > size+20 {
		t.Fatalf("record of %d bytes, want about %d; %v", len(raw), size, err)
	}
	return batch
}
