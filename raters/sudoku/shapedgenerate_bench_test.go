package sudoku

import (
	"testing"

	"assay/raters"
)

// named gives a variant of the table.
func named(t testing.TB, name string) *variant {
	t.Helper()
	v, err := variantOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shaped gives the variants whose engines are those of shapes.
func shaped() (all []*variant) {
	for _, v := range variants {
		if !v.classic {
			all = append(all, v)
		}
	}
	return all
}

// BenchmarkAtLevel makes candidates under the cap of a level, and reports how many a second earn it, which share that is,
// and of those how many givens and cages they have on average.
func BenchmarkAtLevel(b *testing.B) {
	for _, v := range shaped() {
		for tier := 1; tier <= v.tiers; tier++ {
			b.Run(v.name+"/"+levels[tier], func(b *testing.B) {
				b.ReportAllocs()
				seed, earned, clues, cages := uint64(0), 0.0, 0, 0
				for b.Loop() {
					seed++
					if m := v.candidate(seed, tier); m.level == levels[tier] {
						earned++
						clues += m.puzzle.clues()
						cages += len(m.puzzle.cages())
					}
				}
				b.ReportMetric(earned/b.Elapsed().Seconds(), "puzzles/s")
				b.ReportMetric(100*earned/float64(seed), "%")
				b.ReportMetric(float64(clues)/earned, "givens")
				b.ReportMetric(float64(cages)/earned, "cages")
			})
		}
	}
}

// made100 gives puzzles of a variant, levels in turn.
func made100(v *variant) (all []*parsed) {
	for seed := uint64(0); len(all) < 100; seed++ {
		if m := v.candidate(seed, 1+len(all)%v.tiers); m.puzzle != nil {
			all = append(all, m.puzzle)
		}
	}
	return all
}

// BenchmarkProveShapes proves that puzzles of each variant, of all levels in turn, have one solution. Reading is apart.
func BenchmarkProveShapes(b *testing.B) {
	for _, v := range shaped() {
		all := made100(v)
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			nodes, i := 0.0, 0
			for b.Loop() {
				q := all[i%len(all)]
				got, err := q.shape.solve(b.Context(), q.givens, shapeBudget)
				if err != nil || got.Verdict != raters.Unique {
					b.Fatalf("%s: %s, error %v", q.text(), got.Verdict, err)
				}
				nodes += float64(got.Nodes)
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "puzzles/s")
			b.ReportMetric(nodes/float64(i), "positions")
		})
	}
}
