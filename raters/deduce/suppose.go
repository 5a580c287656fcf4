package deduce

import (
	"context"
	"math/bits"
	"slices"

	"assay/raters/logic"
)

// trial is the working memory of suppositions.
type trial struct {
	lengths []length // literal: how many steps its break depends on, if known
	saved   []uint64 // dirty, before
	needed  []bool   // step of the supposition: the break depends on it
	outer   []logic.Literal
}

// length is the result of following a literal to the end, for as long as no step is taken.
type length struct {
	steps uint16 // taken before, and 1; 0 for nothing known
	n     uint16 // number of steps that the break depends on, at most tooLong
}

// tooLong is the length of a supposition that does not break, or whose break depends on too many steps.
const tooLong = never

// supposeEach looks for the first literal, by variable, then value, that breaks the candidates within the trial,
// and removes it.
func (e *Engine) supposeEach(ctx context.Context, rule int, t *Trial, o *Order) outcome {
	for v, m := range e.p.mask {
		if m&(m-1) == 0 {
			continue
		}
		for ; m != 0; m &= m - 1 {
			l := logic.Lit(v, bits.TrailingZeros16(m))
			if known := e.trial.lengths[l]; t.Rounds == 0 && known.steps == e.steps+1 && int(known.n) > limit(t.Steps) {
				continue
			}
			if ctx.Err() != nil {
				return stopped
			}
			if got := e.suppose(rule, l, t, o); got != nothing {
				return got
			}
		}
	}
	return nothing
}

func limit(steps int) int {
	if steps == 0 {
		return int(tooLong) - 1
	}
	return steps
}

// suppose assumes a literal and follows it with bookkeeping and, unless the trial is limited by rounds, with the
// propagating techniques, one step at a time. If the candidates break, and the break depends on no more steps than the
// trial allows, the literal is removed, and the steps are recorded with the removal.
func (e *Engine) suppose(rule int, l logic.Literal, t *Trial, o *Order) outcome {
	number, mark, trail := e.steps+1, e.rec.mark(), len(e.p.trail)
	copy(e.trial.saved, e.p.dirty)
	e.rec.top = mark.entries
	e.rec.add(rule, int(l))
	got, n := e.follow(l, number, t, o), int(tooLong)
	if got == broke {
		n = e.trace(mark.entries+1, number, o.longest(t))
	}
	e.p.undo(trail)
	copy(e.p.dirty, e.trial.saved)
	if t.Rounds == 0 {
		e.trial.lengths[l] = length{number, uint16(n)}
	}
	if n <= limit(t.Steps) {
		e.conclude(mark.entries, l, number, n)
		return progress
	}
	e.rec.cut(mark)
	if got == stopped {
		return stopped
	}
	return nothing
}

// conclude completes the record of a supposition whose break depends on n steps, and removes the literal.
func (e *Engine) conclude(at int, l logic.Literal, number uint16, n int) {
	x := &e.rec.entries[at]
	x.inner = uint16(n + 1)
	slices.Sort(e.trial.outer)
	x.because = e.rec.keep(slices.Compact(e.trial.outer))
	x.removed.from = e.rec.end()
	e.rec.literals = append(e.rec.literals, l)
	x.removed.to, x.placed.from = e.rec.end(), e.rec.end()
	if e.p.remove(l, number) {
		e.rec.literals = append(e.rec.literals, logic.Lit(l.Variable(), e.p.Value(l.Variable())))
	}
	x.placed.to = e.rec.end()
	e.steps++
}

// follow assumes a literal and returns whether that breaks the candidates. The assumption has this number, the steps
// the numbers after it.
func (e *Engine) follow(l logic.Literal, number uint16, t *Trial, o *Order) outcome {
	v := l.Variable()
	for m := e.p.mask[v] &^ (1 << l.Value()); m != 0; m &= m - 1 {
		e.p.remove(logic.Lit(v, bits.TrailingZeros16(m)), number)
	}
	if !e.spec.AtOnce {
		e.p.write(l, number)
	}
	if got := e.test(); got != nothing {
		return got
	}
	for rounds := 1; ; rounds++ {
		got := e.followRound(number)
		if got == nothing && t.Rounds == 0 {
			got = e.propagate(number, o)
		}
		switch {
		case got != progress:
			return got
		case rounds == t.Rounds:
			return nothing
		}
	}
}

// followRound takes a round of bookkeeping within a supposition.
func (e *Engine) followRound(number uint16) outcome {
	got := e.round()
	if got != progress {
		return got
	}
	for x, more := e.pop(); more; x, more = e.pop() {
		e.takeInside(int(x.rule), int(x.instance), number)
		if broken := e.test(); broken != nothing {
			return broken
		}
	}
	return got
}

// propagate takes the first step of the first propagating technique that makes progress.
func (e *Engine) propagate(number uint16, o *Order) outcome {
	for _, index := range o.propagating {
		instance, got := e.find(e.technique(index))
		if got == progress {
			e.takeInside(e.technique(index), instance, number)
			if broken := e.test(); broken != nothing {
				return broken
			}
		}
		if got != nothing {
			return got
		}
	}
	return nothing
}

// takeInside takes a step of the supposition that has the number.
func (e *Engine) takeInside(rule, instance int, number uint16) {
	e.take(rule, instance, number+uint16(len(e.rec.entries)-e.rec.top))
}

// trace finds the recorded steps, from first on, that the break depends on, and removes all others, leaving the break
// last. It returns their number, or tooLong when they are more than most. It leaves in trial.outer the literals that
// they depend on and that were known before.
func (e *Engine) trace(first int, number uint16, most int) int {
	steps := len(e.rec.entries) - first
	e.trial.needed = slices.Grow(e.trial.needed[:0], steps)[:steps]
	clear(e.trial.needed)
	e.trial.outer = e.trial.outer[:0]
	e.rec.add(int(e.breakAt.rule), int(e.breakAt.instance)).detail = e.rec.keepDetail(e.breakOf)
	e.reasonInside(first+steps, first, number)
	n := 0
	for k := steps - 1; k >= 0; k-- {
		if !e.trial.needed[k] {
			continue
		}
		if n++; n > most {
			return int(tooLong)
		}
		e.reasonInside(first+k, first, number)
	}
	kept := first
	for k := range steps + 1 {
		if k == steps || e.trial.needed[k] {
			e.rec.entries[kept] = e.rec.entries[first+k]
			kept++
		}
	}
	e.rec.entries = e.rec.entries[:kept]
	return n
}

// reasonInside records the reasons of an entry of a supposition, and notes which of its steps they come from. What was
// known before is a reason of the supposition itself, except for the other values of its variable, which the assumption
// excludes.
func (e *Engine) reasonInside(at, first int, number uint16) {
	x, assumed := &e.rec.entries[at], logic.Literal(e.rec.entries[first-1].instance).Variable()
	reasons := e.because(e.rules[x.rule], e.claimed(x), number+uint16(at-first)+1)
	for _, r := range reasons {
		switch {
		case r.by > number:
			e.trial.needed[r.by-number-1] = true
		case r.by < number && r.literal.Variable() != assumed:
			e.trial.outer = append(e.trial.outer, r.literal)
		}
	}
	x.because = e.rec.keepReasons(reasons)
}
