package home

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// The files are made in the order that tells a first run from a loss: the kernel says so.
func TestTheOrderOfAFirstRun(t *testing.T) {
	order := slices.Concat(firstRun, []string{"format"})
	for _, before := range [][]string{{"keys"}, {"keys", "ledger"}} { // folders that can be watched from the start
		p := Place{Dir: filepath.Join(t.TempDir(), "data"), Warn: io.Discard}
		for _, folder := range before {
			if err := os.MkdirAll(filepath.Join(p.Dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		names := watchFolders(t, p.Dir, append(before, "."), func() {
			h, err := p.Open(t.Context(), "test")
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
		})
		var want []string
		for _, name := range order {
			if !slices.Contains(before, name) && slices.Contains(append(before, "."), filepath.Dir(name)) {
				want = append(want, name)
			}
		}
		var got []string
		for _, name := range names {
			if slices.Contains(order, name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %v: made in the order %v, want %v", before, got, want)
		}
	}
}

// watchFolders returns the names that come into folders of a directory while something is done, in order.
func watchFolders(t *testing.T, dir string, folders []string, do func()) (names []string) {
	t.Helper()
	watch, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(watch)
	of := map[int32]string{}
	for _, folder := range folders {
		id, err := syscall.InotifyAddWatch(watch, filepath.Join(dir, folder), syscall.IN_CREATE|syscall.IN_MOVED_TO)
		if err != nil {
			t.Fatal(err)
		}
		of[int32(id)] = folder
	}
	do()
	buffer := make([]byte, 1<<16)
	n, err := syscall.Read(watch, buffer)
	if err != nil {
		t.Fatal(err)
	}
	for rest := buffer[:n]; len(rest) > 0; {
		id, size := int32(binary.NativeEndian.Uint32(rest)), binary.NativeEndian.Uint32(rest[12:])
		name := rest[syscall.SizeofInotifyEvent:][:size]
		names = append(names, filepath.Join(of[id], string(bytes.TrimRight(name, "\x00"))))
		rest = rest[syscall.SizeofInotifyEvent+size:]
	}
	return names
}
