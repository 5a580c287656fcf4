package kakurasu

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// GeneratorVersion is the version of the generator; HISTORY.md says what each one was.
const GeneratorVersion = 1

// maxAttempts bounds the candidates of one puzzle: so many fit into a record. The scarcest level, hard at 12×5, is
// earned by one in a thousand.
const maxAttempts = 10_000

// gradeBudget bounds the work of grading a candidate.
const gradeBudget = 1 << 20

// density is how many of a hundred cells are shaded, by the longer side. Large boards of many shaded cells have
// more than one solution.
var density = [MaxSize + 1]int{4: 50, 5: 50, 6: 50, 7: 50, 8: 40, 9: 32, 10: 25, 11: 20, 12: 16}

// Outcomes of an attempt, beside "earned" and a level.
const (
	accepted  = "accepted"
	twoFills  = "two solutions"
	tooHard   = "beyond the level"
	noVerdict = "no verdict within the budget"
)

// generator shades cells at random until the clues are a puzzle of the level. Attempt n of a seed is drawn from
// the sub-seed (seed, "kakurasu", 0, n) and from nothing else. It implements raters.Generator.
type generator struct{}

// Version gives GeneratorVersion.
func (generator) Version() int { return GeneratorVersion }

// Generate makes candidates of the seed until one has one solution and the level asked for; under a cap, or without
// a level (which is a cap of expert), until one needs no more.
func (generator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	w, err := wantedBy(r)
	if err != nil {
		return raters.Generated{}, err
	}
	b := boardOf(&w.shape)
	defer b.release()
	var out raters.Generated
	for n := 1; n <= maxAttempts; n++ {
		if err := ctx.Err(); err != nil {
			return raters.Generated{}, err
		}
		s := draw(w.shape.rows, w.shape.columns, seedrand.Sub(r.Seed, Name, 0, uint64(n)))
		b.grid = s.clued(w.shape.rows, w.shape.columns)
		a, err := w.try(ctx, b, &out)
		if err != nil {
			return raters.Generated{}, err
		}
		out.Attempts = append(out.Attempts, raters.Attempt{N: n, Outcome: a})
		if a == accepted {
			out.Puzzle, out.Solution = b.puzzle(), s.text(b.rows, b.columns)
			return out, nil
		}
	}
	return raters.Generated{}, fmt.Errorf("%d candidates without one of level %s: %w", maxAttempts, r.Level, raters.ErrBudget)
}

// wanted is a request made ready.
type wanted struct {
	shape grid
	level string // "" for any up to the order's
	order *deduce.Order
}

// try says what becomes of the candidate on the board, and notes what it earned.
func (w *wanted) try(ctx context.Context, b *board, out *raters.Generated) (string, error) {
	found, nodes, err := solver{budget: gradeBudget}.search(ctx, &b.grid)
	if err == nil && len(found) > 1 {
		return twoFills, nil
	}
	level := ""
	if err == nil {
		level, err = b.engine.Grade(ctx, w.order, b.start(nil), gradeBudget)
	}
	switch {
	case errors.Is(err, raters.ErrBudget):
		return noVerdict, nil
	case err != nil:
		return "", err
	case level == "":
		return tooHard, nil
	case w.level != "" && level != w.level:
		return "earned " + level, nil
	}
	out.Level, out.Nodes = level, nodes
	return accepted, nil
}

// draw shades cells at random.
func draw(rows, columns int, seed uint64) (s shading) {
	r := seedrand.New(seed)
	share := density[max(rows, columns)]
	for row := range rows {
		for c := range columns {
			if r.IntN(100) < share {
				s[row] |= 1 << c
			}
		}
	}
	return s
}

// offeredBy gives the levels of a size: small boards have too little room. Of 70,000 candidates and more of each size
// with a side of 4 or 5, at most 0.13 % were hard with a side of 4, and at most 1 % expert with a side of 5.
func offeredBy(rows, columns int) []string {
	all := builtIn.Levels()
	return all[:min(len(all), min(rows, columns)-2)]
}

func wantedBy(r raters.Request) (wanted, error) {
	rows, columns, err := sizeOf(r.Variant)
	if err != nil {
		return wanted{}, err
	}
	if r.Rater != "" && r.Rater != CanonicalName {
		return wanted{}, &raters.RequestError{Reason: fmt.Sprintf("%s has no rater %q; offered: %s", Name, r.Rater, CanonicalName)}
	}
	order, err := canonical.Asked(r, Name+" "+r.Variant, offeredBy(rows, columns))
	return wanted{shape: grid{rows: rows, columns: columns}, level: r.Level, order: order}, err
}
