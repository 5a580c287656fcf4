package badgerlog

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"assay/events/logtest"
)

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{300, 2000} {
		b.Run(fmt.Sprintf("1000x%dB", size), func(b *testing.B) { benchmarkAppend(b, 1000, size) })
	}
	b.Run("1x300B", func(b *testing.B) { benchmarkAppend(b, 1, 300) })
}

func benchmarkAppend(b *testing.B, n, size int) {
	l := mustOpen(b, Options{Dir: logtest.DiskDir(b)})
	cpu := cpuTime(b)
	for round := 0; b.Loop(); round++ {
		b.StopTimer()
		start := cpuTime(b)
		batch := logtest.Batch(b, round, n, size)
		cpu += cpuTime(b) - start
		b.StartTimer()
		if _, err := l.Append(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64((cpuTime(b)-cpu).Nanoseconds())/float64(b.N*n), "cpu-ns/event")
}

// cpuTime is what the process has used of its processors, which a busy machine changes less than the clock.
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
			l := mustOpen(b, Options{Dir: logtest.DiskDir(b)})
			const rounds, n = 100, 1000
			for round := range rounds {
				if _, err := l.Append(b.Context(), logtest.Batch(b, round, n, size)...); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				for _, err := range l.Read(b.Context(), 0) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N*rounds*n)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
