package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
)

// StandsError says that another fact stands where a fact was to be recorded, because somebody else was first. Nothing
// was recorded. It is an *events.ConflictError as well.
type StandsError struct {
	Standing events.Event
	conflict error
}

func (e *StandsError) Error() string {
	return fmt.Sprintf("%s stands already: %s recorded it at %s, event %d. Nothing of this was recorded; look at what stands, and do this again if it is still needed",
		standing(e.Standing.Body, e.Standing.Key), e.Standing.Actor, stamp(e.Standing.Time), e.Standing.Seq)
}

// Unwrap returns the conflict of keys.
func (e *StandsError) Unwrap() error { return e.conflict }

// told turns a conflict of keys into a StandsError that describes the standing fact.
func (r *Registry) told(ctx context.Context, err error) error {
	var conflict *events.ConflictError
	if !errors.As(err, &conflict) {
		return err
	}
	e, getErr := r.Log.Get(ctx, conflict.Key)
	if getErr != nil {
		return errors.Join(err, getErr)
	}
	return &StandsError{Standing: e, conflict: err}
}

// standing describes the fact of an event.
func standing(body events.Body, key events.Key) string {
	switch b := body.(type) {
	case events.Withdrawn:
		return fmt.Sprintf("another withdrawal of %s %s, revision %d,", b.Series, b.Date, b.Revision)
	case events.Published:
		return fmt.Sprintf("another publication of %s %s, revision %d,", b.Series, b.Date, b.Revision)
	case events.Dropped:
		return fmt.Sprintf("another drop of %s", b.Puzzle)
	case events.Restored:
		return fmt.Sprintf("another end of the drop of %s", b.Puzzle)
	case events.Policy:
		return fmt.Sprintf("another policy %d of %s", b.Revision, b.Series)
	case events.Adopted:
		return fmt.Sprintf("another adoption %d for %s/%s, of %s %s,", b.Revision, b.Genre, b.Variant, b.Rater, b.Version)
	case events.Filled:
		return fmt.Sprintf("another filling of %s/%s with candidates %d to %d", b.Genre, b.Variant, b.First, b.Last)
	}
	kind, _, _ := strings.Cut(string(key), "/")
	return fmt.Sprintf("another fact of the kind %s, %s,", kind, key)
}
