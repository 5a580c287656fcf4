package store

import (
	"fmt"
	"syscall"

	"assay/events"
)

// OpenReserve is the number of bytes of disk that opening or closing a store may need: a new write-ahead log, and each
// memtable once more as a table.
const OpenReserve = 96 << 20

// FreeSpace returns the bytes that this process may still write to the file system of a directory.
func FreeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// CheckSpace returns events.ErrFull when less than the reserve is free in a directory. The store writes through mapped
// files, so a full disk would kill the process instead of causing an error.
func CheckSpace(dir string, free func(dir string) (int64, error), reserve int64) error {
	left, err := free(dir)
	if err != nil {
		return err
	}
	if left < reserve {
		return fmt.Errorf("%w: %d MiB are free on the disk of %s, %d MiB have to stay free: make room there, or move the directory to a larger disk",
			events.ErrFull, left>>20, dir, reserve>>20)
	}
	return nil
}
