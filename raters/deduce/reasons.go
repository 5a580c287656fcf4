package deduce

import (
	"math/bits"

	"assay/raters/logic"
)

// Past is the state before a step.
type Past struct {
	p   *Position
	all uint16 // values
	now uint16 // number of the step
}

// Board returns the genre's board for the clues of the puzzle. What it computed from the position is already newer.
func (p *Past) Board() Board { return p.p.board }

// Gone reports whether a literal had been removed.
func (p *Past) Gone(l logic.Literal) bool { return p.p.by[l] < p.now }

// Mask returns the candidates that a variable had.
func (p *Past) Mask(v int) uint16 {
	m := p.p.mask[v]
	for gone := p.all &^ m; gone != 0; gone &= gone - 1 {
		i := bits.TrailingZeros16(gone)
		if p.p.by[v<<4|i] >= p.now {
			m |= 1 << i
		}
	}
	return m
}

// Written reports whether the variable's value had been written; Mask is that value then.
func (p *Past) Written(v int) bool { return p.p.wrote[v] < p.now }

// AppendGone appends all literals of a variable that had been removed.
func (p *Past) AppendGone(to []logic.Literal, v int) []logic.Literal {
	for gone := p.all &^ p.Mask(v); gone != 0; gone &= gone - 1 {
		to = append(to, logic.Lit(v, bits.TrailingZeros16(gone)))
	}
	return to
}

// Facts are all that a proof may use beside the givens: literals that are removed, and values written.
type Facts struct {
	board  Board
	all    uint16
	atOnce bool
	gone   []uint16 // variable: values removed
	wrote  []uint16 // variable: value written
}

// reset forgets all facts, for puzzles of a Spec.
func (f *Facts) reset(s *Spec) {
	f.all, f.atOnce = uint16(1<<s.Values-1), s.AtOnce
	f.gone, f.wrote = room(f.gone, s.Variables), room(f.wrote, s.Variables)
	clear(f.gone)
	clear(f.wrote)
}

// Board returns the genre's board: a proof may use the clues on it, and nothing of the position.
func (f *Facts) Board() Board { return f.board }

// Left returns the values of a variable that are not removed.
func (f *Facts) Left(v int) uint16 { return f.all &^ f.gone[v] }

// Gone reports whether a literal is removed.
func (f *Facts) Gone(l logic.Literal) bool { return f.gone[l>>4]>>(l&15)&1 != 0 }

// Written returns the value of a variable that is written. If values are written at once, a value is written when the
// others are removed.
func (f *Facts) Written(v int) (value int, yes bool) {
	m := f.wrote[v]
	if f.atOnce {
		m = f.Left(v)
	}
	return bits.TrailingZeros16(m), m != 0 && m&(m-1) == 0
}

func (f *Facts) flip(l logic.Literal, written bool) {
	if written {
		f.wrote[l>>4] ^= 1 << (l & 15)
	} else {
		f.gone[l>>4] ^= 1 << (l & 15)
	}
}

// reason is a literal that a conclusion relies on.
type reason struct {
	literal logic.Literal
	written bool
	by      uint16 // number of the step that established it
}

// because lists the reasons for a rule's claim at this step number. Unneeded ones are dropped greedily, newest first,
// ties by literal. The list is valid until the next call.
func (e *Engine) because(r *Rule, c *Claim, number uint16) []reason {
	e.past.now = number
	e.scratch = r.Because(&e.past, c, e.scratch[:0])
	e.reasons = e.reasons[:0]
	for _, l := range e.scratch {
		e.establish(l, number)
	}
	if !r.Minimal {
		e.reasons = e.shrink(r, c)
	}
	return e.reasons
}

// establish adds a literal to the reasons, sorted by number, newest first, then by literal. A value that was written at
// once stands for the removal of all others.
func (e *Engine) establish(l logic.Literal, number uint16) {
	if e.p.by[l] < number {
		e.insert(reason{l, false, e.p.by[l]})
		return
	}
	v := l.Variable()
	if !e.spec.AtOnce {
		e.insert(reason{l, true, e.p.wrote[v]})
		return
	}
	for m := e.all &^ (1 << l.Value()); m != 0; m &= m - 1 {
		other := logic.Lit(v, bits.TrailingZeros16(m))
		e.insert(reason{other, false, e.p.by[other]})
	}
}

func (e *Engine) insert(r reason) {
	i := len(e.reasons)
	for i > 0 && e.reasons[i-1].after(r) {
		i--
	}
	if i > 0 && e.reasons[i-1] == r {
		return
	}
	e.reasons = append(e.reasons, reason{})
	copy(e.reasons[i+1:], e.reasons[i:])
	e.reasons[i] = r
}

// after reports whether a reason is dropped after another.
func (r reason) after(s reason) bool {
	return r.by < s.by || r.by == s.by && r.literal > s.literal
}

func (e *Engine) shrink(r *Rule, c *Claim) []reason {
	for _, x := range e.reasons {
		e.facts.flip(x.literal, x.written)
	}
	kept := e.reasons[:0]
	for _, x := range e.reasons {
		e.facts.flip(x.literal, x.written)
		if !r.Prove(&e.facts, c) {
			e.facts.flip(x.literal, x.written)
			kept = append(kept, x)
		}
	}
	for _, x := range kept {
		e.facts.flip(x.literal, x.written)
	}
	return kept
}
