package natslog

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// BenchmarkAppend appends to one server and to a cluster, in this process and with every write synced.
func BenchmarkAppend(b *testing.B) {
	for name, start := range map[string]func() string{
		"one":     func() string { return natstest.One(b).ClientURL() },
		"cluster": func() string { return natstest.StartCluster(b).URL() },
	} {
		for _, n := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%dx300B", name, n), func(b *testing.B) {
				l := openWhenReady(b, Options{Options: link.Options{URL: start()}})
				cpu := cpuTime(b)
				for round := 0; b.Loop(); round++ {
					b.StopTimer()
					start := cpuTime(b)
					batch := logtest.Batch(b, round, n, 300)
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
	l := mustOpen(b, Options{Options: link.Options{URL: natstest.One(b).ClientURL()}})
	batch := logtest.Batch(b, 0, 1000, 300)
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
			l := mustOpen(b, Options{Options: link.Options{URL: natstest.One(b).ClientURL()}})
			const rounds, n = 100, 1000
			for round := range rounds {
				if _, err := l.Append(b.Context(), logtest.Batch(b, round, n, size)...); err != nil {
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
