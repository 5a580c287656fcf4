package parcels

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

const budget = 1 << 22

var profile = raters.Profile{Rater: "parcels.canonical", Version: 1, Techniques: []logic.Technique{
	{Name: "only-place", Level: "easy"}, {Name: "common-sight", Level: "medium"}, {Name: "chain-20", Level: "hard"},
}}

var canonical = deduce.NewRater(&deduce.Genre[*puzzle]{
	Read: parse,
	Prove: func(ctx context.Context, p *puzzle) error {
		return deduce.Proven(p.solve(ctx))
	},
	Topology: func(p *puzzle) *deduce.Topology { return p.topology() },
	Board:    func() deduce.Board { return new(board) },
	Start:    start,
	Marks:    (*puzzle).marks,
	Clues:    func(p *puzzle) int { return len(p.given) - strings.Count(digits(p.given), "0") },
	Budget:   budget,
}, new(outline).techniques(), profile)

// board counts the places of each digit in each parcel.
type board struct {
	*outline
	left [][largest]int
}

func start(on deduce.Board, p *puzzle, s *deduce.Start) {
	on.(*board).outline = p.outline
	for c, d := range p.given {
		s.Candidates[c] = 1<<len(p.parcels[p.of[c]]) - 1
		if d > 0 {
			s.Candidates[c] = 1 << (d - 1)
		}
	}
}

// marks reads a board: the puzzle with more digits.
func (p *puzzle) marks(text string) (gone []logic.Literal, err error) {
	q, err := parse(raters.Puzzle{Genre: name, Variant: variant, Text: text})
	if err != nil {
		return nil, err
	}
	for c, d := range q.given {
		for other := range len(p.parcels[p.of[c]]) {
			if d > 0 && p.given[c] == 0 && other != int(d-1) {
				gone = append(gone, logic.Lit(c, other))
			}
		}
	}
	return gone, nil
}

func (b *board) Start(p *deduce.Position) {
	b.left = make([][largest]int, len(b.parcels))
	for c := range b.of {
		for m := p.Mask(c); m != 0; m &= m - 1 {
			b.left[b.of[c]][bits.TrailingZeros16(m)]++
		}
	}
}
func (b *board) Removed(l logic.Literal)     { b.left[b.of[l.Variable()]][l.Value()]-- }
func (b *board) Restored(l logic.Literal)    { b.left[b.of[l.Variable()]][l.Value()]++ }
func (b *board) Written(logic.Literal, bool) {}

func (o *outline) topology() *deduce.Topology {
	most := 0
	for _, cells := range o.parcels {
		most = max(most, len(cells))
	}
	return deduce.NewTopology(deduce.Spec{
		Variables: len(o.of), Values: most, AtOnce: true,
		Bookkeeping: []deduce.Rule{o.cellRule("seen", o.findSeen, o.proveSeen)},
		Techniques:  o.techniques(),
		Broken:      []deduce.Rule{o.cellRule("equal-peers", o.findEqual, o.proveEqual), o.digitRule("no-place", o.findNone, o.proveNone)},
		Naming:      logic.Naming{Columns: o.columns, Values: []string{"1", "2", "3", "4", "5"}[:most]},
	})
}

func (o *outline) techniques() []deduce.Technique {
	return []deduce.Technique{
		{Rule: o.digitRule("only-place", o.findOnly, o.proveOnly), Propagates: true},
		{Rule: o.digitRule("common-sight", o.findCommon, o.proveCommon)},
		{Rule: deduce.Rule{Name: "chain-20"}, Suppose: &deduce.Trial{Steps: 20}},
	}
}

type (
	finder = func(*deduce.Position, int, *deduce.Finding) bool
	prover = func(*deduce.Facts, *deduce.Claim) bool
)

// cellRule has an instance for each cell: what follows from its digit. The detail is another cell.
func (o *outline) cellRule(name string, find finder, prove prover) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: len(o.of), Find: find, Prove: prove,
		Where: func(c int, _ []uint16) string { return logic.Naming{Columns: o.columns}.Variable(c) },
		At:    func(c int) logic.Literal { return logic.Lit(c, 0) },
		Wakes: func(l logic.Literal, to []int) []int {
			return append(append(to, l.Variable()), o.peers[l.Variable()]...)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for _, other := range c.Detail {
				to = p.AppendGone(to, int(other))
			}
			return p.AppendGone(to, c.Instance)
		},
	}
}

