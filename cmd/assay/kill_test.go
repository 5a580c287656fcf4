package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

// doomed is a process that is ended at a point of its progress.
type doomed struct {
	*exec.Cmd
	runner runner
	began  int            // how many events were on record when it began
	lines  *bufio.Scanner // of what it prints; it waits while a page of that is not read
	input  io.WriteCloser // it waits where it reads that
	errs   bytes.Buffer
	ended  chan struct{} // closed when it has ended
	how    error         // what it has ended with
}

// doom starts the program.
func (r runner) doom(t testing.TB, args ...string) *doomed {
	t.Helper()
	d := &doomed{Cmd: r.process(t, args...), runner: r, began: r.onRecord(t), ended: make(chan struct{})}
	out, in := smallPipe(t)
	d.lines, d.Stdout, d.Stderr = bufio.NewScanner(out), in, &d.errs
	var err error
	if d.input, err = d.StdinPipe(); err == nil {
		err = d.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	go func() {
		d.how = d.Wait()
		close(d.ended)
	}()
	t.Cleanup(func() {
		d.Process.Kill()
		<-d.ended
	})
	return d
}

// smallPipe returns the ends of a pipe that holds one page.
func smallPipe(t testing.TB) (out, in *os.File) {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	const setPipeSize = 1031 // F_SETPIPE_SZ
	if _, _, fault := syscall.Syscall(syscall.SYS_FCNTL, in.Fd(), setPipeSize, uintptr(os.Getpagesize())); fault != 0 {
		t.Fatal(fault)
	}
	return out, in
}

// read reads lines of what it prints until a point is reached, or there are no more.
func (d *doomed) read(reached func(lines []string) bool) (lines []string) {
	for !reached(lines) && d.lines.Scan() {
		lines = append(lines, d.lines.Text())
	}
	return lines
}

// await waits until a point is reached, or the process has ended.
func (d *doomed) await(reached func() bool) {
	for !reached() {
		select {
		case <-d.ended:
			return
		default:
			runtime.Gosched()
		}
	}
}

// end sends the process a signal. It reports whether the process was cut off, after how many new events on record, and
// what it had printed that was not read.
func (d *doomed) end(t testing.TB, signal os.Signal) (cutOff bool, recorded int, rest []string) {
	t.Helper()
	d.Process.Signal(signal) // it may have ended
	rest = d.read(func([]string) bool { return false })
	<-d.ended
	return d.how != nil, d.runner.onRecord(t) - d.began, rest
}

// records reports whether more events are on record than when the process began.
func (d *doomed) records(t testing.TB) bool { return d.runner.onRecord(t) > d.began }

// checkpointLines are the origin and the number of events of a checkpoint, its root, and perhaps more.
var checkpointLines = regexp.MustCompile(`(?m)^assay/[0-9a-f]+\n([0-9]+)\n(?:[^\n]+\n)+\n`)

// onRecord returns how many events the newest checkpoint of the directory is of.
func (r runner) onRecord(t testing.TB) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "ledger", "checkpoints"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	notes := checkpointLines.FindAllSubmatch(data, -1)
	if len(notes) == 0 {
		return 0
	}
	n, err := strconv.Atoi(string(notes[len(notes)-1][1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// hashes returns the size of the file of tree hashes, which grows while events are being recorded.
func (r runner) hashes() int64 {
	info, err := os.Stat(filepath.Join(r.dir, "ledger", "hashes"))
	if err != nil {
		return 0 // not made yet
	}
	return info.Size()
}

// cuts counts the processes that were cut off, and those of them that had recorded something.
type cuts struct{ all, recorded int }

func (c *cuts) count(cutOff bool, recorded int) {
	if cutOff {
		c.all++
	}
	if cutOff && recorded > 0 {
		c.recorded++
	}
}

// check sees that the test has tested something.
func (c *cuts) check(t testing.TB) {
	t.Helper()
	if c.recorded == 0 {
		t.Fatalf("%d processes were cut off, none of them after it had recorded something", c.all)
	}
}
