package deduce

import (
	"slices"

	"assay/raters/logic"
)

// Engine deduces in one puzzle after the other, of any topology. It reuses its buffers, so the next puzzle costs no
// allocation. It is not safe for use by several goroutines.
type Engine struct {
	// Rescan makes the engine look at every instance every time, not only at woken ones. It is slow and gives the same
	// results: for tests.
	Rescan bool

	*Topology

	p        Position
	found    Finding
	past     Past
	facts    Facts
	claim    Claim
	reasons  []reason
	scratch  []logic.Literal
	batch    batch
	trial    trial
	rec      recording
	work     uint64
	budget   uint64
	steps    uint16   // number of steps, without those of suppositions
	breakAt  slot     // what is broken
	breakOf  []uint16 // its detail
	explains bool     // reasons are wanted
	tally    tally
	start    Start
}

// New returns an engine for puzzles of a topology. The board is that of the puzzle, or nil when no rule uses it.
func New(t *Topology, b Board) *Engine {
	e := new(Engine)
	e.found.p, e.past.p = &e.p, &e.p
	e.p.board, e.facts.board = b, b
	e.Use(t)
	return e
}

// Use switches to puzzles of a topology. It allocates nothing when the engine has had one as large.
func (e *Engine) Use(t *Topology) {
	if e.Topology == t {
		return
	}
	e.Topology = t
	variables, literals := t.spec.Variables, t.spec.Variables<<4
	e.p.mask, e.p.by, e.p.wrote = room(e.p.mask, variables), room(e.p.by, literals), room(e.p.wrote, variables)
	e.p.dirty, e.trial.saved = room(e.p.dirty, t.words), room(e.trial.saved, t.words)
	e.p.wakes, e.p.waking, e.p.atOnce = t.wakes, t.waking, t.spec.AtOnce
	e.past.all = t.all
	e.facts.reset(t.spec)
	e.trial.lengths = room(e.trial.lengths, literals)
	e.tally.uses = room(e.tally.uses, len(t.spec.Techniques))
}

// room returns a list of a length, in the same place if that is large enough.
func room[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

// open returns the start with all candidates and nothing written. It is valid until the next call.
func (e *Engine) open() Start {
	e.start.Candidates, e.start.Written = room(e.start.Candidates, e.spec.Variables), e.start.Written[:0]
	for v := range e.start.Candidates {
		e.start.Candidates[v] = e.all
	}
	return e.start
}

// begin starts a puzzle.
func (e *Engine) begin(s Start, budget uint64, explains bool) error {
	if err := s.check(e.spec); err != nil {
		return err
	}
	e.p.start(s, e.spec.Values)
	e.work, e.budget, e.steps, e.explains = 0, budget, 0, explains
	e.found.work = 0
	e.rec.reset(e.spec.AtOnce, s, &e.p)
	e.tally.reset()
	clear(e.trial.lengths)
	e.wakeAll(group{0, (len(e.book) + 63) / 64}, len(e.book))
	for r := len(e.spec.Bookkeeping); r < e.noCandidate(); r++ {
		e.wakeAll(e.groups[r], e.rules[r].Instances)
	}
	return nil
}

func (e *Engine) wakeAll(g group, instances int) {
	for w := g.first; w < g.last; w++ {
		left := instances - 64*(w-g.first)
		e.p.dirty[w] = ^uint64(0) >> max(0, 64-left)
	}
}
