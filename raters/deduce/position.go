package deduce

import (
	"fmt"
	"math/bits"
	"slices"

	"assay/raters/logic"
)

// never marks a step that did not happen.
const never = ^uint16(0)

// Position is the state of a puzzle: the candidates of each variable and the values written.
type Position struct {
	mask    []uint16 // variable: candidates
	by      []uint16 // literal: number of the step that removed it, 0 for the start, or never
	wrote   []uint16 // variable: number of the step that wrote it, 0 for the start, or never
	open    int      // variables not written
	dead    int      // the first variable without a candidate, or -1
	version uint64
	trail   []change

	atOnce bool
	board  Board
	wakes  []dirtyBits // of the topology
	waking []uint32    // the same
	dirty  []uint64    // instances to look at
}

// change is a literal that was removed, or written.
type change struct {
	literal logic.Literal
	written bool
}

// Mask returns the candidates of a variable, bit n for value n.
func (p *Position) Mask(v int) uint16 { return p.mask[v] }

// Has reports whether a literal is a candidate.
func (p *Position) Has(l logic.Literal) bool { return p.mask[l>>4]>>(l&15)&1 != 0 }

// Written reports whether the variable's value is written. It is the only candidate then.
func (p *Position) Written(v int) bool { return p.wrote[v] != never }

// Value returns the value of a variable with one candidate.
func (p *Position) Value(v int) int { return bits.TrailingZeros16(p.mask[v]) }

// Open returns the number of variables not written.
func (p *Position) Open() int { return p.open }

// Board returns the genre's board.
func (p *Position) Board() Board { return p.board }

// Variables returns the number of variables.
func (p *Position) Variables() int { return len(p.mask) }

// Version changes with every change. A genre can reuse what it computed from a position as long as the version stays
// the same.
func (p *Position) Version() uint64 { return p.version }

// Start is the beginning of a puzzle. Its lengths and values must fit the Spec; else using it is an error.
type Start struct {
	Candidates []uint16 // variable: its mask
	Written    []int    // variables of one candidate that are given; where values are written at once, all are
}

// check returns an error if a start does not fit a Spec.
func (s *Start) check(spec *Spec) error {
	if len(s.Candidates) != spec.Variables {
		return fmt.Errorf("deduce: a start of %d variables, not %d", len(s.Candidates), spec.Variables)
	}
	for v, m := range s.Candidates {
		if m>>spec.Values != 0 {
			return fmt.Errorf("deduce: variable %d starts with a value beyond %d", v, spec.Values)
		}
	}
	for i, v := range s.Written {
		if v < 0 || v >= len(s.Candidates) || bits.OnesCount16(s.Candidates[v]) != 1 || slices.Contains(s.Written[:i], v) {
			return fmt.Errorf("deduce: variable %d is written at the start, and has not one candidate, or is listed twice", v)
		}
	}
	return nil
}

func (p *Position) start(s Start, values int) {
	copy(p.mask, s.Candidates)
	p.open, p.dead, p.trail = len(p.mask), -1, p.trail[:0]
	p.version++
	for v, m := range p.mask {
		p.wrote[v] = never
		for i := range values {
			p.by[v<<4|i] = never
			if m>>i&1 == 0 {
				p.by[v<<4|i] = 0
			}
		}
		if m == 0 && p.dead < 0 {
			p.dead = v
		}
		if p.atOnce && m != 0 && m&(m-1) == 0 {
			p.wrote[v] = 0
			p.open--
		}
	}
	if !p.atOnce {
		for _, v := range s.Written {
			p.wrote[v] = 0
			p.open--
		}
	}
	if p.board != nil {
		p.board.Start(p)
	}
}

// remove removes a candidate, and reports whether that writes the variable's last one.
func (p *Position) remove(l logic.Literal, number uint16) bool {
	v := int(l >> 4)
	m := p.mask[v] &^ (1 << (l & 15))
	p.mask[v], p.by[l] = m, number
	p.version++
	p.trail = append(p.trail, change{literal: l})
	if p.board != nil {
		p.board.Removed(l)
	}
	p.wake(l)
	switch {
	case m == 0:
		if p.dead < 0 || v < p.dead {
			p.dead = v
		}
	case p.atOnce && m&(m-1) == 0:
		p.write(logic.Literal(v<<4|bits.TrailingZeros16(m)), number)
		return true
	}
	return false
}

func (p *Position) write(l logic.Literal, number uint16) {
	p.wrote[l>>4] = number
	p.open--
	p.version++
	p.trail = append(p.trail, change{literal: l, written: true})
	if p.board != nil {
		p.board.Written(l, true)
	}
	if !p.atOnce {
		p.wake(l)
	}
}

func (p *Position) wake(l logic.Literal) {
	for _, w := range p.wakes[p.waking[l]:p.waking[l+1]] {
		p.dirty[w.word] |= w.bits
	}
}

// undo takes back all changes except the first few.
func (p *Position) undo(keep int) {
	for i := len(p.trail) - 1; i >= keep; i-- {
		c := p.trail[i]
		l := c.literal
		if c.written {
			p.wrote[l>>4] = never
			p.open++
			if p.board != nil {
				p.board.Written(l, false)
			}
			continue
		}
		p.mask[l>>4] |= 1 << (l & 15)
		p.by[l] = never
		if p.board != nil {
			p.board.Restored(l)
		}
	}
	p.trail = p.trail[:keep]
	p.dead = -1
	p.version++
}

// Finding is what Find concludes at an instance.
type Finding struct {
	p       *Position
	detail  []uint16
	removed []logic.Literal
	placed  logic.Literal
	places  bool
	work    uint64
}

// Remove concludes that a literal is false. A literal that is removed already is skipped, and so is a value that is
// written: Spec.Broken has to find such a contradiction.
func (f *Finding) Remove(l logic.Literal) {
	if f.p.Has(l) && !f.p.Written(l.Variable()) {
		f.removed = append(f.removed, l)
	}
}

// RemoveMask concludes that a variable has none of these values.
func (f *Finding) RemoveMask(v int, values uint16) {
	if f.p.Written(v) {
		return
	}
	for m := values & f.p.mask[v]; m != 0; m &= m - 1 {
		f.removed = append(f.removed, logic.Lit(v, bits.TrailingZeros16(m)))
	}
}

// Place concludes that a literal is true: it is written, and the other candidates of its variable are removed. If
// values are not written at once, a finding places at most one. If the literal itself is removed, its variable has no
// candidate left, which is a break.
func (f *Finding) Place(l logic.Literal) {
	v := l.Variable()
	if f.p.Written(v) {
		return
	}
	f.RemoveMask(v, ^(1 << l.Value()))
	if !f.p.atOnce && f.p.Has(l) {
		f.placed, f.places = l, true
	}
}

// Detail notes what distinguishes this finding from others of the same instance, for example the cells of a pattern.
func (f *Finding) Detail(d ...uint16) { f.detail = append(f.detail, d...) }

// Work counts work units beyond the one that each Find counts.
func (f *Finding) Work(units int) { f.work += uint64(units) }

func (f *Finding) reset() {
	f.detail, f.removed, f.places = f.detail[:0], f.removed[:0], false
}

func (f *Finding) concludes() bool { return f.places || len(f.removed) > 0 }
