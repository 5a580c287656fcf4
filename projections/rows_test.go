package projections_test

import (
	"iter"
	"slices"
	"testing"

	"assay/events/logtest"
	"assay/projections"
)

// Each returns the rows in order until the consumer stops, and a row that cannot be read or a store that is closed as an
// error, once.
func TestEachRow(t *testing.T) {
	log, s, table := logtest.NewMemory(), openStore(t, t.TempDir()), tally{version: 1}
	fill(t, log, 0, 3)
	if err := s.CatchUp(t.Context(), log, table); err != nil {
		t.Fatal(err)
	}
	texts := func(tx *projections.Tx) iter.Seq2[string, error] {
		return projections.Rows[string](tx, []byte("t/"), []byte("t/"))
	}
	var got []string
	for text, err := range projections.Each(s, table, texts) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, text); len(got) == 2 {
			break
		}
	}
	if !slices.Equal(got, []string{"text 0", "text 1"}) {
		t.Errorf("up to the second: %q", got)
	}
	all, err := projections.Query(s, table, func(tx *projections.Tx) ([]string, error) { return projections.List[string](tx, []byte("t/")) })
	if err != nil || !slices.Equal(all, []string{"text 0", "text 1", "text 2"}) {
		t.Errorf("all: %q, %v", all, err)
	}
	if list, err := projections.Query(s, table, func(tx *projections.Tx) ([]int, error) { return projections.List[int](tx, []byte("t/")) }); err == nil {
		t.Errorf("texts read as numbers: %v", list)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	errs := 0
	for _, err := range projections.Each(s, table, texts) {
		if err == nil {
			t.Error("a row of a store that is closed")
		}
		errs++
	}
	if errs != 1 {
		t.Errorf("%d errors of a store that is closed", errs)
	}
}
