package logtest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

const tmpfsMagic = 0x01021994

// DiskDir creates a directory on a file system that is on a disk.
func DiskDir(t testing.TB) string {
	for _, parent := range []string{os.TempDir(), "."} {
		var s syscall.Statfs_t
		if err := syscall.Statfs(parent, &s); err != nil {
			t.Fatal(err)
		}
		if s.Type != tmpfsMagic {
			dir, err := os.MkdirTemp(parent, "disk")
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

// Unwritten returns how much of a file, in KiB, the kernel has still to write to the disk. It maps all pages and looks
// them up in smaps, where a page counts as dirty as long as it is dirty in the page cache. Offset is the position of
// the needle in the file, or −1 when it is not there.
func Unwritten(t testing.TB, path string, needle []byte) (dirty, offset int) {
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
	m, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED|syscall.MAP_POPULATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(m)
	return smapsDirty(t, &m[0]), bytes.Index(m, needle)
}

// smapsDirty sums the dirty entries of the mapping that begins at an address.
func smapsDirty(t testing.TB, begin *byte) int {
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
