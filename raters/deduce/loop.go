package deduce

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"assay/raters"
)

// BrokenError tells that the candidates of a position can no longer satisfy a rule.
type BrokenError struct {
	Rule     string // its name
	Instance string // where it is broken
}

func (e *BrokenError) Error() string { return fmt.Sprintf("broken: %s, %s", e.Rule, e.Instance) }

// solve is the canonical loop (L14): bookkeeping to a fixed point, then the first step of the first technique of
// the order that makes progress, until every variable is written or no technique applies.
func (e *Engine) solve(ctx context.Context, o *Order) error {
	if e.test() {
		return e.brokenError()
	}
	for e.p.open > 0 {
		if err := e.bookkeep(ctx); err != nil || e.p.open == 0 {
			return err
		}
		if !e.next(ctx, o) {
			return e.failed
		}
		if e.test() {
			return e.brokenError()
		}
	}
	return e.failed
}

// bookkeep goes through rounds of bookkeeping until nothing follows.
func (e *Engine) bookkeep(ctx context.Context) error {
	for e.round() {
		if e.runBatch(0) {
			return e.brokenError()
		}
	}
	if e.failed == nil {
		e.failed = ctx.Err()
	}
	return e.failed
}

func (e *Engine) brokenError() error {
	if e.failed != nil {
		return e.failed
	}
	r := e.rules[e.breakAt.rule]
	return &BrokenError{Rule: r.Name, Instance: r.Where(int(e.breakAt.instance), e.breakOf)}
}

// next takes the first step of the first technique that makes progress.
func (e *Engine) next(ctx context.Context, o *Order) bool {
	for i := range o.list {
		t := &o.list[i]
		rule := e.technique(t.index)
		if trial := e.spec.Techniques[t.index].Suppose; trial != nil {
			if !e.supposeEach(ctx, rule, trial, o) {
				continue
			}
		} else if instance, ok := e.find(rule); ok {
			e.step(rule, instance)
		} else {
			continue
		}
		e.count(t)
		return true
	}
	return false
}

// find looks at the woken instances of a technique, lowest first, for one that makes progress.
func (e *Engine) find(rule int) (instance int, ok bool) {
	r, g := e.rules[rule], e.groups[rule]
	if e.Rescan {
		e.wakeAll(g, r.Instances)
	}
	for w := g.first; w < g.last; w++ {
		for e.p.dirty[w] != 0 {
			i := 64*(w-g.first) + bits.TrailingZeros64(e.p.dirty[w])
			if e.look(r, i) && e.found.concludes() {
				return i, true
			}
			if e.failed != nil {
				return 0, false
			}
			e.p.dirty[w] &= e.p.dirty[w] - 1
		}
	}
	return 0, false
}

// look runs Find and counts its work.
func (e *Engine) look(r *Rule, instance int) bool {
	e.work++
	if e.work+e.found.work > e.budget {
		e.failed = raters.ErrBudget
		return false
	}
	e.found.reset()
	return r.Find(&e.p, instance, &e.found)
}

// test tells whether the position is broken: first by a variable without candidates, then by the rules of
// Spec.Broken in their order. It is called after the start, after an assumption and after every step, so that
// only what the last change woke is looked at.
func (e *Engine) test() bool {
	if e.p.dead >= 0 {
		e.breakAt, e.breakOf = slot{uint16(e.noCandidate()), uint16(e.p.dead)}, nil
		return true
	}
	for i := range e.spec.Broken {
		if e.testRule(e.broken(i)) {
			return true
		}
	}
	return false
}

func (e *Engine) testRule(rule int) bool {
	r, g := e.rules[rule], e.groups[rule]
	if e.Rescan {
		e.wakeAll(g, r.Instances)
	}
	for w := g.first; w < g.last; w++ {
		for ; e.p.dirty[w] != 0; e.p.dirty[w] &= e.p.dirty[w] - 1 {
			i := 64*(w-g.first) + bits.TrailingZeros64(e.p.dirty[w])
			if e.look(r, i) {
				e.breakAt, e.breakOf = slot{uint16(rule), uint16(i)}, e.found.detail
				return true
			}
			if e.failed != nil {
				return false
			}
		}
	}
	return false
}

// batch is a round of bookkeeping: everything that follows from one position.
type batch struct {
	items   []batched
	removed []raters.Literal
	detail  []uint16
}

type batched struct {
	slot
	removed, detail int // how many
	placed          raters.Literal
	places          bool
}

// round collects the next round of bookkeeping, in order, and tells whether there is any.
func (e *Engine) round() bool {
	b := &e.batch
	b.items, b.removed, b.detail = b.items[:0], b.removed[:0], b.detail[:0]
	words := (len(e.book) + 63) / 64
	if e.Rescan {
		e.wakeAll(group{0, words}, len(e.book))
	}
	for w := range words {
		for ; e.p.dirty[w] != 0; e.p.dirty[w] &= e.p.dirty[w] - 1 {
			x := e.book[64*w+bits.TrailingZeros64(e.p.dirty[w])]
			if e.look(e.rules[x.rule], int(x.instance)) && e.found.concludes() {
				f := &e.found
				b.items = append(b.items, batched{x, len(f.removed), len(f.detail), f.placed, f.places})
				b.removed, b.detail = append(b.removed, f.removed...), append(b.detail, f.detail...)
			}
			if e.failed != nil {
				return false
			}
		}
	}
	return len(b.items) > 0
}

// runBatch takes the steps of the round, numbered from a base on, or of the solve itself when that is 0. What an
// earlier one of them removed is passed over. It tells whether one of them broke the position.
func (e *Engine) runBatch(base uint16) bool {
	b := &e.batch
	removed, detail := b.removed, b.detail
	for _, x := range b.items {
		f := &e.found
		f.reset()
		for _, l := range removed[:x.removed] {
			f.Remove(l)
		}
		f.detail = append(f.detail, detail[:x.detail]...)
		f.placed, f.places = x.placed, x.places && !e.p.Written(x.placed.Variable())
		removed, detail = removed[x.removed:], detail[x.detail:]
		if !f.concludes() {
			continue
		}
		if base == 0 {
			e.step(int(x.rule), int(x.instance))
		} else {
			e.takeInside(int(x.rule), int(x.instance), base)
		}
		if e.test() || e.failed != nil {
			return true
		}
	}
	return false
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
			e.rec.literals = append(e.rec.literals, raters.Lit(v, e.p.Value(v)))
		}
	}
	if f.places {
		e.p.write(f.placed, number)
		e.rec.literals = append(e.rec.literals, f.placed)
	}
	x.placed.to = e.rec.end()
}

// claimed gives what a recorded step claims.
func (e *Engine) claimed(x *entry) *Claim {
	e.claim = Claim{Instance: int(x.instance), Detail: part(e.rec.details, x.detail), Removed: part(e.rec.literals, x.removed), Placed: part(e.rec.literals, x.placed)}
	return &e.claim
}
