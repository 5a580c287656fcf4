package deduce

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"assay/raters"
	"assay/raters/logic"
)

// BrokenError means that the candidates of a position can no longer satisfy a rule.
type BrokenError struct {
	Rule     string // its name
	Instance string // where it is broken
}

func (e *BrokenError) Error() string { return fmt.Sprintf("broken: %s, %s", e.Rule, e.Instance) }

// outcome is the result of looking for a step, or of taking it.
type outcome uint8

const (
	nothing  outcome = iota // nothing follows
	progress                // something follows, or a step was taken
	broke                   // the position can no longer satisfy a rule, which Engine.breakAt names
	stopped                 // the work ran out, or the context ended
)

// err returns why a solve ended early; nil when it did not.
func (e *Engine) err(ctx context.Context, got outcome) error {
	switch {
	case got == broke:
		r := e.rules[e.breakAt.rule]
		return &BrokenError{Rule: r.Name, Instance: r.Where(int(e.breakAt.instance), e.breakOf)}
	case got == stopped && e.exhausted():
		return raters.ErrBudget
	case got == stopped:
		return ctx.Err()
	}
	return nil
}

// exhausted reports whether the work is above the budget.
func (e *Engine) exhausted() bool { return e.work+e.found.work > e.budget }

// solve is the canonical loop (L14): bookkeeping to a fixed point, then the first step of the first technique of
// the order that makes progress, until every variable is written or no technique applies.
func (e *Engine) solve(ctx context.Context, o *Order) error {
	got := progress
	for got == progress {
		got = e.advance(ctx, o)
	}
	return e.err(ctx, got)
}

// advance tests the position, does its bookkeeping and takes the next step of the techniques, if there is one.
func (e *Engine) advance(ctx context.Context, o *Order) outcome {
	if got := e.test(); got != nothing || e.p.open == 0 {
		return got
	}
	if got := e.bookkeep(ctx); got != nothing || e.p.open == 0 {
		return got
	}
	return e.next(ctx, o)
}

// bookkeep goes through rounds of bookkeeping until nothing follows.
func (e *Engine) bookkeep(ctx context.Context) outcome {
	got := e.round()
	for ; got == progress; got = e.round() {
		for x, more := e.pop(); more; x, more = e.pop() {
			e.step(int(x.rule), int(x.instance))
			if got := e.test(); got != nothing {
				return got
			}
		}
	}
	if ctx.Err() != nil {
		return stopped
	}
	return got
}

// next takes the first step of the first technique that makes progress.
func (e *Engine) next(ctx context.Context, o *Order) outcome {
	for i := range o.list {
		t := &o.list[i]
		rule, got := e.technique(t.index), nothing
		if trial := e.spec.Techniques[t.index].Suppose; trial != nil {
			got = e.supposeEach(ctx, rule, trial, o)
		} else {
			var instance int
			if instance, got = e.find(rule); got == progress {
				e.step(rule, instance)
			}
		}
		if got == progress {
			e.count(t)
		}
		if got != nothing {
			return got
		}
	}
	return nothing
}

// find looks at the woken instances of a technique, lowest first, for one that makes progress.
func (e *Engine) find(rule int) (instance int, got outcome) {
	r, g := e.rules[rule], e.groups[rule]
	if e.Rescan {
		e.wakeAll(g, r.Instances)
	}
	dirty := e.p.dirty[g.first:g.last]
	for w := range dirty {
		for ; dirty[w] != 0; dirty[w] &= dirty[w] - 1 {
			i := 64*w + bits.TrailingZeros64(dirty[w])
			if got := e.look(r, i); got == stopped || got == progress && e.found.concludes() {
				return i, got
			}
		}
	}
	return 0, nothing
}

// look runs Find and counts its work.
func (e *Engine) look(r *Rule, instance int) outcome {
	if e.work++; e.exhausted() {
		return stopped
	}
	e.found.reset()
	if r.Find(&e.p, instance, &e.found) {
		return progress
	}
	return nothing
}

// test looks whether the position is broken: first by a variable without candidates, then by the rules of
// Spec.Broken in their order. It is called after the start, after an assumption and after every step, so that
// only what the last change woke is looked at.
func (e *Engine) test() outcome {
	if e.p.dead >= 0 {
		e.breakAt, e.breakOf = slot{uint16(e.noCandidate()), uint16(e.p.dead)}, nil
		return broke
	}
	for rule := e.broken(0); rule < e.noCandidate(); rule++ {
		if got := e.testRule(rule); got != nothing {
			return got
		}
	}
	return nothing
}

