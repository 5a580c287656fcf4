package limits

import (
	"os"
	"syscall"
)

// storeDescriptors are kept for the store, besides those that are open.
const storeDescriptors = 128

// Affordable returns how many connections may be taken of those asked for, so that the store has the file descriptors that it
// needs and so many more are free; and how many this process may have open, 0 where the system does not tell.
func Affordable(asked, others int) (total, limit int) {
	limit, open, err := descriptors()
	if err != nil {
		return asked, 0
	}
	return affordable(limit, open+others, asked), limit
}

// affordable returns how many connections may be taken of those asked for, in a process that may open so many descriptors and
// needs some of them open otherwise. It keeps storeDescriptors, or half of a small limit.
func affordable(limit, open, asked int) int {
	return max(1, min(asked, limit-open-min(storeDescriptors, limit/2)))
}

// openAssumed is how many descriptors are open where /proc does not tell.
const openAssumed = 64

// descriptors returns how many descriptors this process may have open, and has.
func descriptors() (limit, open int, err error) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return 0, 0, err
	}
	open = openAssumed
	if listed, err := os.ReadDir("/proc/self/fd"); err == nil {
		open = len(listed)
	}
	return int(min(files.Cur, 1<<30)), open, nil
}
