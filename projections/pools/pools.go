// Package pools is the table of shelves: which puzzles a rater version files at which level, which of them are still to
// be published, how often each technique is needed, and how far each pool has been filled.
//
// A shelf has the puzzles that a rater version gave one level. Puzzles that it got stuck on have shelves of their own.
// A puzzle that is equal to an earlier one up to symmetry is on no shelf. A dropped puzzle is on no shelf either,
// unless a series has published it. Puzzles are filed under every rater version that rated them, so that another rater
// can be adopted without changing a row.
//
//	z/<puzzle>                          → Puzzle
//	c/<genre>/<variant>/<form>          → ID of the first puzzle that has it
//	<part>/<shelf>/<first seq>          → Entry, of a puzzle that is on this part of a shelf
//	n/<shelf>/<part>                    → Counts of them
//	t/<rater version>                   → names of the techniques that its ratings used, in the order in which they came up
//	a/<genre>/<variant>/<revision>      → Adoption
//	f/<genre>/<variant>/g<version>      → Block, the last one
//
// A rater version is <genre>/<variant>/<rater>/v<version>, and a shelf is <rater version>/<level>, with "!" at the end
// if it is for stuck puzzles. The level is empty for ratings without one: scores, and puzzles that were not finished.
package pools

import (
	"encoding/binary"
	"slices"
	"strconv"

	"assay/events"
	"assay/projections"
)

// Table is the projection.
var Table projections.Projection = table{}

type table struct{}

func (table) Name() string { return "pools" }
func (table) Version() int { return 3 } // version 2 had no counts, no stuck puzzles and no drops

// Puzzle is what the table records of a puzzle.
type Puzzle struct {
	_          struct{} `cbor:",toarray"`
	Variant    string
	First      events.Seq // the first event about it
	Published  bool       // some series has published it, withdrawn since or not
	Dropped    bool       // and not restored
	Equivalent string     // an earlier puzzle that is equal up to symmetry, or ""
	Filings    []Filing
}

// Filing is the rating of one rater version.
type Filing struct {
	_       struct{} `cbor:",toarray"`
	Rater   string
	Version string
	Level   string // "" when it gave none
	Stuck   bool   // no technique of the rater made progress
	Scored  bool   // the rating is a score, without a level
}

// Adoption is an Adopted with its event.
type Adoption struct {
	_       struct{} `cbor:",toarray"`
	Adopted events.Adopted
	Seq     events.Seq
}

// Block is the last block of candidates that a generator version made for a pool.
type Block struct {
	_    struct{} `cbor:",toarray"`
	Seed uint64
	Last uint64
	Kept []events.Shelved // those of the last Recent candidates, in sequence, from whichever block
}

// Recent is how many of the last candidates a Block covers in Kept.
const Recent = 256

func (table) Apply(tx *projections.Tx, e events.Event) error {
	switch b := e.Body.(type) {
	case events.Generated:
		return appear(tx, e.Seq, b.Puzzle, b.Genre, b.Variant, b.Canonical)
	case events.Imported:
		return appear(tx, e.Seq, b.Puzzle, b.Genre, b.Variant, b.Canonical)
	case events.Rated:
		return file(tx, e.Seq, b)
	case events.Published:
		return change(tx, b.Genre, b.Puzzle, func(p *Puzzle) { p.Published = true })
	case events.Dropped:
		return change(tx, b.Genre, b.Puzzle, func(p *Puzzle) { p.Dropped = true })
	case events.Restored:
		return change(tx, b.Genre, b.Puzzle, func(p *Puzzle) { p.Dropped = false })
	case events.Adopted:
		return tx.Put(adoptionKey(b.Genre, b.Variant, b.Revision), Adoption{Adopted: b, Seq: e.Seq})
	case events.Filled:
		return fill(tx, b)
	}
	return nil
}

// appear notes the first event of a puzzle, and whether the puzzle is equal to another up to symmetry.
func appear(tx *projections.Tx, seq events.Seq, id, genre, variant string, form events.Form) error {
	p := Puzzle{Variant: variant, First: seq}
	if known, err := tx.Get(puzzleKey(id), &p); known || err != nil {
		return err
	}
	if form != (events.Form{}) {
		known, err := tx.Get(canonicalKey(genre, variant, form), &p.Equivalent)
		if err != nil {
			return err
		}
		if !known {
			if err := tx.Put(canonicalKey(genre, variant, form), id); err != nil {
				return err
			}
		}
	}
	return tx.Put(puzzleKey(id), p)
}

// These outcomes of ratings matter to the table.
const (
	stuck   = "stuck"
	unrated = "unrated"
)

