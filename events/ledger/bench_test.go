package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/ledger"
	"assay/events/logtest"
)

// appendBatches times the appending of batches of 1,000 to a new log, with or without a ledger: by the clock, and
// the time of the processors that the process used meanwhile.
func appendBatches(b *testing.B, vouched bool, batches, size int) (took, cpu time.Duration) {
	dir := logtest.DiskDir(b)
	o := badgerlog.Options{Dir: filepath.Join(dir, "log"), Reserve: 1}
	if vouched {
		l, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger"), New: true, Marks: true})
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		o.Witness = l
	}
	log, err := badgerlog.Open(o)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	for round := range batches {
		batch := logtest.Batch(b, round, 1000, size)
		begin, used := time.Now(), processors(b)
		if _, err := log.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
		took, cpu = took+time.Since(begin), cpu+processors(b)-used
	}
	return took, cpu
}

// processors returns the time of the processors that this process has used.
func processors(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLedgerCost appends with and without the ledger in turns, and reports the throughput of both and
// what the ledger costs of it: the medians of 7 pairs. Run it with -benchtime 1x.
func BenchmarkLedgerCost(b *testing.B) {
	for _, size := range []int{300, 2000} {
		b.Run(fmt.Sprintf("1000x%dB", size), func(b *testing.B) {
			const pairs, batches = 7, 60
			for b.Loop() {
				var costs, cpus, with, without []float64
				for pair := range pairs {
					var took, cpu [2]time.Duration
					for _, vouched := range []int{pair % 2, 1 - pair%2} {
						took[vouched], cpu[vouched] = appendBatches(b, vouched == 1, batches, size)
					}
					without = append(without, batches*1000/took[0].Seconds())
					with = append(with, batches*1000/took[1].Seconds())
					costs = append(costs, 100*(1-with[pair]/without[pair]))
					cpus = append(cpus, 100*(cpu[1].Seconds()/cpu[0].Seconds()-1))
				}
				b.ReportMetric(median(cpus), "%more-cpu")
				b.ReportMetric(median(costs), "%cost")
				b.ReportMetric(median(with), "with/s")
				b.ReportMetric(median(without), "without/s")
			}
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkVerify verifies a log of events of 1 KB: 100,000, or 1,000,000 with ASSAY_FULL=1.
func BenchmarkVerify(b *testing.B) {
	batches := 100
	if os.Getenv("ASSAY_FULL") == "1" {
		batches = 1000
	}
	r := mustOpen(b, logtest.DiskDir(b))
	for round := range batches {
		if _, err := r.Append(b.Context(), logtest.Batch(b, round, 1000, 1000)...); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		r.verify(b, batches*1000)
	}
	b.ReportMetric(float64(batches*1000*b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkExtend is the ledger alone.
func BenchmarkExtend(b *testing.B) {
	l, err := ledger.Open(ledger.Options{Dir: filepath.Join(logtest.DiskDir(b), "ledger"), New: true, Marks: true})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	records, err := events.EncodeBatch(logtest.Batch(b, 0, 1000, 1000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := l.Extend(records)(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkProcesses lets processes append one event each, 10,000 with ASSAY_FULL=1, and reports what they leave.
func BenchmarkProcesses(b *testing.B) {
	processes := 200
	if os.Getenv("ASSAY_FULL") == "1" {
		processes = 10_000
	}
	for b.Loop() {
		dir := logtest.DiskDir(b)
		begin := time.Now()
		for i := range processes {
			r := mustOpen(b, dir)
			r.append(b, i, i+1)
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(time.Since(begin).Seconds()*1000/float64(processes), "ms/process")
		reportAccess(b, dir)
	}
}

// BenchmarkLargeLog appends 200,000 events of 1 KB in one process, 2,000,000 with ASSAY_FULL=1, and reports how fast the
// last tenth went and what is left.
func BenchmarkLargeLog(b *testing.B) {
	batches := 200
	if os.Getenv("ASSAY_FULL") == "1" {
		batches = 2000
	}
	for b.Loop() {
		dir := logtest.DiskDir(b)
		r := mustOpen(b, dir)
		var last time.Duration
		for round := range batches {
			batch := logtest.Batch(b, round, 1000, 1000)
			begin := time.Now()
			if _, err := r.Append(b.Context(), batch...); err != nil {
				b.Fatal(err)
			}
			if round >= batches*9/10 {
				last += time.Since(begin)
			}
		}
		b.ReportMetric(float64(batches*100)/last.Seconds(), "last-appends/s")
		begin := time.Now()
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(begin).Seconds(), "close-s")
		reportAccess(b, dir)
	}
}

// reportAccess opens a log and reports its files, how long opening takes, getting an event by its key, and reading.
func reportAccess(b *testing.B, dir string) {
	begin := time.Now()
	r := mustOpen(b, dir)
	defer r.Close()
	b.ReportMetric(time.Since(begin).Seconds(), "open-s")
	files, _, err := r.Files()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(files), "files")
	var keys []events.Key
	begin = time.Now()
	for e, err := range r.Read(b.Context(), 0) {
		if err != nil {
			b.Fatal(err)
		}
		if e.Seq%97 == 0 {
			keys = append(keys, e.Key)
		}
	}
	b.ReportMetric(float64(r.Size())/time.Since(begin).Seconds(), "read/s")
	begin = time.Now()
	for _, key := range keys {
		if _, err := r.Get(b.Context(), key); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(time.Since(begin).Seconds()*1e6/float64(len(keys)), "µs/get")
}
