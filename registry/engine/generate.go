package engine

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"assay/events"
	"assay/raters"
	"assay/registry/jobs"
)

// Puzzle is a generated puzzle: the object puzzle/1.
type Puzzle struct {
	Schema    string     `json:"schema"`
	ID        string     `json:"id"`
	Genre     string     `json:"genre"`
	Variant   string     `json:"variant"`
	Requested string     `json:"requested"` // a level, or "any"
	Level     string     `json:"level,omitempty"`
	Text      string     `json:"text"`
	Solution  string     `json:"solution"`
	Generator Generator  `json:"generator"`
	Attempts  int        `json:"attempts"`
	Event     events.Seq `json:"event,omitempty"` // where it is on record
}

// Generator says which generator version made a puzzle of which seed.
type Generator struct {
	Version int    `json:"version"`
	Seed    string `json:"seed"` // decimal; too large for a JSON number
}

// anyLevel is the request without a level.
const anyLevel = "any"

// Made is a generated puzzle, or the error why there is none.
type Made struct {
	Variant raters.Variant
	Rater   raters.Rater // whose levels are requested
	Request raters.Request
	Grown
	liars int // how many were known when it was requested
}

// Puzzle describes the puzzle.
func (m Made) Puzzle() Puzzle {
	return Puzzle{
		Schema: "puzzle/1", ID: m.Made.Puzzle.ID(), Genre: m.Variant.Genre, Variant: m.Variant.Name,
		Requested: Requested(m.Request), Level: m.Made.Level, Text: m.Made.Puzzle.Text, Solution: m.Made.Solution,
		Generator: Generator{Version: m.Variant.Generator.Version(), Seed: strconv.FormatUint(m.Request.Seed, 10)},
		Attempts:  len(m.Made.Attempts),
	}
}

// generateAhead is how many puzzles are generated at the same time.
const generateAhead = 64

// DoOne lets a crew generate one puzzle.
func DoOne(ctx context.Context, crew jobs.Crew, work jobs.Work[raters.Request, Grown], req raters.Request) Grown {
	made, err := jobs.Do(ctx, crew, work, req)
	if err != nil {
		return Grown{Err: err}
	}
	return made[0]
}

// GenerateEach lets a crew generate a puzzle of each of count consecutive seeds, beginning with that of the request,
// and yields them in order. The requested level is one of the rater, which may have a profile of its own. It records
// nothing.
func GenerateEach(ctx context.Context, crew jobs.Crew, genres []raters.Genre, v raters.Variant, rater raters.Rater, req raters.Request, count int) (iter.Seq[Made], error) {
	e := Of(v, rater)
	e.Generator = v.Generator.Version()
	work, err := Candidates(genres).Under(e)
	if err != nil {
		return nil, err
	}
	asked := 0
	next := func() (raters.Request, bool) {
		r := req
		r.Seed += uint64(asked)
		asked++
		return r, asked <= count
	}
	from := func(ctx context.Context, crew jobs.Crew, req raters.Request) Made {
		m := Made{Variant: v, Rater: rater, Request: req, liars: len(crew.Liars(ctx))}
		m.Grown = DoOne(ctx, crew, work, req)
		return m
	}
	one := func(ctx context.Context, req raters.Request) Made { return from(ctx, crew, req) }
	return func(yield func(Made) bool) {
		for m := range jobs.Feedback(ctx, crew, generateAhead, next, one) {
			if len(crew.Liars(ctx)) != m.liars { // the result may come from a worker that was caught since
				m = from(ctx, jobs.Local{}, m.Request)
			}
			if !yield(m) {
				return
			}
		}
	}, nil
}

// capped begins a recorded request with a cap.
const capped = "cap-"

// Requested writes a request as text: a level, "any", or "cap-<level>".
func Requested(req raters.Request) string {
	switch {
	case req.Cap != "":
		return capped + req.Cap
	case req.Level != "":
		return req.Level
	}
	return anyLevel
}

// AsRequested reads a request from its recorded text.
func AsRequested(req raters.Request, text string) raters.Request {
	if level, ok := strings.CutPrefix(text, capped); ok {
		req.Cap = level
	} else if text != anyLevel {
		req.Level = text
	}
	return req
}
