package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"assay/events"
)

// A store needs a file descriptor for each of its tables, and some for its other files: its manifest, value log, and
// write-ahead logs. ReserveDescriptors is the number that must be free before it writes. A full memtable needs a new
// write-ahead log and a new table, and the ledger rewrites its list of checkpoints now and then.
const (
	otherFiles         = 8
	ReserveDescriptors = 8
)

// CheckDescriptors returns events.ErrDescriptors when fewer than this number of file descriptors are free.
func CheckDescriptors(dir string, number int) error {
	free, err := takeDescriptors(dir, number)
	for _, fd := range free {
		err = errors.Join(err, syscall.Close(fd))
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return fmt.Errorf("%w: %d have to be free, and %d of %s are: raise the limit (ulimit -n), or let this process have fewer files and connections open",
			events.ErrDescriptors, number, len(free), limit())
	}
	return err
}

// takeDescriptors opens a directory and duplicates its descriptor until it has this number of them.
func takeDescriptors(dir string, number int) (taken []int, err error) {
	first, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: dir, Err: err}
	}
	for taken = []int{first}; len(taken) < number; {
		next, err := syscall.Dup(first)
		if err != nil {
			return taken, err
		}
		taken = append(taken, next)
	}
	return taken, nil
}

// limit describes how many descriptors a process may have.
func limit() string {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return "an unknown limit"
	}
	return fmt.Sprint(l.Cur)
}
