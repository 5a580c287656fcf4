package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/ledger"
	"assay/events/logtest"
)

// batchOf makes a batch whose records are of about size bytes, under keys of their own.
func batchOf(round, n, size int) []events.Event {
	batch := make([]events.Event, n)
	for i := range batch {
		name := fmt.Sprintf("sudoku-%06d%010d", i*7919%1_000_000, round)
		batch[i] = logtest.Fact(name, strings.Repeat("x", size-150), uint64(round*n+i))
	}
	return batch
}

// appendBatches times the appending of batches of 1,000 to a new log, with or without a ledger.
func appendBatches(b *testing.B, vouched bool, batches, size int) time.Duration {
	dir := logtest.DiskDir(b)
	o := badgerlog.Options{Dir: filepath.Join(dir, "log"), Reserve: 1}
	if vouched {
		l, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger"), New: true})
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
	var took time.Duration
	for round := range batches {
		batch := batchOf(round, 1000, size)
		begin := time.Now()
		if _, err := log.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
		took += time.Since(begin)
	}
	return took
}

// BenchmarkLedgerCost appends with and without the ledger in turns, and reports the throughput of both and
// what the ledger costs of it: the medians of 7 pairs. Run it with -benchtime 1x.
func BenchmarkLedgerCost(b *testing.B) {
	for _, size := range []int{300, 2000} {
		b.Run(fmt.Sprintf("1000x%dB", size), func(b *testing.B) {
			const pairs, batches = 7, 60
			for b.Loop() {
				var costs, with, without []float64
				for pair := range pairs {
					var took [2]time.Duration
					for _, vouched := range []int{pair % 2, 1 - pair%2} {
						took[vouched] = appendBatches(b, vouched == 1, batches, size)
					}
					without = append(without, batches*1000/took[0].Seconds())
					with = append(with, batches*1000/took[1].Seconds())
					costs = append(costs, 100*(1-with[pair]/without[pair]))
				}
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
		if _, err := r.Append(b.Context(), batchOf(round, 1000, 1000)...); err != nil {
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
	l, err := ledger.Open(ledger.Options{Dir: filepath.Join(logtest.DiskDir(b), "ledger"), New: true})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	records, err := events.EncodeBatch(batchOf(0, 1000, 1000))
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
