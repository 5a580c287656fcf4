package deduce

import (
	"slices"

	"assay/raters"
	"assay/raters/logic"
)

// Prove reports whether a step of a solve, counted from 1, is proved by these literals, the givens and its rule
// instance alone. The engine's board is that of the puzzle. A supposition is replayed by its recorded steps. Each must
// be proved by what was known before, the assumption, and the steps before it. The last one must be a break. There may
// be no more steps, or rounds, than the technique allows.
func (e *Engine) Prove(of raters.Solve, step int, because []logic.Literal) bool {
	s, ok := of.(*solve)
	if !ok {
		return false
	}
	i := s.indexOf(step)
	beyond := func(l logic.Literal) bool { return l.Variable() >= s.spec.Variables }
	if i < 0 || slices.ContainsFunc(because, beyond) {
		return false
	}
	p := prover{s, Facts{board: e.p.board}}
	written := s.writtenBefore(i)
	if s.entries[i].inner > 0 {
		return p.chain(i, because, written)
	}
	return p.entry(i, because, written)
}

// prover replays a solve.
type prover struct {
	*solve
	facts Facts
}

// indexOf returns the index of a step's entry, or -1.
func (s *solve) indexOf(step int) int {
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
func (s *solve) writtenBefore(i int) []logic.Literal {
	if s.spec.AtOnce {
		return nil
	}
	written := slices.Clone(s.given)
	for k := 0; k < i; k += 1 + int(s.entries[k].inner) {
		written = append(written, part(s.literals, s.entries[k].placed)...)
	}
	return written
}

func (p *prover) entry(i int, because, written []logic.Literal) bool {
	x := &p.entries[i]
	claim := p.claim(x)
	p.facts.reset(p.spec)
	for _, l := range because {
		if slices.Contains(written, l) {
			p.facts.wrote[l>>4] |= 1 << (l & 15)
		} else {
			p.facts.gone[l>>4] |= 1 << (l & 15)
		}
	}
	return p.rules[x.rule].Prove(&p.facts, &claim)
}

func (p *prover) chain(i int, because, written []logic.Literal) bool {
	x := &p.entries[i]
	assumed := logic.Literal(x.instance)
	if removed := part(p.literals, x.removed); len(removed) != 1 || removed[0] != assumed {
		return false
	}
	depth := map[logic.Literal]int{} // literal known inside: after how many rounds
	for _, l := range because {
		depth[l] = 0
	}
	for value := range p.spec.Values {
		if other := logic.Lit(assumed.Variable(), value); other != assumed {
			depth[other] = 0
		}
	}
	if !p.spec.AtOnce {
		depth[assumed] = 0
		written = append(written, assumed)
	}
	rounds := 0
	for k := 1; k <= int(x.inner); k++ {
		inside, round := &p.entries[i+k], 1
		for _, l := range part(p.literals, inside.because) {
			d, known := depth[l]
			if !known {
				return false
			}
			round = max(round, d+1)
		}
		if !p.entry(i+k, part(p.literals, inside.because), written) {
			return false
		}
		if k < int(x.inner) {
			rounds = max(rounds, round)
			written = p.conclude(inside, round, depth, written)
		}
	}
	last := p.entries[i+int(x.inner)]
	t := p.spec.Techniques[int(x.rule)-len(p.spec.Bookkeeping)].Suppose
	isBreak := int(last.rule) >= len(p.spec.Bookkeeping)+len(p.spec.Techniques)
	return isBreak && int(x.inner)-1 <= limit(t.Steps) && (t.Rounds == 0 || rounds <= t.Rounds)
}

// conclude notes what a step of a supposition adds.
func (s *solve) conclude(x *entry, round int, depth map[logic.Literal]int, written []logic.Literal) []logic.Literal {
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
