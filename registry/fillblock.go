package registry

import (
	"assay/events"
	"assay/registry/batch"
)

// fillBlock is how many candidates one append has at most. With two events for each and its own event, a block stays
// below events.MaxBatch.
const fillBlock = 256

// block is the candidates of one append.
type block struct {
	body  events.Filled
	facts []fact
	bytes int
}

// add adds a candidate with its outcome, and its facts when it is kept.
func (b *block) add(g candidateResult, outcome string, facts []fact) {
	b.body.Last = g.number
	b.count(events.Fate{Cap: g.made.Request.Cap, Earned: g.made.Level, Outcome: outcome, Count: 1})
	if outcome != kept {
		return
	}
	b.body.Kept = append(b.body.Kept, events.Shelved{Candidate: g.number, Level: g.made.Level})
	b.facts = append(b.facts, facts...)
	for _, f := range facts {
		b.bytes += sizeOf(f)
	}
}

func (b *block) count(fate events.Fate) {
	for i := range b.body.Counts {
		if c := &b.body.Counts[i]; c.Cap == fate.Cap && c.Earned == fate.Earned && c.Outcome == fate.Outcome {
			c.Count++
			return
		}
	}
	b.body.Counts = append(b.body.Counts, fate)
}

// size returns the number of candidates.
func (b *block) size() uint64 { return b.body.Last - b.body.First + 1 }

// full reports whether the block has room for no more.
func (b *block) full() bool { return b.size() >= fillBlock || b.bytes >= batch.Bytes }

// all returns the facts of the block, its own last.
func (b *block) all() []fact {
	key := events.FilledKey(b.body.Genre, b.body.Variant, b.body.Generator, b.body.First, b.body.Last)
	return append(b.facts, fact{key: key, body: b.body})
}