func (o *outline) findSeen(p *deduce.Position, c int, f *deduce.Finding) bool {
	for _, other := range o.peers[c] {
		if p.Written(c) {
			f.Remove(logic.Lit(other, p.Value(c)))
		}
	}
	return true
}

func (o *outline) proveSeen(f *deduce.Facts, c *deduce.Claim) bool {
	d, written := f.Written(c.Instance)
	return written && !slices.ContainsFunc(c.Removed, func(l logic.Literal) bool {
		return l.Value() != d || !slices.Contains(o.peers[c.Instance], l.Variable())
	})
}

func (o *outline) findEqual(p *deduce.Position, c int, f *deduce.Finding) bool {
	at := slices.IndexFunc(o.peers[c], func(other int) bool {
		return p.Written(c) && p.Written(other) && p.Value(c) == p.Value(other)
	})
	if at >= 0 {
		f.Detail(uint16(o.peers[c][at]))
	}
	return at >= 0
}

func (o *outline) proveEqual(f *deduce.Facts, c *deduce.Claim) bool {
	d, written := f.Written(c.Instance)
	e, other := f.Written(int(c.Detail[0]))
	return written && other && d == e && slices.Contains(o.peers[c.Instance], int(c.Detail[0]))
}

// digitRule has an instance for each parcel and digit: what follows from its places there.
func (o *outline) digitRule(name string, find finder, prove prover) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: largest * len(o.parcels), Find: find, Prove: prove,
		Where: func(i int, _ []uint16) string { return fmt.Sprintf("%d in parcel %c", i%largest+1, 'a'+i/largest) },
		Wakes: func(l logic.Literal, to []int) []int { return append(to, o.of[l.Variable()]*largest+l.Value()) },
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for _, cell := range o.parcels[c.Instance/largest] {
				if l := logic.Lit(cell, c.Instance%largest); p.Gone(l) {
					to = append(to, l)
				}
			}
			return to
		},
	}
}

// places returns the cells of a parcel where a digit is left.
func (o *outline) places(i int, gone func(logic.Literal) bool) (cells []int) {
	for _, c := range o.parcels[i/largest] {
		if i%largest < len(o.parcels[i/largest]) && !gone(logic.Lit(c, i%largest)) {
			cells = append(cells, c)
		}
	}
	return cells
}

func (o *outline) placesAt(p *deduce.Position, i int) []int {
	return o.places(i, func(l logic.Literal) bool { return !p.Has(l) })
}

func (o *outline) findNone(p *deduce.Position, i int, _ *deduce.Finding) bool {
	return i%largest < len(o.parcels[i/largest]) && p.Board().(*board).left[i/largest][i%largest] == 0
}

func (o *outline) proveNone(f *deduce.Facts, c *deduce.Claim) bool {
	return c.Instance%largest < len(o.parcels[c.Instance/largest]) && len(o.places(c.Instance, f.Gone)) == 0
}

func (o *outline) findOnly(p *deduce.Position, i int, f *deduce.Finding) bool {
	if p.Board().(*board).left[i/largest][i%largest] != 1 {
		return false
	}
	f.Place(logic.Lit(o.placesAt(p, i)[0], i%largest))
	return true
}

func (o *outline) proveOnly(f *deduce.Facts, c *deduce.Claim) bool {
	places := o.places(c.Instance, f.Gone)
	return len(places) == 1 && !slices.ContainsFunc(c.Removed, func(l logic.Literal) bool {
		return l.Variable() != places[0] || l.Value() == c.Instance%largest
	})
}

// seesAll reports whether a cell outside of a parcel sees all these places in it.
func (o *outline) seesAll(cell int, places []int) bool {
	return len(places) > 0 && o.of[cell] != o.of[places[0]] && !slices.ContainsFunc(places, func(c int) bool {
		return !slices.Contains(o.peers[cell], c)
	})
}

func (o *outline) findCommon(p *deduce.Position, i int, f *deduce.Finding) bool {
	places := o.placesAt(p, i)
	for c := range o.of {
		if o.seesAll(c, places) {
			f.Remove(logic.Lit(c, i%largest))
		}
	}
	return true
}

func (o *outline) proveCommon(f *deduce.Facts, c *deduce.Claim) bool {
	places := o.places(c.Instance, f.Gone)
	return !slices.ContainsFunc(c.Removed, func(l logic.Literal) bool {
		return l.Value() != c.Instance%largest || !o.seesAll(l.Variable(), places)
	})
}
