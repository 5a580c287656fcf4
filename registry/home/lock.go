package home

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// holder says which process has locked a directory.
type holder struct {
	PID   int       `json:"pid"`
	Verb  string    `json:"verb"`
	Since time.Time `json:"since"`
}

// HeldError means that another process has locked the directory.
type HeldError struct {
	dir string
	by  holder
}

func (e *HeldError) Error() string {
	who := "another process"
	if e.by.PID != 0 {
		who = fmt.Sprintf("process %d (assay %s, since %s)", e.by.PID, e.by.Verb, e.by.Since.Format("15:04:05"))
	}
	return fmt.Sprintf("%s is held by %s: wait for it to end, end it, or use another --dir", e.dir, who)
}

// lockDirectory locks the directory for this process.
func lockDirectory(path, verb string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the directory: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		return nil, heldBy(path)
	}
	note, err := json.Marshal(holder{PID: os.Getpid(), Verb: verb, Since: time.Now()})
	if err == nil {
		err = lock.Truncate(0)
	}
	if err == nil {
		_, err = lock.WriteAt(note, 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the directory: %w", err), lock.Close())
	}
	return lock, nil
}

func heldBy(path string) *HeldError {
	held := &HeldError{dir: path}
	if note, err := os.ReadFile(filepath.Join(path, "lock")); err == nil && json.Unmarshal(note, &held.by) != nil {
		held.by = holder{}
	}
	return held
}
