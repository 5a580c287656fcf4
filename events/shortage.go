package events

import (
	"errors"
	"strings"
	"syscall"
)

// shortages are the errors of a process that may not open more files, or gets no more memory.
var shortages = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, ErrDescriptors}

// Shortage reports whether an error means that the process lacks open files or memory. Such an error says nothing about
// what is stored.
func Shortage(err error) bool {
	for _, s := range shortages {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// lastWords are the last words of texts about a shortage: an error whose cause was dropped, or a process that was
// ended.
var lastWords = map[string]error{
	syscall.EMFILE.Error():           syscall.EMFILE,
	syscall.ENFILE.Error():           syscall.ENFILE,
	syscall.ENOMEM.Error():           syscall.ENOMEM,
	"out of memory":                  syscall.ENOMEM,
	"failed to create new OS thread": syscall.ENOMEM,
}

// ShortageIn returns the shortage that a line of text ends with, or nil.
func ShortageIn(line string) error {
	line = strings.TrimSpace(line)
	for words, err := range lastWords {
		if strings.HasSuffix(line, words) {
			return err
		}
	}
	return nil
}
