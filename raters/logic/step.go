package logic

import "strings"

// Technique is one entry of a rater's order. On record it is a list of its three fields.
type Technique struct {
	_     struct{} `cbor:",toarray"`
	Name  string   `json:"name"` // kebab-case
	Level string   `json:"level"`
	Tier  int      `json:"tier"` // 0 when the rater has no tiers
}

// Step is one deduction: one instance of a technique's rule, with everything it concludes.
type Step struct {
	Technique string    // kebab-case
	Level     string    // "" for bookkeeping, which counts for neither level nor score
	Instance  string    // where the rule applies: "row 3", "rows 2 and 7", "r5c5 r5c8 r4c4"
	Placed    []Literal // values written
	Removed   []Literal // removed, the other values of a variable that is written included
	Because   []Literal // relied on: already removed when the step was taken, or written
	From      []uint16  // numbers (from 1) of the earlier steps that removed these, ascending; the givens removed the rest

	// Chain is set for a step that supposes the opposite of what it concludes: the steps that lead from there to
	// a contradiction, and as the last one, which concludes nothing, the rule that is broken. In their From the
	// number of the step itself stands for the supposition, and the numbers after it for the steps of the chain.
	Chain []Step
}

// Text says what a step does: "x-wing, rows 2 and 7: not r4c2=5, not r8c2=5".
func (s Step) Text(n Naming) string {
	var out []string
	for _, l := range s.Placed {
		out = append(out, n.Text(l))
	}
	if len(s.Placed) == 0 {
		for _, l := range s.Removed {
			out = append(out, "not "+n.Text(l))
		}
	}
	text := s.Technique + ", " + s.Instance
	if len(out) > 0 { // what is broken concludes nothing
		text += ": " + strings.Join(out, ", ")
	}
	return text
}

// Contradicted returns the first literal that the step removes although it is so in a solution, or writes although it is
// not.
func (s Step) Contradicted(solution []uint8) (l Literal, is bool) {
	for _, l := range s.Removed {
		if l.IsSo(solution) {
			return l, true
		}
	}
	for _, l := range s.Placed {
		if !l.IsSo(solution) {
			return l, true
		}
	}
	return 0, false
}
