// Package parcels is a toy genre whose outline differs from puzzle to puzzle: size, regions and what a cell may hold. It
// has what a genre has, and passes the suite of all genres.
//
// A grid is divided into parcels of one to five cells. A parcel of n cells holds the digits 1 to n, and cells that touch,
// by a side or a corner, hold different digits. Canonical text: "rows columns", then a line a row: of each cell the letter
// of its parcel, in order of appearance, and its digit, "." for none.
package parcels

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

const (
	name    = "parcels"
	variant = "any"
	largest = 5 // cells of a parcel
)

// outline is a grid without digits.
type outline struct {
	rows, columns int
	of            []int   // cell: its parcel
	parcels       [][]int // their cells
	peers         [][]int // of a cell: those that touch it, and those of its parcel
}

// puzzle is an outline with digits, 0 for none.
type puzzle struct {
	*outline
	given []uint8
}

// connect notes what cells see each other, and tells whether each parcel is in one part.
func (o *outline) connect() bool {
	o.peers = make([][]int, len(o.of))
	part := permutation(nil, len(o.of)) // cell: the least cell known to be in its part
	for range largest {
		for a := range o.of {
			o.peers[a] = nil
			for b := range o.of {
				dr, dc := a/o.columns-b/o.columns, a%o.columns-b%o.columns
				if a != b && (max(dr, -dr, dc, -dc) == 1 || o.of[a] == o.of[b]) {
					o.peers[a] = append(o.peers[a], b)
				}
				if o.of[a] == o.of[b] && dr*dr+dc*dc == 1 {
					part[a] = min(part[a], part[b])
				}
			}
		}
	}
	return !slices.ContainsFunc(o.parcels, func(cells []int) bool {
		return slices.ContainsFunc(cells, func(c int) bool { return part[c] != cells[0] })
	})
}

func (p *puzzle) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d", p.rows, p.columns)
	for c, d := range p.given {
		fmt.Fprintf(&b, "%s%c%c", []string{" ", "\n"}[(p.columns-c%p.columns)/p.columns], 'a'+p.of[c], ".12345"[d])
	}
	return b.String()
}

func (p *puzzle) puzzle() raters.Puzzle {
	return raters.Puzzle{Genre: name, Variant: variant, Text: p.text()}
}

func parse(p raters.Puzzle) (*puzzle, error) {
	if p.Genre != name || p.Variant != variant {
		return nil, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s/%s", name, variant)}
	}
	wrong := func(line, column int, format string, args ...any) (*puzzle, error) {
		return nil, &raters.SyntaxError{Line: line, Column: column, Reason: fmt.Sprintf(format, args...)}
	}
	lines := strings.Split(p.Text[:min(len(p.Text), 1000)], "\n")
	q := &puzzle{outline: new(outline)}
	if n, err := fmt.Sscanf(lines[0], "%d %d", &q.rows, &q.columns); n != 2 || err != nil || min(q.rows, q.columns) < 3 || max(q.rows, q.columns) > 6 {
		return wrong(1, 1, "wanted two numbers from 3 to 6")
	}
	if len(lines) != 1+q.rows {
		return wrong(1, 1, "%d lines, not %d", len(lines)-1, q.rows)
	}
	for i, line := range lines[1:] {
		cells := strings.Split(line, " ")
		if len(cells) != q.columns {
			return wrong(2+i, 1, "%d cells, not %d", len(cells), q.columns)
		}
		for k, cell := range cells {
			if len(cell) != 2 || cell[0] < 'a' || int(cell[0]-'a') > len(q.parcels) || !strings.Contains(".12345", cell[1:]) {
				return wrong(2+i, 1+3*k, "wanted the letter of a parcel and a digit or .")
			}
			q.add(int(cell[0]-'a'), uint8(strings.Index(".12345", cell[1:])))
		}
	}
	for c, d := range q.given {
		if n := len(q.parcels[q.of[c]]); n > largest || int(d) > n {
			return wrong(2+c/q.columns, 1+3*(c%q.columns), "a digit above %d, or a parcel of more cells than %d", n, largest)
		}
	}
	if !q.connect() || q.text() != p.Text {
		return wrong(1, 1, "a parcel in parts, or blanks")
	}
	return q, nil
}

// add adds a cell.
func (p *puzzle) add(parcel int, digit uint8) {
	if parcel == len(p.parcels) {
		p.parcels = append(p.parcels, nil)
	}
	p.parcels[parcel] = append(p.parcels[parcel], len(p.of))
	p.of, p.given = append(p.of, parcel), append(p.given, digit)
}

// reader reads canonical texts.
type reader struct{}

func (reader) Read(v, text string) (raters.Puzzle, error) {
	p, err := parse(raters.Puzzle{Genre: name, Variant: v, Text: text})
	if err != nil {
		return raters.Puzzle{}, err
	}
	return p.puzzle(), nil
}

func (reader) Draw(p raters.Puzzle) (raters.Board, error) {
	q, err := parse(p)
	if err != nil {
		return raters.Board{}, err
	}
	b := raters.Board{Rows: q.rows, Columns: q.columns, Regions: q.of}
	for _, d := range q.given {
		b.Cells = append(b.Cells, raters.Cell{Text: strings.Trim(fmt.Sprint(d), "0")})
	}
	return b, nil
}

// solver tries the digits of the cell that has the fewest.
type solver struct{}

