package natslog

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
)

// batchOf makes a batch whose records are of about size bytes, under keys of their own.
func batchOf(b testing.TB, round, n, size int) []events.Event {
	batch := make([]events.Event, n)
	for i := range batch {
		name := fmt.Sprintf("sudoku-%06d%010d", i*7919%1_000_000, round)
		batch[i] = logtest.Fact(name, strings.Repeat("x", size-150), uint64(round*n+i))
	}
	if raw, err := events.Encode(batch[0]); err != nil || len(raw) < size-20 || len(raw) > size+20 {
		b.Fatalf("record of %d bytes, want about %d; %v", len(raw), size, err)
	}
	return batch
}

// BenchmarkAppend appends to one server and to a cluster, in this process and with every write synced.
func BenchmarkAppend(b *testing.B) {
	for name, start := range map[string]func() string{
		"one":     func() string { return startOne(b).ClientURL() },
		"cluster": func() string { return startCluster(b).url() },
	} {
		for _, n := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%dx300B", name, n), func(b *testing.B) {
				l := openWhenReady(b, Options{URL: start()})
				cpu := cpuTime(b)
				for round := 0; b.Loop(); round++ {
					b.StopTimer()
					start := cpuTime(b)
					batch := batchOf(b, round, n, 300)
					cpu += cpuTime(b) - start
					b.StartTimer()
					if _, err := l.Append(b.Context(), batch...); err != nil {
						b.Fatal(err)
					}
				}
				report(b, b.N*n, cpu)
			})
		}
	}
}

// BenchmarkStanding appends what stands already.
func BenchmarkStanding(b *testing.B) {
	l := mustOpen(b, Options{URL: startOne(b).ClientURL()})
	batch := batchOf(b, 0, 1000, 300)
	cpu := cpuTime(b)
	for b.Loop() {
		if _, err := l.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
	}
	report(b, b.N*len(batch), cpu)
}

// report tells of n events a second, and of what both sides used of the processors, which a busy machine changes
// less.
func report(b *testing.B, n int, since time.Duration) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64((cpuTime(b)-since).Nanoseconds())/float64(n), "cpu-ns/event")
}

// cpuTime is what the process has used of its processors: the log and the servers.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []int{300, 2000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			l := mustOpen(b, Options{URL: startOne(b).ClientURL()})
			const rounds, n = 100, 1000
			for round := range rounds {
				if _, err := l.Append(b.Context(), batchOf(b, round, n, size)...); err != nil {
					b.Fatal(err)
				}
			}
			cpu := cpuTime(b)
			for b.Loop() {
				if read, err := readAll(b.Context(), l); read != rounds*n || err != nil {
					b.Fatal(read, err)
				}
			}
			report(b, b.N*rounds*n, cpu)
		})
	}
}
