package deduce

import (
	"slices"

	"assay/raters"
)

// Prove tells whether a step of a solve by an engine like this one, counted from 1, is proved by these literals,
// the givens and its rule instance alone. The engine's board is that of the puzzle. A supposition is replayed by
// the steps it recorded: each is proved by what was known before, the assumption, and the steps before it; the
// last one is a break; and there are no more steps, or rounds, than its technique allows.
func (e *Engine) Prove(of raters.Solve, step int, because []raters.Literal) bool {
	s, ok := of.(*solve)
	if !ok {
		return false
	}
	i := s.entry(step)
	beyond := func(l raters.Literal) bool { return l.Variable() >= e.spec.Variables }
	if i < 0 || slices.ContainsFunc(because, beyond) {
		return false
	}
	written := s.writtenBefore(i)
	if s.entries[i].inner > 0 {
		return e.proveChain(s, i, because, written)
	}
	return e.proveEntry(s, i, because, written)
}

// entry gives the index of a step's entry, or -1.
func (s *solve) entry(step int) int {
	i := 0
	for ; step > 1 && i < len(s.entries); step-- {
		i += 1 + int(s.entries[i].inner)
	}
	if step < 1 || i >= len(s.entries) {
		return -1
	}
	return i
}

// writtenBefore lists the values written before a step, where values are not written at once.
func (s *solve) writtenBefore(i int) []raters.Literal {
	if s.spec.AtOnce {
		return nil
	}
	written := slices.Clone(s.given)
	for k := 0; k < i; k += 1 + int(s.entries[k].inner) {
		written = append(written, part(s.literals, s.entries[k].placed)...)
	}
	return written
}

func (e *Engine) proveEntry(s *solve, i int, because, written []raters.Literal) bool {
	x := &s.entries[i]
	claim := Claim{Instance: int(x.instance), Detail: part(s.details, x.detail), Removed: part(s.literals, x.removed), Placed: part(s.literals, x.placed)}
	clear(e.facts.gone)
	clear(e.facts.wrote)
	for _, l := range because {
		if slices.Contains(written, l) {
			e.facts.wrote[l>>4] |= 1 << (l & 15)
		} else {
			e.facts.gone[l>>4] |= 1 << (l & 15)
		}
	}
	proved := e.rules[x.rule].Prove(&e.facts, &claim)
	clear(e.facts.gone)
	clear(e.facts.wrote)
	return proved
}

func (e *Engine) proveChain(s *solve, i int, because, written []raters.Literal) bool {
	x := &s.entries[i]
	assumed := raters.Literal(x.instance)
	if removed := part(s.literals, x.removed); len(removed) != 1 || removed[0] != assumed {
		return false
	}
	depth := map[raters.Literal]int{} // what is known inside: after how many rounds
	for _, l := range because {
		depth[l] = 0
	}
	for value := range s.spec.Values {
		if other := raters.Lit(assumed.Variable(), value); other != assumed {
			depth[other] = 0
		}
	}
	if !s.spec.AtOnce {
		depth[assumed] = 0
		written = append(written, assumed)
	}
	rounds := 0
	for k := 1; k <= int(x.inner); k++ {
		inside, round := &s.entries[i+k], 1
		for _, l := range part(s.literals, inside.because) {
			d, known := depth[l]
			if !known {
				return false
			}
			round = max(round, d+1)
		}
		if !e.proveEntry(s, i+k, part(s.literals, inside.because), written) {
			return false
		}
		if k < int(x.inner) {
			rounds = max(rounds, round)
			written = s.conclude(inside, round, depth, written)
		}
	}
	last := s.entries[i+int(x.inner)]
	t := s.spec.Techniques[int(x.rule)-len(s.spec.Bookkeeping)].Suppose
	isBreak := int(last.rule) >= len(s.spec.Bookkeeping)+len(s.spec.Techniques)
	return isBreak && int(x.inner)-1 <= limit(t.Steps) && (t.Rounds == 0 || rounds <= t.Rounds)
}

// conclude notes what a step of a supposition makes known.
func (s *solve) conclude(x *entry, round int, depth map[raters.Literal]int, written []raters.Literal) []raters.Literal {
	for _, l := range part(s.literals, x.removed) {
		depth[l] = round
	}
	if s.spec.AtOnce {
		return written
	}
	placed := part(s.literals, x.placed)
	for _, l := range placed {
		depth[l] = round
	}
	return append(written, placed...)
}
