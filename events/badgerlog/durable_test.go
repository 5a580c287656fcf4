package badgerlog

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"assay/events/logtest"
)

const tmpfsMagic = 0x01021994

// notMemory makes a directory on a file system that a disk stands behind.
func notMemory(t testing.TB) string {
	for _, parent := range []string{os.TempDir(), "."} {
		var s syscall.Statfs_t
		if err := syscall.Statfs(parent, &s); err != nil {
			t.Fatal(err)
		}
		if s.Type != tmpfsMagic {
			dir, err := os.MkdirTemp(parent, "log")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	t.Fatalf("%s and the package's directory are both in memory: set TMPDIR to a directory on a disk", os.TempDir())
	return ""
}

// dirtyKiB is how much of a file the kernel has not written to the disk: its pages are mapped, touched,
// and looked up in smaps, where a page counts as dirty as long as the page cache has it so. The file must
// hold the needle, at the returned offset, else offset is −1.
func dirtyKiB(t *testing.T, path string, needle []byte) (dirty, offset int) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() == 0 {
		return 0, -1
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(m)
	offset = bytes.Index(m, needle) // reads every page up to the needle
	touched := byte(0)
	for i := 0; i < len(m); i += os.Getpagesize() {
		touched ^= m[i]
	}
	_ = touched
	return smapsDirty(t, &m[0]), offset
}

// smapsDirty sums the dirty entries of the mapping that begins at an address.
func smapsDirty(t *testing.T, begin *byte) int {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	head, inside, found, sum := fmt.Sprintf("%x-", uintptr(unsafe.Pointer(begin))), false, false, 0
	for lines := bufio.NewScanner(bytes.NewReader(smaps)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case !strings.HasSuffix(fields[0], ":"): // the line that opens a mapping
			inside = strings.HasPrefix(fields[0], head)
			found = found || inside
		case inside && (fields[0] == "Shared_Dirty:" || fields[0] == "Private_Dirty:"):
			var n int
			if _, err := fmt.Sscan(fields[1], &n); err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	if !found {
		t.Fatal("the mapping is not in smaps")
	}
	return sum
}

// afterAppend appends rounds events and tells after each acknowledgement how much of the file with the
// event is not on the disk.
func afterAppend(t *testing.T, o Options, rounds int) (dirty []int) {
	l := mustOpen(t, o)
	for round := range rounds {
		text := fmt.Sprintf("needle %d of %d in the log", round, rounds)
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", round), text, 1)); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(o.Dir, "*.mem"))
		if err != nil {
			t.Fatal(err)
		}
		held := -1
		for _, file := range files {
			if kib, at := dirtyKiB(t, file, []byte(text)); at >= 0 {
				held = kib
			}
		}
		if held < 0 {
			t.Fatalf("round %d: the acknowledged event is in none of %v", round, files)
		}
		dirty = append(dirty, held)
	}
	return dirty
}

// When an append is acknowledged, the disk has it: the kernel holds no page of the file with the event that
// it has still to write. Killing the process would show nothing of that, since the kernel writes such pages
// later. The same look at a log that does not sync shows that there is something to see.
func TestAcknowledgedIsOnDisk(t *testing.T) {
	for round, kib := range afterAppend(t, Options{Dir: notMemory(t)}, 20) {
		if kib != 0 {
			t.Errorf("append %d was acknowledged with %d KiB not on the disk", round, kib)
		}
	}
	seen := 0
	for _, kib := range afterAppend(t, Options{Dir: notMemory(t), noSync: true}, 20) {
		seen += kib
	}
	if seen == 0 {
		t.Error("without sync nothing was seen to wait for the disk: this test cannot tell")
	}
}