// file puts a puzzle on the shelf of its rating, and counts it there.
func file(tx *projections.Tx, seq events.Seq, r events.Rated) error {
	p := Puzzle{Variant: r.Variant, First: seq}
	if _, err := tx.Get(puzzleKey(r.Puzzle), &p); err != nil {
		return err
	}
	f := Filing{Rater: r.Rater, Version: r.Version, Level: r.Level, Stuck: r.Outcome == stuck, Scored: r.Level == "" && r.Outcome != unrated}
	p.Filings = append(p.Filings, f)
	if err := tx.Put(puzzleKey(r.Puzzle), p); err != nil {
		return err
	}
	s := f.shelf(r.Genre, p.Variant)
	e, err := entryOf(tx, s, r)
	if err != nil {
		return err
	}
	return s.put(tx, p.part(), p.First, e)
}

// change changes the row of a puzzle, and moves the puzzle, on every shelf, to the part where it then belongs.
func change(tx *projections.Tx, genre, id string, with func(*Puzzle)) error {
	var p Puzzle
	known, err := tx.Get(puzzleKey(id), &p)
	if err != nil || !known {
		return err
	}
	before := p.part()
	with(&p)
	if err := tx.Put(puzzleKey(id), p); err != nil || p.part() == before {
		return err
	}
	for _, f := range p.Filings {
		s := f.shelf(genre, p.Variant)
		e, err := s.take(tx, before, p.First)
		if err != nil {
			return err
		}
		if err := s.put(tx, p.part(), p.First, e); err != nil {
			return err
		}
	}
	return nil
}

func fill(tx *projections.Tx, b events.Filled) error {
	var last Block
	if _, err := tx.Get(blockKey(b.Genre, b.Variant, b.Generator), &last); err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Concat(last.Kept, b.Kept), func(s events.Shelved) bool { return s.Candidate+Recent <= b.Last })
	return tx.Put(blockKey(b.Genre, b.Variant, b.Generator), Block{Seed: b.Seed, Last: b.Last, Kept: kept})
}

// put puts a puzzle on a part of the shelf.
func (s Shelf) put(tx *projections.Tx, p part, first events.Seq, e Entry) error {
	if err := s.count(tx, p, e, 1); err != nil {
		return err
	}
	return tx.Put(s.key(p, first), e)
}

// take removes a puzzle from a part of the shelf.
func (s Shelf) take(tx *projections.Tx, p part, first events.Seq) (e Entry, err error) {
	if _, err := tx.Get(s.key(p, first), &e); err != nil {
		return e, err
	}
	if err := s.count(tx, p, e, -1); err != nil {
		return e, err
	}
	return e, tx.Delete(s.key(p, first))
}

func (s Shelf) count(tx *projections.Tx, p part, e Entry, times int) error {
	c, err := s.counts(tx, p)
	if err != nil {
		return err
	}
	c.add(e, times)
	return tx.Put(s.countsKey(p), c)
}

func puzzleKey(id string) []byte { return []byte("z/" + id) }

func canonicalKey(genre, variant string, form events.Form) []byte {
	return append([]byte("c/"+genre+"/"+variant+"/"), form[:]...)
}

func adoptionsKey(genre, variant string) []byte { return []byte("a/" + genre + "/" + variant + "/") }

func adoptionKey(genre, variant string, revision int) []byte {
	return binary.BigEndian.AppendUint32(adoptionsKey(genre, variant), uint32(revision))
}

func blockKey(genre, variant string, generator int) []byte {
	return []byte("f/" + genre + "/" + variant + "/g" + strconv.Itoa(generator))
}

// part is a part of the puzzles that a rater version gave one level.
type part string

const (
	unpublished part = "u"
	published   part = "v"
	outside     part = "x" // on no shelf
)

// onShelf are the parts of a shelf.
var onShelf = []part{unpublished, published}

// part returns the part where a puzzle belongs. A publication counts even if a drop was recorded at the same moment.
func (p Puzzle) part() part {
	switch {
	case p.Equivalent != "":
		return outside
	case p.Published:
		return published
	case p.Dropped:
		return outside
	}
	return unpublished
}

func raterPath(genre, variant, rater, version string) string {
	return genre + "/" + variant + "/" + rater + "/v" + version
}

func (s Shelf) raterPath() string { return raterPath(s.Genre, s.Variant, s.Rater, s.Version) }

// stuckMark ends the level of a shelf for stuck puzzles. No level has it.
const stuckMark = "!"

func (s Shelf) path() string {
	path := s.raterPath() + "/" + s.Level
	if s.Stuck {
		path += stuckMark
	}
	return path
}

func (s Shelf) techniquesKey() []byte { return []byte("t/" + s.raterPath()) }

func (s Shelf) countsKey(p part) []byte { return []byte("n/" + s.path() + "/" + string(p)) }

func (s Shelf) prefix(p part) []byte { return []byte(string(p) + "/" + s.path() + "/") }

func (s Shelf) key(p part, first events.Seq) []byte {
	return binary.BigEndian.AppendUint64(s.prefix(p), uint64(first))
}
