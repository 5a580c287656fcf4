// Package input words what is wrong with what was asked for.
package input

import "fmt"

// Error tells that what was asked for cannot be: a bad argument, an unknown name.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

// Errorf makes an *Error.
func Errorf(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }
