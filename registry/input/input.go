// Package input has the error for invalid input.
package input

import "fmt"

// Error means that the input is invalid: a bad argument, an unknown name.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

// Errorf makes an *Error.
func Errorf(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }
