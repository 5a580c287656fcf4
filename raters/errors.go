package raters

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBudget means that the work budget ran out. It is never a verdict.
var ErrBudget = errors.New("work budget exhausted")

// SyntaxError tells why a text is no puzzle.
type SyntaxError struct {
	Line   int // from 1
	Column int // from 1, in characters
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// CheckCanonical tells where a text departs from the canonical text of its puzzle: a *SyntaxError, or nil.
func CheckCanonical(text, canonical string) error {
	if text == canonical {
		return nil
	}
	same := 0
	for same < len(text) && same < len(canonical) && text[same] == canonical[same] {
		same++
	}
	before := canonical[:same]
	last := before[strings.LastIndex(before, "\n")+1:]
	return &SyntaxError{Line: 1 + strings.Count(before, "\n"), Column: 1 + len(last), Reason: "the text is not canonical from here on"}
}

// NotUniqueError tells that a puzzle has more than one solution.
type NotUniqueError struct {
	Solutions [2]string // two different ones
}

func (e *NotUniqueError) Error() string { return "the puzzle has more than one solution" }

// NoSolutionError tells that a puzzle has no solution.
type NoSolutionError struct {
	Reason string // which parts contradict which rule, or ""
}

func (e *NoSolutionError) Error() string {
	if e.Reason == "" {
		return "the puzzle has no solution"
	}
	return "the puzzle has no solution: " + e.Reason
}

// RequestError tells that a generator cannot give what was asked.
type RequestError struct {
	Reason string // what was asked and what is offered
}

func (e *RequestError) Error() string { return e.Reason }
