// Package puzzles is the table of puzzles: each one by its ID, with the events about it, and the puzzles that a
// generator version made of a seed.
//
//	t/<id>                                       → Puzzle
//	f/<id>/<seq>                                 → Fact
//	s/<genre>/<variant>/g<version>/<seed>/<seq>  → id
package puzzles

import (
	"encoding/binary"
	"iter"
	"strconv"

	"assay/events"
	"assay/projections"
)

// Table is the projection.
var Table projections.Projection = table{}

type table struct{}

func (table) Name() string { return "puzzles" }
func (table) Version() int { return 2 } // version 1 did not note drops

// Puzzle is a puzzle on record.
type Puzzle struct {
	_        struct{} `cbor:",toarray"`
	Genre    string
	Variant  string
	Text     string
	Solution string
}

// Fact points to an event about a puzzle.
type Fact struct {
	_   struct{} `cbor:",toarray"`
	Seq events.Seq
	Key events.Key
}

func (table) Apply(tx *projections.Tx, e events.Event) error {
	switch b := e.Body.(type) {
	case events.Generated:
		if err := tx.Put(seedKey(b.Genre, b.Variant, b.Origin, e.Seq), b.Puzzle); err != nil {
			return err
		}
		return appear(tx, e, b.Puzzle, Puzzle{Genre: b.Genre, Variant: b.Variant, Text: b.Text, Solution: b.Solution})
	case events.Imported:
		return appear(tx, e, b.Puzzle, Puzzle{Genre: b.Genre, Variant: b.Variant, Text: b.Text, Solution: b.Solution})
	case events.Provenance:
		return note(tx, e, b.Puzzle)
	case events.Rated:
		return note(tx, e, b.Puzzle)
	case events.Published:
		return note(tx, e, b.Puzzle)
	case events.Withdrawn:
		return note(tx, e, b.Puzzle)
	case events.Dropped:
		return note(tx, e, b.Puzzle)
	case events.Restored:
		return note(tx, e, b.Puzzle)
	}
	return nil
}

// appear notes an event that brings a puzzle. A later event with the same ID brings the same puzzle.
func appear(tx *projections.Tx, e events.Event, id string, p Puzzle) error {
	if err := tx.Put(textKey(id), p); err != nil {
		return err
	}
	return note(tx, e, id)
}

func note(tx *projections.Tx, e events.Event, id string) error {
	return tx.Put(appendSeq(factsKey(id), e.Seq), Fact{Seq: e.Seq, Key: e.Key})
}

// Get returns a puzzle and whether it is known.
func Get(tx *projections.Tx, id string) (p Puzzle, known bool, err error) {
	known, err = tx.Get(textKey(id), &p)
	return p, known, err
}

// read reads a row, as Row.Decode does.
func (p *Puzzle) read(f *projections.Fields) error {
	if f.List() != 4 {
		return f.Wrong()
	}
	p.Genre, p.Variant, p.Text, p.Solution = f.Text(), f.Text(), f.Text(), f.Text()
	return f.End()
}

// Known is a puzzle with its ID.
type Known struct {
	ID string
	Puzzle
}

// All returns every puzzle of a genre, in order of ID.
func All(tx *projections.Tx, genre string) iter.Seq2[Known, error] {
	return func(yield func(Known, error) bool) {
		for row, err := range tx.Scan(textKey(genre + "-")) {
			var k Known
			if err == nil {
				k.ID = string(row.Key[len("t/"):])
				err = k.Puzzle.read(row.Fields())
			}
			if !yield(k, err) || err != nil {
				return
			}
		}
	}
}

// Facts returns the events about a puzzle, in log order.
func Facts(tx *projections.Tx, id string) ([]Fact, error) {
	return projections.List[Fact](tx, factsKey(id))
}

// Source says how a puzzle was recorded first.
type Source struct {
	Key    events.Key     // of the generation or the import
	Origin *events.Origin // nil for an import
	Label  string         // the level that was requested from the generator, "" for an import
}

// SourceOf finds the source of a puzzle in the keys of its events.
func SourceOf(facts []Fact) Source {
	for _, f := range facts {
		if g, ok := f.Key.Generated(); ok {
			return Source{f.Key, &g.Origin, g.Target}
		}
		if f.Key.Segments()[0] == "imported" {
			return Source{Key: f.Key}
		}
	}
	return Source{}
}

// OfSeed returns the IDs of the puzzles that a generator version made of a seed, in log order: one for each requested
// level.
func OfSeed(tx *projections.Tx, genre, variant string, o events.Origin) ([]string, error) {
	return projections.List[string](tx, seedPrefix(genre, variant, o))
}

func textKey(id string) []byte  { return []byte("t/" + id) }
func factsKey(id string) []byte { return []byte("f/" + id + "/") }

func seedKey(genre, variant string, o events.Origin, seq events.Seq) []byte {
	return appendSeq(seedPrefix(genre, variant, o), seq)
}

func seedPrefix(genre, variant string, o events.Origin) []byte {
	k := []byte("s/" + genre + "/" + variant + "/g" + strconv.Itoa(o.Version) + "/")
	return append(binary.BigEndian.AppendUint64(k, o.Seed), '/')
}

func appendSeq(key []byte, seq events.Seq) []byte {
	return binary.BigEndian.AppendUint64(key, uint64(seq))
}
