// Package frequency is the table of how often each technique is needed: shelf by shelf, under every rater
// version, the puzzles that use it, the times it is used, and the puzzles whose level it decides.
//
//	s/<genre>/<variant>/<rater>/v<version>/<level>          → Counts
//	h/<genre>/<variant>/<rater>/v<version>/<level>/<score>  → puzzles with that score
//	i/<genre>/<variant>/<rater>/v<version>/<level>/<seq>    → Entry, of a puzzle rated by that event
//
// The level is empty for ratings without one.
package frequency

import (
	"encoding/binary"
	"slices"

	"assay/events"
	"assay/projections"
)

// Table is the projection.
var Table projections.Projection = table{}

type table struct{}

func (table) Name() string { return "frequency" }
func (table) Version() int { return 1 }

// Shelf names the puzzles that a rater version gave one level.
type Shelf struct {
	Genre, Variant string
	Rater, Version string
	Level          string
}

// Counts is the frequency of a shelf.
type Counts struct {
	_          struct{} `cbor:",toarray"`
	Puzzles    int
	MinClues   int // the three are 0 when the genre has no clues
	SumClues   int
	MaxClues   int
	Techniques []Technique // those used, in the order in which they came up
}

// Technique counts what one technique does on a shelf.
type Technique struct {
	_        struct{} `cbor:",toarray"`
	Name     string
	Using    int // puzzles
	Uses     int // times
	Deciding int // puzzles of whose level it is
}

// Entry is a puzzle of a shelf and the techniques that it uses, as indices into the shelf's Counts.
type Entry struct {
	_     struct{} `cbor:",toarray"`
	ID    string
	Using []byte
}

// Score counts the puzzles of a shelf that have one score.
type Score struct {
	_       struct{} `cbor:",toarray"`
	Score   int
	Puzzles int
}

func (table) Apply(tx *projections.Tx, e events.Event) error {
	r, ok := e.Body.(events.Rated)
	if !ok {
		return nil
	}
	shelf := ShelfOf(r)
	counts, err := shelf.Counts(tx)
	if err != nil {
		return err
	}
	entry := Entry{ID: r.Puzzle, Using: counts.Add(r)}
	if err := tx.Put(shelf.key("s/"), counts); err != nil {
		return err
	}
	if err := tx.Put(shelf.entryKey(e.Seq), entry); err != nil || r.Score == nil {
		return err
	}
	score := Score{Score: *r.Score}
	if _, err := tx.Get(shelf.scoreKey(*r.Score), &score); err != nil {
		return err
	}
	score.Puzzles++
	return tx.Put(shelf.scoreKey(*r.Score), score)
}

// ShelfOf gives the shelf that a rating counts for.
func ShelfOf(r events.Rated) Shelf {
	return Shelf{Genre: r.Genre, Variant: r.Variant, Rater: r.Rater, Version: r.Version, Level: r.Level}
}

// Add counts a puzzle and gives the indices of the techniques that it uses.
func (c *Counts) Add(r events.Rated) []byte {
	if c.Puzzles == 0 || r.Clues < c.MinClues {
		c.MinClues = r.Clues
	}
	c.Puzzles++
	c.SumClues += r.Clues
	c.MaxClues = max(c.MaxClues, r.Clues)
	using := make([]byte, len(r.Techniques))
	for i, u := range r.Techniques {
		at := c.index(u.Name)
		using[i] = byte(at)
		t := &c.Techniques[at]
		t.Using++
		t.Uses += u.Uses
		if u.Level == r.Level {
			t.Deciding++
		}
	}
	return using
}

// Merge counts the puzzles of another shelf too.
func (c *Counts) Merge(other Counts) {
	switch {
	case other.Puzzles == 0:
		return
	case c.Puzzles == 0:
		c.MinClues = other.MinClues
	}
	c.MinClues = min(c.MinClues, other.MinClues)
	c.Puzzles += other.Puzzles
	c.SumClues += other.SumClues
	c.MaxClues = max(c.MaxClues, other.MaxClues)
	for _, t := range other.Techniques {
		mine := &c.Techniques[c.index(t.Name)]
		mine.Using += t.Using
		mine.Uses += t.Uses
		mine.Deciding += t.Deciding
	}
}

// index finds a technique, which it adds when it is new. No rater has more than 256.
func (c *Counts) index(name string) int {
	for i := range c.Techniques {
		if c.Techniques[i].Name == name {
			return i
		}
	}
	c.Techniques = append(c.Techniques, Technique{Name: name})
	return len(c.Techniques) - 1
}

// Counts gives the frequency of the shelf.
func (s Shelf) Counts(tx *projections.Tx) (c Counts, err error) {
	_, err = tx.Get(s.key("s/"), &c)
	return c, err
}

// Scores gives the distribution of scores on the shelf, lowest first; none when its rater has no scores.
func (s Shelf) Scores(tx *projections.Tx) ([]Score, error) {
	var scores []Score
	for row, err := range tx.Scan(s.key("h/", '/')) {
		var n Score
		if err == nil {
			err = row.Decode(&n)
		}
		if err != nil {
			return nil, err
		}
		scores = append(scores, n)
	}
	return scores, nil
}

// Using gives up to limit puzzles of the shelf that use a technique, rated after a position, in log
// order, and the position of the last one.
func (s Shelf) Using(tx *projections.Tx, technique string, after events.Seq, limit int) (ids []string, last events.Seq, err error) {
	counts, err := s.Counts(tx)
	if err != nil {
		return nil, after, err
	}
	at := slices.IndexFunc(counts.Techniques, func(t Technique) bool { return t.Name == technique })
	if at < 0 {
		return nil, after, nil
	}
	for row, err := range tx.ScanFrom(s.key("i/", '/'), s.entryKey(after+1)) {
		var e Entry
		if err == nil {
			err = row.Decode(&e)
		}
		switch {
		case err != nil:
			return nil, after, err
		case len(ids) == limit:
			return ids, last, nil
		case slices.Contains(e.Using, byte(at)):
			ids, last = append(ids, e.ID), events.Seq(binary.BigEndian.Uint64(row.Key[len(row.Key)-8:]))
		}
	}
	return ids, last, nil
}

// Levels gives the levels that a rater version gave to puzzles of a variant, "" among them when it gave none.
func Levels(tx *projections.Tx, genre, variant, rater, version string) (levels []string, err error) {
	prefix := []byte("s/" + genre + "/" + variant + "/" + rater + "/v" + version + "/")
	for row, err := range tx.Scan(prefix) {
		if err != nil {
			return nil, err
		}
		levels = append(levels, string(row.Key[len(prefix):]))
	}
	return levels, nil
}

func (s Shelf) entryKey(seq events.Seq) []byte {
	return binary.BigEndian.AppendUint64(s.key("i/", '/'), uint64(seq))
}

func (s Shelf) scoreKey(score int) []byte {
	return binary.BigEndian.AppendUint64(s.key("h/", '/'), uint64(score)+1<<63)
}

func (s Shelf) key(kind string, end ...byte) []byte {
	return append([]byte(kind+s.Genre+"/"+s.Variant+"/"+s.Rater+"/v"+s.Version+"/"+s.Level), end...)
}
