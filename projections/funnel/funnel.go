// Package funnel is the table of what became of candidates: how many a generator version made for which request, and
// how they ended.
//
//	n/<genre>/<variant>/g<version>/<requested>/<earned>/<outcome>  → count
package funnel

import (
	"strconv"
	"strings"

	"assay/events"
	"assay/projections"
)

// Table is the projection.
var Table projections.Projection = table{}

type table struct{}

func (table) Name() string { return "funnel" }
func (table) Version() int { return 1 }

// Line counts the candidates with the same generator, request, level and outcome.
type Line struct {
	_         struct{} `cbor:",toarray"`
	Generator int      `json:"generator"`        // version
	Requested string   `json:"requested"`        // a level, "any", or "cap-<level>"
	Earned    string   `json:"earned,omitempty"` // "" when the candidate earned none, or the record does not say
	Outcome   string   `json:"outcome"`          // "kept" or "accepted", or why it was dropped
	Count     int      `json:"count"`
}

// capped begins the request of a candidate that was made for a shelf. Filled counts such candidates block by block.
const capped = "cap-"

func (table) Apply(tx *projections.Tx, e events.Event) error {
	var lines []Line
	var genre, variant string
	switch b := e.Body.(type) {
	case events.Filled:
		genre, variant = b.Genre, b.Variant
		for _, f := range b.Counts {
			lines = append(lines, Line{Generator: b.Generator, Requested: capped + f.Cap, Earned: f.Earned, Outcome: f.Outcome, Count: f.Count})
		}
	case events.Generated:
		genre, variant, lines = b.Genre, b.Variant, attempts(b)
	}
	for _, l := range lines {
		if err := count(tx, genre, variant, l); err != nil {
			return err
		}
	}
	return nil
}

// attempts counts the candidates of a puzzle that was requested by level, by their outcome.
func attempts(b events.Generated) []Line {
	if strings.HasPrefix(b.Requested, capped) {
		return nil
	}
	var lines []Line
	for i, a := range b.Attempts {
		l := Line{Generator: b.Origin.Version, Requested: b.Requested, Outcome: a.Outcome, Count: 1}
		if i == len(b.Attempts)-1 {
			l.Earned = b.Level
		}
		lines = add(lines, l)
	}
	return lines
}

func add(lines []Line, l Line) []Line {
	for i := range lines {
		if lines[i].Outcome == l.Outcome && lines[i].Earned == l.Earned {
			lines[i].Count += l.Count
			return lines
		}
	}
	return append(lines, l)
}

func count(tx *projections.Tx, genre, variant string, l Line) error {
	key := append(prefix(genre, variant), "g"+strconv.Itoa(l.Generator)+"/"+l.Requested+"/"+l.Earned+"/"+l.Outcome...)
	before := Line{}
	if _, err := tx.Get(key, &before); err != nil {
		return err
	}
	l.Count += before.Count
	return tx.Put(key, l)
}

// Lines returns the funnel of a genre and variant, sorted by generator version, request, level earned and outcome.
func Lines(tx *projections.Tx, genre, variant string) ([]Line, error) {
	return projections.List[Line](tx, prefix(genre, variant))
}

func prefix(genre, variant string) []byte { return []byte("n/" + genre + "/" + variant + "/") }
