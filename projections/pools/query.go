package pools

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"assay/events"
	"assay/projections"
)

// Shelf names the puzzles that a rater version gave one level.
type Shelf struct {
	Genre, Variant string
	Rater, Version string
	Level          string
}

// Stock counts the shelf.
func (s Shelf) Stock(tx *projections.Tx) (stock Stock, err error) {
	_, err = tx.Get(s.stockKey(), &stock)
	return stock, err
}

// Unpublished gives the IDs of the puzzles that no series published, oldest first.
func (s Shelf) Unpublished(tx *projections.Tx) iter.Seq2[string, error] {
	return s.ids(tx, unpublished)
}

// Published gives the IDs of the puzzles that some series published, oldest first.
func (s Shelf) Published(tx *projections.Tx) iter.Seq2[string, error] { return s.ids(tx, published) }

func (s Shelf) ids(tx *projections.Tx, kind string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for row, err := range tx.Scan(s.prefix(kind)) {
			var id string
			if err == nil {
				err = row.Decode(&id)
			}
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}

// Known gives the puzzle on record that has the canonical form, or "".
func Known(tx *projections.Tx, genre, variant string, form events.Form) (id string, err error) {
	_, err = tx.Get(canonicalKey(genre, variant, form), &id)
	return id, err
}

// Get gives a puzzle and whether it is on record.
func Get(tx *projections.Tx, id string) (p Puzzle, known bool, err error) {
	known, err = tx.Get(puzzleKey(id), &p)
	return p, known, err
}

// Member is a puzzle of a pool.
type Member struct {
	ID string
	Puzzle
}

// Puzzles gives every puzzle of a genre and variant that is on record, in order of ID, whether a shelf
// holds it or not.
func Puzzles(tx *projections.Tx, genre, variant string) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for row, err := range tx.Scan(puzzleKey(genre + "-")) {
			var m Member
			if err == nil {
				m.ID = string(row.Key[len("z/"):])
				err = m.Puzzle.read(row.Fields())
			}
			if err == nil && m.Variant != variant {
				continue
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// read reads a row, as Row.Decode does.
func (p *Puzzle) read(f *projections.Fields) error {
	if f.List() != 5 {
		return f.Wrong()
	}
	p.Variant, p.First, p.Published, p.Equivalent = f.Text(), events.Seq(f.Uint()), f.Bool(), f.Text()
	if n := f.List(); n > 0 {
		p.Filings = make([]Filing, n)
	}
	for i := range p.Filings {
		if f.List() != 3 {
			return f.Wrong()
		}
		p.Filings[i].Rater, p.Filings[i].Version, p.Filings[i].Level = f.Text(), f.Text(), f.Text()
	}
	return f.End()
}

// Adoptions gives which raters filed the pool, in order of revision: the last one does.
func Adoptions(tx *projections.Tx, genre, variant string) (list []Adoption, err error) {
	for row, err := range tx.Scan(adoptionsKey(genre, variant)) {
		var a Adoption
		if err == nil {
			err = row.Decode(&a)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// Pool names a pool.
type Pool struct{ Genre, Variant string }

// Used gives the pools for which a rater was adopted, or some rater version filed a puzzle, in order of name.
func Used(tx *projections.Tx) (list []Pool, err error) {
	for _, kind := range []string{"a/", "n/"} {
		for row, err := range tx.Scan([]byte(kind)) {
			if err != nil {
				return nil, err
			}
			name := strings.Split(string(row.Key), "/")
			list = append(list, Pool{name[1], name[2]})
		}
	}
	slices.SortFunc(list, func(a, b Pool) int {
		return cmp.Or(strings.Compare(a.Genre, b.Genre), strings.Compare(a.Variant, b.Variant))
	})
	return slices.Compact(list), nil
}

// LastBlock gives the last block of candidates of a pool and generator version, and whether there is one.
func LastBlock(tx *projections.Tx, genre, variant string, generator int) (b Block, ok bool, err error) {
	ok, err = tx.Get(blockKey(genre, variant, generator), &b)
	return b, ok, err
}

// FiledBy gives the level that a rater version gave the puzzle, or "".
func (p Puzzle) FiledBy(rater, version string) string {
	level, _ := p.RatedBy(rater, version)
	return level
}

// RatedBy gives the level that a rater version gave the puzzle, "" when it could not finish it, and whether it rated it. Of
// raters that give no levels the table knows nothing.
func (p Puzzle) RatedBy(rater, version string) (level string, is bool) {
	for _, f := range p.Filings {
		if f.Rater == rater && f.Version == version {
			return f.Level, true
		}
	}
	return "", false
}
