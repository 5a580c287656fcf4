package badgerlog

import (
	"fmt"
	"syscall"

	"assay/events"
)

// The store writes through mapped files, so that a disk that is full kills the process instead of giving an
// error, and it goes on writing after an append was acknowledged. At most that is: two memtables, of up to
// 21 MiB with one largest transaction, written out as tables; a compaction of 16 such tables and of the level
// below them, which is at most 100 MiB, and one of deeper levels, some 90 MiB, each of which writes its result
// before it deletes what went in. The reserve has to hold all that, 490 MiB together.
const (
	// DefaultReserve is how many bytes of disk stay free when Options say nothing.
	DefaultReserve = 512 << 20
	// openReserve is what opening may need: a new write-ahead log, and each memtable once more as a table.
	openReserve = 96 << 20
)

// freeSpace gives the bytes that this process may still write to the file system of a directory.
func freeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

func checkSpace(dir string, free func(dir string) (int64, error), reserve int64) error {
	left, err := free(dir)
	if err != nil {
		return err
	}
	if left < reserve {
		return fmt.Errorf("%d MiB free on the disk of %s, %d MiB have to stay free: %w", left>>20, dir, reserve>>20, events.ErrFull)
	}
	return nil
}
