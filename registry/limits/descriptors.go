package limits

import (
	"os"
	"syscall"
)

// storeDescriptors are reserved for the store, besides those that are open.
const storeDescriptors = 128

// Affordable returns how many connections may be accepted, at most asked, so that the store has the file descriptors
// that it needs and others more are free. It also returns how many descriptors this process may open, or 0 if the
// system does not say.
func Affordable(asked, others int) (total, limit int) {
	limit, open, err := descriptors()
	if err != nil {
		return asked, 0
	}
	return affordable(limit, open+others, asked), limit
}

// affordable returns how many connections may be accepted, at most asked, in a process with this limit of descriptors
// and this many open. It reserves storeDescriptors, or half of a small limit.
func affordable(limit, open, asked int) int {
	return max(1, min(asked, limit-open-min(storeDescriptors, limit/2)))
}

// openAssumed is how many descriptors are assumed open when /proc does not say.
const openAssumed = 64

// descriptors returns how many descriptors this process may open, and how many it has.
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
