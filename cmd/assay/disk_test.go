//go:build disk

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/registry"
)

// These tests mount a file system of memory, which needs root: go test -tags disk -run TestFaultDisk. They fail
// where that is not allowed.

// mountSmall returns a directory on a disk of this many MiB, and makes the disk larger.
func mountSmall(t *testing.T, mib int) (dir string, enlarge func(mib int)) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", mib)); err != nil {
		t.Fatalf("mount a small disk, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, func(mib int) {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%dm", mib)); err != nil {
			t.Fatal(err)
		}
	}
}

// fillUp writes a file until this many MiB are free, and gives its name.
func fillUp(t *testing.T, dir string, leave int64) string {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	size := int64(s.Bavail)*int64(s.Bsize) - leave<<20
	if n, err := io.CopyN(f, zeros{}, size); err != nil && (leave > 0 || !errors.Is(err, syscall.ENOSPC)) {
		t.Fatalf("%d of %d bytes written: %v", n, size, err)
	}
	return path
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// appendUntilFull appends until the log refuses, and gives how many events it acknowledged.
func appendUntilFull(t *testing.T, log events.Log) (acknowledged int) {
	t.Helper()
	text := strings.Repeat("x", 250<<10)
	for i := 0; ; i++ {
		fact := logtest.Fact(fmt.Sprintf("sudoku-%016d", i), text, uint64(i))
		switch receipt, err := log.Append(t.Context(), fact); {
		case errors.Is(err, events.ErrFull):
			return acknowledged
		case err != nil:
			t.Fatal(err)
		default:
			acknowledged += receipt.Appended()
		}
	}
}

// A log is filled until it refuses. Whatever is done on the full disk ends with the exit status 3 and words that
// say what to do, and never in a fault; with room again the directory opens, and has all that was acknowledged.
func TestFaultDiskFull(t *testing.T) {
	disk, enlarge := mountSmall(t, 640)
	r := newRunner(t)
	r.dir = filepath.Join(disk, "data")
	r.done(t, "publish", "--ahead", "5")
	before := strings.Count(r.done(t, "export"), "\n")
	h := r.open(t, "test")
	n := appendUntilFull(t, h.Registry(time.Now).Log)
	if n < 300 {
		t.Fatalf("only %d events", n)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	checkNoRoom(t, r, "--catch-up", "publish", "--ahead", "50")

	for _, leave := range []int64{200, 60, 0} { // too little for the tables, for opening, for anything
		filler := fillUp(t, disk, leave)
		checkNoRoom(t, r, "verify")
		checkNoRoom(t, r, "rebuild")
		checkNoRoom(t, r, "--catch-up", "publish", "--ahead", "50")
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}

	enlarge(2000)
	r.verified(t)
	if out := r.done(t, "verify", "--json"); !strings.Contains(out, fmt.Sprintf(`"ok":true,"events":%d,`, before+n)) {
		t.Errorf("%d and %d events were acknowledged: %s", before, n, out)
	}
	r.done(t, "--catch-up", "publish", "--ahead", "50")
}

func checkNoRoom(t *testing.T, r runner, args ...string) {
	t.Helper()
	out, errs, code := r.child(t, args...)
	if code != exitCannot || !strings.Contains(errs, "no ") || !strings.HasPrefix(errs, "assay: ") || strings.Contains(errs, "goroutine ") {
		t.Errorf("%v on a full disk: exit %d: %s%s", args, code, out, errs)
	}
}

// Somebody else fills the disk to its last byte while a directory is open: with records, tables and hashes not yet
// in their places.
func TestFaultDiskFilledUnderneath(t *testing.T) {
	disk, _ := mountSmall(t, 900)
	r := newRunner(t)
	r.dir = filepath.Join(disk, "data")
	h := r.open(t, "test")
	now, err := readClock(testNow)
	if err != nil {
		t.Fatal(err)
	}
	reg := h.Registry(now)
	publish := func(ahead int) error {
		_, _, err := reg.Publish(t.Context(), registry.PublishRequest{Series: registry.DefaultSeries, Ahead: ahead, Actor: "test"})
		return err
	}
	if err := publish(20); err != nil {
		t.Fatal(err)
	}
	for i := range 100 { // into the memtable
		if _, err := reg.Log.Append(t.Context(), logtest.Fact(fmt.Sprintf("sudoku-%016d", i), strings.Repeat("x", 100<<10), uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	size := reg.Ledger.Checkpoint().Size
	filler := fillUp(t, disk, 0)
	if err := publish(30); !errors.Is(err, events.ErrFull) {
		t.Errorf("publish: %v", err)
	}
	if _, err := reg.Holdings().Rebuild(t.Context()); !errors.Is(err, events.ErrFull) {
		t.Errorf("rebuild: %v", err)
	}
	if report, err := reg.Ledger.Verify(t.Context(), reg.Log, nil); err != nil || len(report.Problems) > 0 || report.Events != size {
		t.Errorf("verify while full: %v, %v", report, err)
	}
	if err := h.Close(); !errors.Is(err, events.ErrFull) {
		t.Errorf("close: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	left := subject{runner: r, files: takeImage(t, r.dir)}.restore(t) // this process still holds what it could not close
	out, errs, code := left.child(t, "verify", "--json")
	if code != exitDone || !strings.Contains(out, fmt.Sprintf(`"events":%d,`, size)) {
		t.Errorf("%d events were acknowledged: exit %d: %s%s", size, code, out, errs)
	}
}

// A ledger that meets the end of the disk itself says so, and goes on once there is room.
func TestFaultDiskLedger(t *testing.T) {
	disk, _ := mountSmall(t, 8)
	l := ledgerOf(t, disk, true)
	filler := fillUp(t, disk, 0)
	records := make([][]byte, 1000)
	for i := range records {
		records[i] = []byte(fmt.Sprint("record ", i))
	}
	if err := l.Extend(records)(); !errors.Is(err, events.ErrFull) {
		t.Errorf("extend: %v", err)
	}
	if err := errors.Join(l.Close(), os.Remove(filler)); err != nil {
		t.Fatal(err)
	}
	l = ledgerOf(t, disk, false)
	if err := l.Extend(records)(); err != nil || l.Size() != 1000 {
		t.Errorf("with room: %d events, %v", l.Size(), err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func ledgerOf(t *testing.T, disk string, fresh bool) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(ledger.Options{Dir: filepath.Join(disk, "ledger"), New: fresh})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
