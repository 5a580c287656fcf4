package registry

import (
	"fmt"

	"assay/events"
	"assay/raters"
)

// canonicalForm returns the Form of a puzzle's canonical text. Two puzzles with the same Form are equal up to symmetry,
// and only one of them is on a shelf. It is zero when the variant has no symmetries.
func canonicalForm(v raters.Variant, p raters.Puzzle) (events.Form, error) {
	text, err := v.Canonical(p)
	if err != nil {
		return events.Form{}, fmt.Errorf("canonical form of %s: %w", p.ID(), err)
	}
	if text == "" {
		return events.Form{}, nil
	}
	return events.FormOf(text), nil
}

// sketchOf returns a text that two solutions share when they look alike.
func sketchOf(v raters.Variant, solution string) (string, error) {
	sketch := v.Canonizer.Canonical
	if s, ok := v.Canonizer.(raters.Sketcher); ok {
		sketch = s.Sketch
	}
	text, err := sketch(raters.Puzzle{Genre: v.Genre, Variant: v.Name, Text: solution})
	return v.String() + "/" + text, err
}

// alike reports whether two solutions with the same sketch are equal, exactly or up to symmetry.
func alike(v raters.Variant, a, b string) (bool, error) {
	if a == b {
		return true, nil
	}
	formA, err := v.Canonizer.Canonical(raters.Puzzle{Genre: v.Genre, Variant: v.Name, Text: a})
	if err != nil {
		return false, err
	}
	formB, err := v.Canonizer.Canonical(raters.Puzzle{Genre: v.Genre, Variant: v.Name, Text: b})
	return formA == formB, err
}
