package engine

import (
	"slices"
	"strings"

	"assay/raters"
)

// These words stand for a missing level in a matrix.
const (
	NoLevel = "none"    // nobody rated the puzzle
	unrated = "unrated" // the rater could not finish it
)

// OrUnrated returns a level, or the word for a puzzle that the rater could not finish.
func OrUnrated(level string) string {
	if level == "" {
		return unrated
	}
	return level
}

// Matrix counts puzzles by two levels: by one rater version and by another.
type Matrix struct {
	levels []string // lowest first, without the words for a missing level
	counts map[[2]string]int
}

// NewMatrix returns a matrix of levels, lowest first, that counts nothing yet.
func NewMatrix(levels []string) Matrix { return Matrix{levels: levels} }

// Add counts a puzzle.
func (m *Matrix) Add(from, to string) {
	if m.counts == nil {
		m.counts = map[[2]string]int{}
	}
	m.counts[[2]string{from, to}]++
}

// Levels returns the levels, lowest first, then others that puzzles were counted by, such as that of stuck puzzles where no
// shelf has it, then "unrated" and "none" when there are such puzzles.
func (m Matrix) Levels() []string {
	levels := slices.Clone(m.levels)
	var others, without []string
	for pair := range m.counts {
		for _, level := range pair {
			switch {
			case level == unrated || level == NoLevel:
				without = append(without, level)
			case !slices.Contains(levels, level):
				others = append(others, level)
			}
		}
	}
	slices.Sort(others)
	slices.SortFunc(without, func(a, b string) int { return -strings.Compare(a, b) }) // unrated comes before none
	return slices.Concat(levels, slices.Compact(others), slices.Compact(without))
}

// At returns how many puzzles go from one level to another.
func (m Matrix) At(from, to string) int { return m.counts[[2]string{from, to}] }

// MarshalJSON writes {"hard":{"hard":940,"expert":60}}, without what is 0.
func (m Matrix) MarshalJSON() ([]byte, error) {
	levels := m.Levels()
	var rows []string
	for _, from := range levels {
		for _, to := range levels {
			if m.At(from, to) > 0 && !slices.Contains(rows, from) {
				rows = append(rows, from)
			}
		}
	}
	return ordered(len(rows), func(b []byte, i int) []byte {
		var row Terms
		for _, to := range levels {
			if count := m.At(rows[i], to); count > 0 {
				row = append(row, raters.Term{Name: to, Value: count})
			}
		}
		return append(appendName(b, rows[i]), row.json()...)
	}), nil
}
