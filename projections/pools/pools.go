// Package pools is the table of shelves: which puzzles a rater version files at which level, which of them
// are still to be published, and how far each pool has been filled.
//
// Puzzles are filed under every rater version that rated them, so that another one can be adopted without
// touching a row. A puzzle that is the same as an earlier one up to symmetry stays outside the shelves.
//
//	z/<puzzle>                                                   → Puzzle
//	c/<genre>/<variant>/<form>                                   → ID of the first puzzle that has it
//	u/<genre>/<variant>/<rater>/v<version>/<level>/<first seq>   → ID, of a puzzle never published
//	v/<genre>/<variant>/<rater>/v<version>/<level>/<first seq>   → ID, of a published puzzle
//	n/<genre>/<variant>/<rater>/v<version>/<level>               → Stock
//	a/<genre>/<variant>/<revision>                               → Adoption
//	f/<genre>/<variant>/g<version>                               → Block, the last one
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
func (table) Version() int { return 2 } // 1 did not say which puzzles a rater could not finish

// Puzzle is what the table knows of a puzzle.
type Puzzle struct {
	_          struct{} `cbor:",toarray"`
	Variant    string
	First      events.Seq // the first event that tells of it
	Published  bool       // once, by any series, whether it stands or was withdrawn
	Equivalent string     // an earlier puzzle that is the same up to symmetry, or ""
	Filings    []Filing
}

// Filing is the level that a rater version gave.
type Filing struct {
	_       struct{} `cbor:",toarray"`
	Rater   string
	Version string
	Level   string // "" when it could not finish the puzzle
}

// Stock counts the puzzles of a shelf.
type Stock struct {
	_           struct{} `cbor:",toarray"`
	Unpublished int
	Published   int
}

// Adoption is an Adopted and the event that put it on record.
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
	Kept []events.Shelved // those of the last Recent candidates, in order, whichever block they were in
}

// Recent is how many candidates back a Block tells what was kept.
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
		return publish(tx, b)
	case events.Adopted:
		return tx.Put(adoptionKey(b.Genre, b.Variant, b.Revision), Adoption{Adopted: b, Seq: e.Seq})
	case events.Filled:
		return fill(tx, b)
	}
	return nil
}

// appear notes the first event of a puzzle, and whether it is the same as another up to symmetry.
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

// unrated is the outcome of a rating of a puzzle that the rater could not finish.
const unrated = "unrated"

// file puts a puzzle on the shelf of its rating, and notes that a rater could not finish it. A score files nothing.
func file(tx *projections.Tx, seq events.Seq, r events.Rated) error {
	if r.Level == "" && r.Outcome != unrated {
		return nil // a score
	}
	p := Puzzle{Variant: r.Variant, First: seq}
	if _, err := tx.Get(puzzleKey(r.Puzzle), &p); err != nil {
		return err
	}
	p.Filings = append(p.Filings, Filing{Rater: r.Rater, Version: r.Version, Level: r.Level})
	if err := tx.Put(puzzleKey(r.Puzzle), p); err != nil || p.Equivalent != "" || r.Level == "" {
		return err
	}
	shelf := Shelf{Genre: r.Genre, Variant: r.Variant, Rater: r.Rater, Version: r.Version, Level: r.Level}
	return shelf.put(tx, p, r.Puzzle)
}

func fill(tx *projections.Tx, b events.Filled) error {
	var last Block
	if _, err := tx.Get(blockKey(b.Genre, b.Variant, b.Generator), &last); err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Concat(last.Kept, b.Kept), func(s events.Shelved) bool { return s.Candidate+Recent <= b.Last })
	return tx.Put(blockKey(b.Genre, b.Variant, b.Generator), Block{Seed: b.Seed, Last: b.Last, Kept: kept})
}

func (s Shelf) put(tx *projections.Tx, p Puzzle, id string) error {
	stock, err := s.Stock(tx)
	if err != nil {
		return err
	}
	kind := unpublished
	if p.Published {
		kind = published
		stock.Published++
	} else {
		stock.Unpublished++
	}
	if err := tx.Put(s.key(kind, p.First), id); err != nil {
		return err
	}
	return tx.Put(s.stockKey(), stock)
}

// publish moves a puzzle, on every shelf that holds it, to those that were published.
func publish(tx *projections.Tx, b events.Published) error {
	var p Puzzle
	known, err := tx.Get(puzzleKey(b.Puzzle), &p)
	if err != nil || !known || p.Published {
		return err
	}
	p.Published = true
	if err := tx.Put(puzzleKey(b.Puzzle), p); err != nil || p.Equivalent != "" {
		return err
	}
	for _, f := range p.Filings {
		if f.Level == "" {
			continue
		}
		shelf := Shelf{Genre: b.Genre, Variant: b.Variant, Rater: f.Rater, Version: f.Version, Level: f.Level}
		if err := shelf.take(tx, p.First, b.Puzzle); err != nil {
			return err
		}
	}
	return nil
}

func (s Shelf) take(tx *projections.Tx, first events.Seq, id string) error {
	stock, err := s.Stock(tx)
	if err != nil {
		return err
	}
	stock.Unpublished--
	stock.Published++
	if err := tx.Delete(s.key(unpublished, first)); err != nil {
		return err
	}
	if err := tx.Put(s.key(published, first), id); err != nil {
		return err
	}
	return tx.Put(s.stockKey(), stock)
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

// The kinds of rows that a shelf has.
const (
	unpublished = "u/"
	published   = "v/"
)

func (s Shelf) path() string {
	return s.Genre + "/" + s.Variant + "/" + s.Rater + "/v" + s.Version + "/" + s.Level
}

func (s Shelf) stockKey() []byte { return []byte("n/" + s.path()) }

func (s Shelf) key(kind string, first events.Seq) []byte {
	return binary.BigEndian.AppendUint64(s.prefix(kind), uint64(first))
}

func (s Shelf) prefix(kind string) []byte { return []byte(kind + s.path() + "/") }
