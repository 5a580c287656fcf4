package raters

import (
	"errors"
	"fmt"
)

// ErrBudget: the work budget ran out. It is never a verdict.
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
