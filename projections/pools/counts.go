package pools

import (
	"slices"

	"assay/events"
	"assay/projections"
)

// Entry is a puzzle on a shelf, with what its rating adds to the counts.
type Entry struct {
	_     struct{} `cbor:",toarray"`
	ID    string
	Clues int
	Score *int
	Uses  []Use
}

// Use is a technique that a puzzle uses.
type Use struct {
	_         struct{} `cbor:",toarray"`
	Technique int      // its index in Techniques
	Times     int
	Decides   bool // it is of the puzzle's level
}

// Counts is how often puzzles that one rater version rated need each technique.
type Counts struct {
	_          struct{} `cbor:",toarray"`
	Puzzles    int
	Clues      []Bin       // by number of clues
	Scores     []Bin       // by score; empty when the rater has none
	Techniques []Technique // each at its index in Techniques
}

// Bin counts the puzzles of one value. Bins are sorted by value, and none is empty.
type Bin struct {
	_       struct{} `cbor:",toarray"`
	Value   int
	Puzzles int
}

// Technique counts what one technique does.
type Technique struct {
	_        struct{} `cbor:",toarray"`
	Using    int      // puzzles
	Uses     int      // times
	Deciding int      // puzzles with the level of the technique
}

// add counts a puzzle this many times: 1 adds it, −1 removes it.
func (c *Counts) add(e Entry, times int) {
	c.Puzzles += times
	c.Clues = addBin(c.Clues, Bin{Value: e.Clues, Puzzles: times})
	if e.Score != nil {
		c.Scores = addBin(c.Scores, Bin{Value: *e.Score, Puzzles: times})
	}
	for _, u := range e.Uses {
		t := c.technique(u.Technique)
		t.Using += times
		t.Uses += times * u.Times
		if u.Decides {
			t.Deciding += times
		}
	}
}

// merge adds other counts of the same rater version.
func (c *Counts) merge(other Counts) {
	c.Puzzles += other.Puzzles
	for _, b := range other.Clues {
		c.Clues = addBin(c.Clues, b)
	}
	for _, b := range other.Scores {
		c.Scores = addBin(c.Scores, b)
	}
	for i, o := range other.Techniques {
		t := c.technique(i)
		t.Using += o.Using
		t.Uses += o.Uses
		t.Deciding += o.Deciding
	}
}

func (c *Counts) technique(at int) *Technique {
	for len(c.Techniques) <= at {
		c.Techniques = append(c.Techniques, Technique{})
	}
	return &c.Techniques[at]
}

func addBin(bins []Bin, b Bin) []Bin {
	at, found := slices.BinarySearchFunc(bins, b.Value, func(bin Bin, value int) int { return bin.Value - value })
	if !found {
		return slices.Insert(bins, at, b)
	}
	if bins[at].Puzzles += b.Puzzles; bins[at].Puzzles == 0 {
		return slices.Delete(bins, at, at+1)
	}
	return bins
}

// entryOf returns the entry of a rating, and names its techniques.
func entryOf(tx *projections.Tx, s Shelf, r events.Rated) (Entry, error) {
	e := Entry{ID: r.Puzzle, Clues: r.Clues, Score: r.Score, Uses: make([]Use, len(r.Techniques))}
	var names []string
	onRecord, err := tx.Get(s.techniquesKey(), &names)
	if err != nil {
		return e, err
	}
	known := len(names)
	for i, u := range r.Techniques {
		at := slices.Index(names, u.Name)
		if at < 0 {
			at, names = len(names), append(names, u.Name)
		}
		e.Uses[i] = Use{Technique: at, Times: u.Uses, Decides: u.Level == r.Level}
	}
	if !onRecord || len(names) > known {
		err = tx.Put(s.techniquesKey(), names)
	}
	return e, err
}

func (s Shelf) counts(tx *projections.Tx, p part) (c Counts, err error) {
	_, err = tx.Get(s.countsKey(p), &c)
	return c, err
}
