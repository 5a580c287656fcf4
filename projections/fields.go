package projections

import (
	"fmt"

	"assay/events"
)

// Fields reads a row that is a list, one field after the other. Scans of whole tables use it: decoding a row by
// reflection takes about as long as a tenth of a sudoku's rating (BenchmarkFields).
type Fields struct {
	events.Fields
	row Row
}

// Fields returns the fields of the row, from the first on.
func (r Row) Fields() *Fields { return &Fields{events.FieldsOf(r.Value), r} }

// End returns an error when a field was not as expected, or when bytes are left.
func (f *Fields) End() error {
	if f.Fields.End() != nil {
		return f.Wrong()
	}
	return nil
}

// Wrong returns the error of a row that is not as expected.
func (f *Fields) Wrong() error { return fmt.Errorf("row %q is not what it should be", f.row.Key) }
