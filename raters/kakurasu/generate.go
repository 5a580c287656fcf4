package kakurasu

import (
	"context"

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

// twoFills is the outcome of an attempt that more than one shading solves.
const twoFills = "two solutions"

// generator shades cells at random until the clues are a puzzle of the level. Attempt n of a seed is drawn from
// the sub-seed (seed, "kakurasu", 0, n) and from nothing else. It implements raters.Generator.
type generator struct{}

// Version returns GeneratorVersion.
func (generator) Version() int { return GeneratorVersion }

// Generate tries candidates of the seed until one has one solution and the requested level. Under a cap, or without a
// level (which is a cap of expert), it tries until one needs no more.
func (generator) Generate(ctx context.Context, r raters.Request) (out raters.Generated, err error) {
	rows, columns, err := sizeOf(r.Variant)
	if err != nil {
		return out, err
	}
	order, err := canonical.Asked(r, Name+" "+r.Variant, offeredBy(rows, columns))
	if err != nil {
		return out, err
	}
	out.Attempts, err = deduce.Attempts(ctx, r, maxAttempts, func(n uint64) (string, error) {
		s := draw(rows, columns, seedrand.Sub(r.Seed, Name, 0, n))
		g := s.clued(rows, columns)
		found, nodes, err := solver{budget: gradeBudget}.search(ctx, &g)
		if err == nil && len(found) > 1 {
			return twoFills, nil
		}
		level := ""
		if err == nil {
			level, err = canonical.Grade(ctx, order, &g, gradeBudget)
		}
		outcome, err := deduce.Earned(r.Level, level, err)
		if outcome == deduce.Accepted {
			out.Puzzle, out.Solution, out.Level, out.Nodes = g.puzzle(), s.text(rows, columns), level, nodes
		}
		return outcome, err
	})
	return out, err
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

// offeredBy returns the levels of a size, because small boards have too little room. Among at least 70,000 candidates
// of each size with a side of 4 or 5, at most 0.13 % were hard with a side of 4, and at most 1 % expert with a side of
// 5.
func offeredBy(rows, columns int) []string {
	all := builtIn.Levels()
	return all[:min(len(all), min(rows, columns)-2)]
}
