package registry_test

import (
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/raters"
	"assay/registry"
)

// century is a log of a hundred years of published chain days.
func century(b *testing.B) events.Log {
	log := logtest.NewMemory()
	r := open(b, log, at(morning))
	publish(b, r, 0)
	from := date(b, "2026-12-02")
	to := from.AddDays(36_500)
	_, _, err := r.Publish(b.Context(), registry.PublishRequest{Series: registry.DefaultSeries, From: &from, To: &to, Actor: "editor"})
	if err != nil {
		b.Fatal(err)
	}
	return log
}

// BenchmarkTable builds each table alone from nothing, over a century of chain days.
func BenchmarkTable(b *testing.B) {
	log := century(b)
	n := length(b, log)
	for _, table := range registry.Tables() {
		b.Run(table.Name(), func(b *testing.B) {
			for range b.N {
				store, err := projections.Open(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				if err := store.CatchUp(b.Context(), log, table); err != nil {
					b.Fatal(err)
				}
				if err := store.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkRead is the reading alone, for comparison with BenchmarkTable.
func BenchmarkRead(b *testing.B) {
	log := century(b)
	b.ResetTimer()
	n := 0
	for range b.N {
		n += length(b, log)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkChainDay makes, rates and proves the puzzle of a hard day.
func BenchmarkChainDay(b *testing.B) {
	r := open(b, logtest.NewMemory(), at(morning))
	g := r.Genres[0]
	for i := range b.N {
		made, err := registry.Generate(b.Context(), g, raters.Request{Variant: "daily", Level: "hard", Seed: uint64(i)})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := registry.Rate(b.Context(), g.Raters[0], raters.Puzzle{Genre: "chain", Variant: "daily", Text: made.Text}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAudit audits days of a log of three years.
func BenchmarkAudit(b *testing.B) {
	r := open(b, logtest.NewMemory(), at(morning))
	days, _ := publish(b, r, 1100)
	b.ResetTimer()
	for i := range b.N {
		a, err := r.AuditDay(b.Context(), registry.DefaultSeries, date(b, days[i%len(days)].Date))
		if err != nil || a.Events < events.Seq(len(days)) {
			b.Fatal(a.Events, err)
		}
	}
}
