package logtest

import (
	"fmt"
	"strings"
	"testing"

	"assay/events"
)

// Batch makes n events whose records are of about size bytes, from 170 on, under keys of their own among all rounds:
// what benchmarks append.
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
