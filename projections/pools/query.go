package pools

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"assay/events"
	"assay/projections"
)

// Shelf names a shelf: the puzzles that a rater version gave one level.
type Shelf struct {
	Genre, Variant string
	Rater, Version string
	Level          string
	Stuck          bool // the shelf of the puzzles that the rater got stuck on; other shelves have none of them
}

// Stock counts the puzzles of a shelf.
type Stock struct{ Unpublished, Published int }

// Stock counts the puzzles of the shelf.
func (s Shelf) Stock(tx *projections.Tx) (Stock, error) {
	here, err := s.counts(tx, unpublished)
	if err != nil {
		return Stock{}, err
	}
	gone, err := s.counts(tx, published)
	return Stock{here.Puzzles, gone.Puzzles}, err
}

// Unpublished returns the IDs of the puzzles that no series published, oldest first.
func (s Shelf) Unpublished(tx *projections.Tx) iter.Seq2[string, error] {
	return s.ids(tx, unpublished)
}

func (s Shelf) ids(tx *projections.Tx, p part) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for e, err := range projections.Rows[Entry](tx, s.prefix(p), s.prefix(p)) {
			if !yield(e.ID, err) {
				return
			}
		}
	}
}

// Known returns the puzzle on record that has the canonical form, or "".
func Known(tx *projections.Tx, genre, variant string, form events.Form) (id string, err error) {
	_, err = tx.Get(canonicalKey(genre, variant, form), &id)
	return id, err
}

// Get returns a puzzle and whether it is on record.
func Get(tx *projections.Tx, id string) (p Puzzle, known bool, err error) {
	known, err = tx.Get(puzzleKey(id), &p)
	return p, known, err
}

// Member is a puzzle of a pool.
type Member struct {
	ID string
	Puzzle
}

// Puzzles returns every puzzle of a genre and variant on record, sorted by ID, on a shelf or not.
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
	if f.List() != 6 {
		return f.Wrong()
	}
	p.Variant, p.First, p.Published, p.Dropped, p.Equivalent = f.Text(), events.Seq(f.Uint()), f.Bool(), f.Bool(), f.Text()
	if n := f.List(); n > 0 {
		p.Filings = make([]Filing, n)
	}
	for i := range p.Filings {
		if f.List() != 5 {
			return f.Wrong()
		}
		p.Filings[i] = Filing{Rater: f.Text(), Version: f.Text(), Level: f.Text(), Stuck: f.Bool(), Scored: f.Bool()}
	}
	return f.End()
}

// Unrated counts the puzzles of a genre and variant that a rater version has not rated.
func Unrated(tx *projections.Tx, genre, variant string, by RaterVersion) (n int, err error) {
	for m, err := range Puzzles(tx, genre, variant) {
		if err != nil {
			return n, err
		}
		if _, is := m.Filing(by.Rater, by.Version); !is {
			n++
		}
	}
	return n, nil
}

// Adoptions returns the raters that filed the pool, sorted by revision. The last one files it now.
func Adoptions(tx *projections.Tx, genre, variant string) ([]Adoption, error) {
	return projections.List[Adoption](tx, adoptionsKey(genre, variant))
}

// Pool names a pool.
type Pool struct{ Genre, Variant string }

// Used returns the pools for which a rater was adopted, or in which some rater version filed a puzzle, sorted by name.
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

// LastBlock returns the last block of candidates of a pool and generator version, and whether there is one.
func LastBlock(tx *projections.Tx, genre, variant string, generator int) (b Block, ok bool, err error) {
	ok, err = tx.Get(blockKey(genre, variant, generator), &b)
	return b, ok, err
}

// FiledBy returns the level that a rater version gave the puzzle, or "".
func (p Puzzle) FiledBy(rater, version string) string {
	level, _ := p.RatedBy(rater, version)
	return level
}

// RatedBy returns the level that a rater version gave the puzzle, or "" when it could not finish it. It reports whether
// there is such a rating; a rating that is a score does not count.
func (p Puzzle) RatedBy(rater, version string) (level string, is bool) {
	f, is := p.Filing(rater, version)
	return f.Level, is && !f.Scored
}

// Filing returns the rating of the puzzle by a rater version, and whether there is one.
func (p Puzzle) Filing(rater, version string) (f Filing, is bool) {
	for _, f := range p.Filings {
		if f.Rater == rater && f.Version == version {
			return f, true
		}
	}
	return Filing{}, false
}

// OnShelf reports whether the puzzle is on shelves: it is not equal to an earlier one, and was not dropped before it
// was published.
func (p Puzzle) OnShelf() bool { return p.part() != outside }

// shelf returns the shelf that a puzzle is filed on.
func (f Filing) shelf(genre, variant string) Shelf {
	return Shelf{Genre: genre, Variant: variant, Rater: f.Rater, Version: f.Version, Level: f.Level, Stuck: f.Stuck}
}

// RaterVersion names a rater and its version.
type RaterVersion struct{ Rater, Version string }

// Raters returns the rater versions that rated puzzles of a variant.
func Raters(tx *projections.Tx, genre, variant string) (list []RaterVersion, err error) {
	prefix := []byte("t/" + genre + "/" + variant + "/")
	for row, err := range tx.Scan(prefix) {
		if err != nil {
			return nil, err
		}
		rater, version, _ := strings.Cut(string(row.Key[len(prefix):]), "/v")
		list = append(list, RaterVersion{rater, version})
	}
	return list, nil
}

// Levels returns the levels that a rater version gave to puzzles of a variant, "" among them when it gave none.
func Levels(tx *projections.Tx, genre, variant string, v RaterVersion) (levels []string, err error) {
	prefix := []byte("n/" + raterPath(genre, variant, v.Rater, v.Version) + "/")
	for row, err := range tx.Scan(prefix) {
		if err != nil {
			return nil, err
		}
		level, _, _ := strings.Cut(string(row.Key[len(prefix):]), "/")
		if level = strings.TrimSuffix(level, stuckMark); !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels, nil
}

// Techniques returns the names of the techniques that a rater version used on puzzles of a variant, in the sequence of
// their first use. This is the order of Counts.
func Techniques(tx *projections.Tx, genre, variant string, v RaterVersion) (names []string, err error) {
	_, err = tx.Get([]byte("t/"+raterPath(genre, variant, v.Rater, v.Version)), &names)
	return names, err
}
