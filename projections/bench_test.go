package projections_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/projections/archive"
	"assay/projections/funnel"
	"assay/projections/pools"
	"assay/projections/puzzles"
)

var levels = []string{"easy", "medium", "hard", "expert", "evil"}

// shelved returns the two events of a puzzle that fills a shelf, with the sizes of a classic sudoku: 300 and
// 2,000 bytes.
func shelved(i int) []events.Event {
	id, level := fmt.Sprintf("sudoku-%016d", i), levels[i%len(levels)]
	origin := events.Origin{Version: 1, Seed: uint64(i)}
	text := fmt.Sprintf("%081d", i)
	made, rated := logtest.Fact(id, text, 1), logtest.Fact(id, text, 2)
	made.Key = events.GeneratedKey("sudoku", "classic", "sudoku.tiers", "", "cap-"+level, 1, origin.Seed)
	made.Body = events.Generated{
		Puzzle: id, Genre: "sudoku", Variant: "classic", Text: text, Solution: text, Origin: origin, Rater: "sudoku.tiers",
		Requested: "cap-" + level, Level: level, Attempts: []events.Attempt{{N: 1, Outcome: "accepted"}}, Canonical: events.FormOf(text),
	}
	body := events.Rated{
		Puzzle: id, Genre: "sudoku", Variant: "classic", Rater: "sudoku.tiers", Version: "1", Outcome: "rated",
		Level: level, Tier: 1 + i%5, Hardest: "technique-7", Clues: 22 + i%6, Origin: &origin, Steps: append([]byte{0x59, 0x06, 0x3d}, make([]byte, 0x63d)...),
	}
	for t := range 8 {
		body.Techniques = append(body.Techniques, events.TechniqueUse{Name: fmt.Sprintf("technique-%d", t), Level: levels[t%5], Uses: 1 + i%40, Removed: 3, Placed: 2})
	}
	binary.BigEndian.PutUint64(body.Steps[3:], uint64(i))
	rated.Key, rated.Body = events.RatedKey(id, "sudoku.tiers", "1"), body
	return []events.Event{made, rated}
}

// Each table alone, from nothing, over the events of filled shelves.
func BenchmarkCatchUp(b *testing.B) {
	const count = 100_000
	log := logtest.NewMemory()
	for i := 0; i < count/2; {
		var batch []events.Event
		for ; len(batch) < 800; i++ {
			batch = append(batch, shelved(i)...)
		}
		if _, err := log.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
	}
	for _, table := range []projections.Projection{archive.Table, puzzles.Table, pools.Table, funnel.Table} {
		b.Run(table.Name(), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := openStore(b, b.TempDir())
				b.StartTimer()
				if err := s.CatchUp(b.Context(), log, table); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
