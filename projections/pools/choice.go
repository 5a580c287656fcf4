package pools

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"assay/events"
	"assay/projections"
)

// Choice selects puzzles of a pool: those on shelves of the rater version that files it, unless Stuck or All is set.
type Choice struct {
	Genre, Variant string
	Files          RaterVersion
	Levels         []string // of the shelves; "" selects puzzles without a level
	Stuck          bool     // the shelves of stuck puzzles instead of the others
	All            bool     // all puzzles that have one of the levels, on a shelf or not; without levels, the whole pool
}

// Holds reports whether a puzzle is selected.
func (c Choice) Holds(p Puzzle) bool {
	f, _ := p.Filing(c.Files.Rater, c.Files.Version)
	switch {
	case c.All && len(c.Levels) == 0:
		return true
	case !slices.Contains(c.Levels, f.Level):
		return false
	}
	return c.All || f.Stuck == c.Stuck && p.OnShelf()
}

// place is a part of a shelf.
type place struct {
	Shelf
	part part
}

// places returns where the puzzles of one level are.
func (c Choice) places(level string) (list []place) {
	shelf := Shelf{Genre: c.Genre, Variant: c.Variant, Rater: c.Files.Rater, Version: c.Files.Version, Level: level, Stuck: c.Stuck}
	shelves, parts := []Shelf{shelf}, onShelf
	if c.All {
		other := shelf
		other.Stuck = !shelf.Stuck
		shelves, parts = append(shelves, other), append(slices.Clone(onShelf), outside)
	}
	for _, s := range shelves {
		for _, p := range parts {
			list = append(list, place{s, p})
		}
	}
	return list
}

// ratedPuzzle is a puzzle with its rating by one rater version.
type ratedPuzzle struct {
	Entry
	first events.Seq
	level string
	is    bool // there is a rating
}

// ratings returns the puzzles of a place after a position in the log, oldest first, with their ratings by a rater
// version.
func (c Choice) ratings(tx *projections.Tx, at place, by RaterVersion, after events.Seq) iter.Seq2[ratedPuzzle, error] {
	return func(yield func(ratedPuzzle, error) bool) {
		for row, err := range tx.ScanFrom(at.prefix(at.part), at.key(at.part, after+1)) {
			r := ratedPuzzle{level: at.Level, is: true}
			if err == nil {
				r.first, err = events.Seq(binary.BigEndian.Uint64(row.Key[len(row.Key)-8:])), row.Decode(&r.Entry)
			}
			if err == nil && by != c.Files {
				err = r.lookUp(tx, c.Genre, by)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// lookUp finds the rating of the puzzle by another rater version.
func (r *ratedPuzzle) lookUp(tx *projections.Tx, genre string, by RaterVersion) error {
	p, _, err := Get(tx, r.ID)
	if err != nil {
		return err
	}
	f, is := p.Filing(by.Rater, by.Version)
	if r.level, r.is = f.Level, is; !is {
		return nil
	}
	_, err = tx.Get(f.shelf(genre, p.Variant).key(p.part(), p.First), &r.Entry)
	return err
}

// Counts adds up the ratings of the puzzles by a rater version, and counts the puzzles that it has not rated.
func (c Choice) Counts(tx *projections.Tx, by RaterVersion) (sum Counts, unrated int, err error) {
	for _, level := range c.Levels {
		for _, at := range c.places(level) {
			if by == c.Files {
				counts, err := at.counts(tx, at.part)
				if err != nil {
					return sum, unrated, err
				}
				sum.merge(counts)
				continue
			}
			for r, err := range c.ratings(tx, at, by, 0) {
				if err != nil {
					return sum, unrated, err
				}
				if r.is {
					sum.add(r.Entry, 1)
				} else {
					unrated++
				}
			}
		}
	}
	return sum, unrated, nil
}

// Found is a puzzle of a list.
type Found struct {
	ID    string
	Level string     // by the rater version whose techniques are counted
	First events.Seq // the first event about the puzzle
}

// Using returns up to limit puzzles of one level, oldest first, that were recorded after a position in the log. A rater
// version must have used every one of the techniques.
func (c Choice) Using(tx *projections.Tx, by RaterVersion, level string, techniques []string, after events.Seq, limit int) ([]Found, error) {
	names, err := Techniques(tx, c.Genre, c.Variant, by)
	if err != nil {
		return nil, err
	}
	places := make([]int, len(techniques)) // of each technique in the counts
	for i, name := range techniques {
		places[i] = slices.Index(names, name)
	}
	var list []Found
	for _, at := range c.places(level) {
		here := 0
		for r, err := range c.ratings(tx, at, by, after) {
			if err != nil {
				return nil, err
			}
			if !r.uses(places) {
				continue
			}
			list = append(list, Found{ID: r.ID, Level: r.level, First: r.first})
			if here++; here == limit {
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b Found) int { return cmp.Compare(a.First, b.First) })
	return list[:min(limit, len(list))], nil
}

// uses reports whether a puzzle was rated and uses every one of some techniques.
func (r ratedPuzzle) uses(techniques []int) bool {
	for _, t := range techniques {
		if !slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Technique == t }) {
			return false
		}
	}
	return r.is
}
