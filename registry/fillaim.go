package registry

import (
	"slices"

	"assay/events"
	"assay/raters"
)

// fillLag is how many candidates are made at the same time. Candidate i takes its cap from the shelves as they were
// after candidate i − fillLag, so the result does not depend on the number of cores.
const fillLag = 64

// aim finds the highest level that a candidate may need: that of the emptiest shelf.
type aim struct {
	levels   []string // lowest first
	held     []int    // unpublished puzzles on the shelf of each level, after the last decided candidate
	perShelf int
	start    uint64           // number of the first candidate of this run
	recent   []events.Shelved // kept among the last fillLag candidates before it
}

func aimAt(shelves []PoolShelf, rater raters.Rater, perShelf int) aim {
	a := aim{perShelf: perShelf}
	p, profiled := rater.(raters.Profiled)
	for _, s := range shelves {
		held := s.Unpublished
		if profiled && !slices.Contains(p.Profile().Levels(), s.Level) {
			held = max(held, perShelf) // no technique leads to this level: its shelf can have only stuck puzzles
		}
		a.levels, a.held = append(a.levels, s.Level), append(a.held, held)
	}
	return a
}

// at returns the level of the emptiest shelf fillLag candidates before this one. If several are equally empty, it is
// the lowest.
func (a *aim) at(number uint64) string {
	held := slices.Clone(a.held)
	for _, s := range a.recent {
		if number < a.start+fillLag && s.Candidate+fillLag > number {
			if i := slices.Index(a.levels, s.Level); i >= 0 {
				held[i]--
			}
		}
	}
	return a.levels[slices.Index(held, slices.Min(held))]
}

// room reports whether there is a shelf for a level, and room on it.
func (a *aim) room(level string) (shelf, room bool) {
	i := slices.Index(a.levels, level)
	return i >= 0, i >= 0 && a.held[i] < a.perShelf
}

// open returns the levels whose shelves have room.
func (a *aim) open() (levels []string) {
	for i, level := range a.levels {
		if a.held[i] < a.perShelf {
			levels = append(levels, level)
		}
	}
	return levels
}

// keep notes that a puzzle of a level is kept.
func (a *aim) keep(level string) { a.held[slices.Index(a.levels, level)]++ }

func (a *aim) full() bool { return slices.Min(a.held) >= a.perShelf }

func (a *aim) progress(candidates uint64) Filling {
	p := Filling{Candidates: candidates, Wanted: a.perShelf * len(a.held)}
	for _, n := range a.held {
		p.Held += min(n, a.perShelf)
	}
	return p
}
