package badgerlog

import (
	"errors"
	"os"
	"syscall"
)

// lockDir locks the directory for this process, until the file is closed. Badger's own lock would come too late,
// because the tables are checked before Badger opens them.
func lockDir(dir string) (*os.File, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}