func (solver) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	q, err := parse(p)
	if err != nil {
		return raters.Solution{}, err
	}
	return q.solve(ctx)
}

func (p *puzzle) solve(ctx context.Context) (raters.Solution, error) {
	s := search{puzzle: &puzzle{p.outline, slices.Clone(p.given)}, ctx: ctx, limit: 2}
	s.visit()
	out := raters.Solution{Verdict: []raters.Verdict{raters.None, raters.Unique, raters.Multiple}[len(s.found)], Nodes: s.nodes}
	for _, full := range s.found {
		out.Solutions = append(out.Solutions, digits(full))
	}
	return out, ctx.Err()
}

func digits(full []uint8) string {
	var b strings.Builder
	for _, d := range full {
		fmt.Fprint(&b, d)
	}
	return b.String()
}

type search struct {
	*puzzle
	ctx   context.Context
	r     *seedrand.Rand // nil for digits in order
	limit int
	nodes uint64
	found [][]uint8
}

// may returns the digits of a cell that none of its peers has.
func (p *puzzle) may(cell int) (all []uint8) {
	for d := uint8(1); int(d) <= len(p.parcels[p.of[cell]]); d++ {
		if !slices.ContainsFunc(p.peers[cell], func(o int) bool { return p.given[o] == d }) {
			all = append(all, d)
		}
	}
	return all
}

func (s *search) visit() {
	if s.nodes++; s.ctx.Err() != nil {
		return
	}
	at, fewest := -1, []uint8(nil)
	for c, d := range s.given {
		may := s.may(c)
		if d > 0 && !slices.Contains(may, d) {
			return
		}
		if d == 0 && (at < 0 || len(may) < len(fewest)) {
			at, fewest = c, may
		}
	}
	if at < 0 {
		s.found = append(s.found, slices.Clone(s.given))
		return
	}
	if s.r != nil {
		s.r.Shuffle(len(fewest), func(i, j int) { fewest[i], fewest[j] = fewest[j], fewest[i] })
	}
	for _, d := range fewest {
		if s.given[at] = d; len(s.found) < s.limit {
			s.visit()
		}
		s.given[at] = 0
	}
}

// draw divides a grid at random.
func draw(r *seedrand.Rand, rows, columns int) *puzzle {
	letter := make([]int, rows*columns) // from 1
	for n, c := range permutation(r, len(letter)) {
		for left := largest - r.IntN(2); c >= 0 && letter[c] == 0 && left > 0; left-- {
			letter[c] = n + 1
			c = grown(r, letter, n+1, columns)
		}
	}
	p, seen := &puzzle{outline: &outline{rows: rows, columns: columns}}, map[int]int{}
	for _, l := range letter {
		if _, known := seen[l]; !known {
			seen[l] = len(seen)
		}
		p.add(seen[l], 0)
	}
	p.connect()
	return p
}

// grown returns a free cell beside those of a letter, or −1.
func grown(r *seedrand.Rand, letter []int, l, columns int) int {
	for _, c := range permutation(r, len(letter)) {
		for _, d := range []int{-columns, columns, -1, 1} {
			o := c + d
			if letter[c] == 0 && o >= 0 && o < len(letter) && letter[o] == l && (d*d > 1 || o/columns == c/columns) {
				return c
			}
		}
	}
	return -1
}

// permutation lists numbers in random order, or as they come.
func permutation(r *seedrand.Rand, n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	if r != nil {
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

// noFilling is the outcome of an outline that no digits fill.
const noFilling = "no filling"

// generator takes digits from a full grid for as long as it has one solution.
type generator struct{}

func (generator) Version() int { return 1 }

func (generator) Generate(ctx context.Context, r raters.Request) (out raters.Generated, err error) {
	if r.Variant != variant {
		return out, &raters.RequestError{Reason: name + " has no variant " + r.Variant}
	}
	order, err := canonical.Asked(r, name, profile.Levels())
	if err != nil {
		return out, err
	}
	out.Attempts, err = deduce.Attempts(ctx, r, 5000, func(n uint64) (string, error) {
		rnd := seedrand.New(seedrand.Sub(r.Seed, name, 0, n))
		p := draw(rnd, rnd.Between(4, 5), rnd.Between(4, 5))
		s := search{puzzle: p, ctx: ctx, r: rnd, limit: 1}
		if s.visit(); len(s.found) == 0 {
			return noFilling, ctx.Err()
		}
		p.given = s.found[0]
		nodes := p.carve(ctx, rnd)
		level, err := canonical.Grade(ctx, order, p, budget)
		outcome, err := deduce.Earned(r.Level, level, err)
		if outcome == deduce.Accepted {
			out.Puzzle, out.Solution, out.Level, out.Nodes = p.puzzle(), digits(s.found[0]), level, nodes
		}
		return outcome, err
	})
	return out, err
}

// carve takes every digit that is not needed, and returns the size of the last proof.
func (p *puzzle) carve(ctx context.Context, r *seedrand.Rand) (nodes uint64) {
	p.given = slices.Clone(p.given)
	for _, c := range permutation(r, len(p.given)) {
		d := p.given[c]
		p.given[c] = 0
		proof, _ := p.solve(ctx)
		if nodes = proof.Nodes; proof.Verdict != raters.Unique {
			p.given[c] = d
		}
	}
	return nodes
}
