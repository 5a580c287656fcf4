package registry

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/events"
	"assay/events/plain"
	"assay/projections/puzzles"
	"assay/registry/batch"
	"assay/registry/public"
)

// Along is what came along with a puzzle that is imported, in the words of whoever brought it.
type Along struct{ Name, Author, Source, Rating string }

// Provenance tells what came along with a puzzle, and when. It is no rating of this registry.
type Provenance struct {
	File   string     `json:"file,omitempty"`
	Name   string     `json:"name,omitempty"`
	Author string     `json:"author,omitempty"`
	Source string     `json:"source,omitempty"`
	Rating string     `json:"foreign_rating,omitempty"` // of another program or site
	Time   string     `json:"time"`
	Actor  string     `json:"actor"`
	Event  events.Seq `json:"event"`
}

func recordedProvenance(e events.Event, b events.Provenance) Provenance {
	return Provenance{
		File: b.File, Name: b.Name, Author: b.Author, Source: b.Source, Rating: b.Rating, Time: stamp(e.Time), Actor: e.Actor, Event: e.Seq,
	}
}

// Line tells what came along.
func (p Provenance) Line() public.Line {
	var said []string
	for _, part := range [...][2]string{{"name", p.Name}, {"author", p.Author}, {"source", p.Source}, {"rated elsewhere", p.Rating}} {
		if part[1] != "" {
			said = append(said, part[0]+" "+part[1])
		}
	}
	text := strings.Join(said, ", ")
	if p.File != "" {
		text += "; from " + p.File
	}
	return public.Line{Name: "Came along", Text: text, Event: p.Event}
}

// provenance returns the fact of what came along with the puzzle at a place of the request; not ok when nothing did.
func (req ImportRequest) provenance(at int, id string) (f fact, ok bool) {
	if at >= len(req.Along) || req.Along[at] == (Along{}) {
		return fact{}, false
	}
	a := req.Along[at]
	b := events.Provenance{
		Puzzle: id, File: req.Source, Name: fit(a.Name), Author: fit(a.Author), Source: fit(a.Source), Rating: fit(a.Rating),
	}
	return fact{key: b.Key(), body: b}, true
}

// fit makes a text of others fit to be recorded: what controls a terminal is written out, and what is too long is cut off.
func fit(text string) string {
	text = plain.Escape(text)
	for n := min(len(text), events.FreeText); ; n-- {
		if n == len(text) || utf8.RuneStart(text[n]) {
			return strings.TrimSpace(text[:n])
		}
	}
}

// addProvenance records what came along with puzzles that are on record, unless that is on record as well.
func (r *Registry) addProvenance(ctx context.Context, req ImportRequest, results []Imported) error {
	facts := batch.Of[fact]{Most: events.MaxBatch, Bytes: batch.Bytes, Size: sizeOf, Append: func(list []fact) error {
		_, err := r.record(ctx, req.Actor, list...)
		return err
	}}
	seen := map[events.Key]bool{}
	for i, result := range results {
		f, ok := req.provenance(i, result.ID)
		if !ok || result.Status == Refused || seen[f.key] {
			continue
		}
		seen[f.key] = true
		known, err := r.facts(result.ID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(known, func(k puzzles.Fact) bool { return k.Key == f.key }) {
			continue
		}
		f.cause = puzzles.SourceOf(known).Key
		if err := facts.Add(f); err != nil {
			return err
		}
	}
	return facts.Flush()
}
