package events

import (
	"errors"
	"strings"
	"syscall"
)

// shortages are the errors of a process that may not open more files, or gets no more memory.
var shortages = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, ErrDescriptors}

// shortageTexts are what the runtime says of them when it ends the process.
var shortageTexts = []string{"out of memory", "failed to create new OS thread"}

// Shortage reports whether an error tells that the process lacks open files or memory. It tells nothing of what is stored.
// Some libraries pass on only the text of an error, so that the text counts as well.
func Shortage(err error) bool {
	return err != nil && (isOne(err) || ShortageText(err.Error()))
}

func isOne(err error) bool {
	for _, s := range shortages {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// ShortageText is Shortage of an error of which only the text is left.
func ShortageText(text string) bool {
	for _, s := range shortages {
		if strings.Contains(text, s.Error()) {
			return true
		}
	}
	for _, s := range shortageTexts {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
