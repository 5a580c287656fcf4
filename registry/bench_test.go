package registry_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
	"assay/projections"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/integrity"
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
func BenchmarkTable(b *testing.B) { buildTables(b, century(b)) }

// BenchmarkTableOnNATS is BenchmarkTable over the same log on a NATS server in this process.
func BenchmarkTableOnNATS(b *testing.B) {
	log, err := natslog.Open(b.Context(), natslog.Options{Options: link.Options{URL: natstest.One(b).ClientURL()}})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	var batch []events.Event
	add := func() {
		if _, err := log.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
		batch = batch[:0]
	}
	for e, err := range century(b).Read(b.Context(), 0) {
		if err != nil {
			b.Fatal(err)
		}
		if batch = append(batch, e); len(batch) == events.MaxBatch {
			add()
		}
	}
	add()
	buildTables(b, log)
}

func buildTables(b *testing.B, log events.Log) {
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
	v := r.Genres[0].Variants[0]
	for i := range b.N {
		made, err := v.Generator.Generate(b.Context(), raters.Request{Variant: "daily", Level: "hard", Seed: uint64(i)})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := engine.Rate(b.Context(), v.Scales[0].Rater, raters.Puzzle{Genre: "chain", Variant: "daily", Text: made.Puzzle.Text}); err != nil {
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

// BenchmarkVerify verifies a registry of imports of 1 KB, all its tables with it: 100,000 events, or 1,000,000
// with ASSAY_FULL=1. Run it with -benchtime 1x. It reports what the log alone and what all took, how much time of
// the processors that was, and the most memory that was not a file's.
func BenchmarkVerify(b *testing.B) {
	batches := 100
	if os.Getenv("ASSAY_FULL") != "" {
		batches = 1000
	}
	dir := logtest.DiskDir(b)
	r, end := vouchedIn(b, dir, true)
	appendFacts(b, r, batches, 1000)
	if _, err := r.Holdings().Rebuild(b.Context()); err != nil {
		b.Fatal(err)
	}
	end()
	r, end = vouchedIn(b, dir, false) // as a process that verifies finds it
	defer end()
	debug.FreeOSMemory()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(integrity.VerifyMemory))
	peak := watchMemory(b)
	for b.Loop() {
		before := spent(b)
		report, err := r.Ledger.Verify(b.Context(), r.Log, nil)
		if err != nil || len(report.Problems) > 0 || report.Events != events.Seq(1000*batches) {
			b.Fatal(report, err)
		}
		logOnly := spent(b).minus(before)
		before = spent(b)
		if found := problems(b, r, false); len(found) > 0 {
			b.Fatal(found)
		}
		all := spent(b).minus(before)
		b.ReportMetric(logOnly.wall.Seconds(), "log-s")
		b.ReportMetric(logOnly.cpu.Seconds(), "log-cpu-s")
		b.ReportMetric(all.wall.Seconds(), "all-s")
		b.ReportMetric(all.cpu.Seconds(), "all-cpu-s")
	}
	b.ReportMetric(float64(peak()), "RssAnon-MB")
}

// expense is time that went by, and time of the processors that this process used.
type expense struct{ wall, cpu time.Duration }

var began = time.Now()

func spent(b *testing.B) expense {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return expense{time.Since(began), time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

func (e expense) minus(before expense) expense {
	return expense{e.wall - before.wall, e.cpu - before.cpu}
}

// watchMemory looks at this process's RssAnon ten times a second. Peak ends that and gives the most it saw, in MB.
func watchMemory(b *testing.B) (peak func() int) {
	stop, most := make(chan struct{}), make(chan int)
	tick := time.NewTicker(100 * time.Millisecond)
	go func() {
		highest := 0
		for {
			select {
			case <-tick.C:
				highest = max(highest, rssAnon(b))
			case <-stop:
				most <- highest
				return
			}
		}
	}()
	return func() int {
		tick.Stop()
		close(stop)
		return <-most >> 10
	}
}

// rssAnon returns this process's memory in KiB, mapped files not counted.
func rssAnon(b *testing.B) (kib int) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Error(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Error(err)
	}
	return kib
}