func (e *Engine) testRule(rule int) outcome {
	r, g := e.rules[rule], e.groups[rule]
	if e.Rescan {
		e.wakeAll(g, r.Instances)
	}
	dirty := e.p.dirty[g.first:g.last]
	for w := range dirty {
		for ; dirty[w] != 0; dirty[w] &= dirty[w] - 1 {
			i := 64*w + bits.TrailingZeros64(dirty[w])
			switch e.look(r, i) {
			case progress:
				e.breakAt, e.breakOf = slot{uint16(rule), uint16(i)}, e.found.detail
				return broke
			case stopped:
				return stopped
			}
		}
	}
	return nothing
}

// batch is a round of bookkeeping: everything that follows from one position.
type batch struct {
	items   []batchItem
	removed []logic.Literal
	detail  []uint16
	taken   struct{ items, removed, detail int }
}

type batchItem struct {
	slot
	removed, detail int // how many
	placed          logic.Literal
	places          bool
}

// round collects the next round of bookkeeping, in order.
func (e *Engine) round() outcome {
	b := &e.batch
	b.items, b.removed, b.detail = b.items[:0], b.removed[:0], b.detail[:0]
	b.taken.items, b.taken.removed, b.taken.detail = 0, 0, 0
	all := group{0, (len(e.book) + 63) / 64}
	if e.Rescan {
		e.wakeAll(all, len(e.book))
	}
	dirty := e.p.dirty[:all.last]
	for w := range dirty {
		for ; dirty[w] != 0; dirty[w] &= dirty[w] - 1 {
			x := e.book[64*w+bits.TrailingZeros64(dirty[w])]
			got := e.look(e.rules[x.rule], int(x.instance))
			if got == stopped {
				return stopped
			}
			if f := &e.found; got == progress && f.concludes() {
				b.items = append(b.items, batchItem{x, len(f.removed), len(f.detail), f.placed, f.places})
				b.removed, b.detail = append(b.removed, f.removed...), append(b.detail, f.detail...)
			}
		}
	}
	if len(b.items) > 0 {
		return progress
	}
	return nothing
}

// pop makes the next conclusion of the round the finding. It skips literals that an earlier conclusion of the round
// removed.
func (e *Engine) pop() (at slot, more bool) {
	b, f := &e.batch, &e.found
	for b.taken.items < len(b.items) {
		x, removed, detail := &b.items[b.taken.items], b.removed[b.taken.removed:], b.detail[b.taken.detail:]
		f.reset()
		for _, l := range removed[:x.removed] {
			f.Remove(l)
		}
		f.detail = append(f.detail, detail[:x.detail]...)
		f.placed, f.places = x.placed, x.places && !e.p.Written(x.placed.Variable())
		b.taken.items++
		b.taken.removed += x.removed
		b.taken.detail += x.detail
		if f.concludes() {
			return x.slot, true
		}
	}
	return slot{}, false
}

// step takes the finding as the next step of the solve.
func (e *Engine) step(rule, instance int) {
	e.rec.top = len(e.rec.entries)
	e.steps++
	e.take(rule, instance, e.steps)
	if e.explains {
		x := &e.rec.entries[e.rec.top]
		x.because = e.rec.keepReasons(e.because(e.rules[rule], e.claimed(x), e.steps))
	}
}

// take records the finding as a step of this number and applies it.
func (e *Engine) take(rule, instance int, number uint16) {
	f := &e.found
	if !slices.IsSorted(f.removed) {
		slices.Sort(f.removed)
	}
	x := e.rec.add(rule, instance)
	x.detail = e.rec.keepDetail(f.detail)
	x.removed.from = e.rec.end()
	for i, l := range f.removed {
		if i == 0 || l != f.removed[i-1] {
			e.rec.literals = append(e.rec.literals, l)
		}
	}
	x.removed.to, x.placed.from = e.rec.end(), e.rec.end()
	for i := x.removed.from; i < x.removed.to; i++ {
		if l := e.rec.literals[i]; e.p.remove(l, number) {
			v := l.Variable()
			e.rec.literals = append(e.rec.literals, logic.Lit(v, e.p.Value(v)))
		}
	}
	if f.places {
		e.p.write(f.placed, number)
		e.rec.literals = append(e.rec.literals, f.placed)
	}
	x.placed.to = e.rec.end()
}

// claimed returns the claim of a recorded step.
func (e *Engine) claimed(x *entry) *Claim {
	e.claim = e.rec.claim(x)
	return &e.claim
}
