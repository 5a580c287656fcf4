package deduce

import (
	"fmt"

	"assay/raters/logic"
)

// Spec is what a genre tells the engine about puzzles of one outline: all of them have these variables and these
// instances of rules, and differ in their clues. The functions of its rules may read the outline, which never changes.
// What they know of one puzzle and its position they ask of the [Board].
type Spec struct {
	Variables int // at most 4,096
	Values    int // of each variable: 1 to 16

	// AtOnce: a variable down to one candidate is written, by the step that removed the last other one. Else a
	// value is written only when it is given or a step places it.
	AtOnce bool

	Bookkeeping []Rule
	Techniques  []Technique // in the order of the rater's built-in profile
	Broken      []Rule      // in the order in which they are tested
	Naming      logic.Naming
}

// Rule is a place-by-place rule: a technique, a piece of bookkeeping, or a way to be broken. Its instances are
// the places where it applies, numbered from 0 in the order in which they are tried.
type Rule struct {
	Name      string // kebab-case
	Instances int

	// Where names an instance: "row 3". It knows the outline and the detail, and no board.
	Where func(instance int, detail []uint16) string

	// At places an instance of bookkeeping among those of other rules: bookkeeping goes by literal, then rule,
	// then instance. nil: literal 0, which is before all others.
	At func(instance int) logic.Literal

	// Wakes appends the instances that may find something new once the literal is removed or, where values are
	// not written at once, written. nil: all of them.
	Wakes func(l logic.Literal, to []int) []int

	// Find looks at one instance. Bookkeeping and techniques put everything the instance concludes into the
	// finding and tell whether there is anything. A rule of Spec.Broken tells whether it is broken, and concludes
	// nothing. It may read the position, its board and the detail it notes, and nothing else.
	Find func(p *Position, instance int, f *Finding) bool

	// Because appends literals that together prove the claim, written or removed before it was made; the engine
	// drops those that are not needed. Only Past knows what was known then: boards have moved on.
	Because func(p *Past, c *Claim, to []logic.Literal) []logic.Literal

	// Minimal: Because gives just what would be left, so that nothing need be dropped.
	Minimal bool

	// Prove reports whether the facts and the givens alone prove all of the claim; of a rule of Spec.Broken, that
	// it is broken. It shares no code with Find.
	Prove func(f *Facts, c *Claim) bool
}

// Technique is a rule that counts, or a supposition.
type Technique struct {
	Rule              // of a supposition only the name
	Propagates bool   // used in suppositions, in the order of Spec.Techniques
	Suppose    *Trial // set for a supposition
}

// Trial says how far a supposition goes: assume a literal, the first in order of variable, then value, and
// follow it until the candidates are broken. Then the literal goes.
type Trial struct {
	Rounds int // of bookkeeping, and nothing else; 0: bookkeeping and propagating techniques until nothing follows
	Steps  int // that the break may rest on, itself not counted (it ends Step.Chain); 0: any number
}

// Claim is what a rule says at one instance.
type Claim struct {
	Instance int
	Detail   []uint16        // what Find noted
	Removed  []logic.Literal // ascending
	Placed   []logic.Literal // values written
}

// Board is what a genre keeps of the puzzle that is solved: its clues, and caches of the position. It hears of every
// change, those that are taken back included, in reverse.
type Board interface {
	// Start begins a puzzle: the position is the one it starts from.
	Start(p *Position)
	Removed(l logic.Literal)
	Restored(l logic.Literal)
	// Written tells that a value is written, or no longer.
	Written(l logic.Literal, yes bool)
}

// maxLiterals keeps the numbers of steps, of a supposition included, within 16 bits.
const maxLiterals = 1 << 14

func (s *Spec) check() {
	if s.Variables < 1 || s.Values < 1 || s.Values > 16 || s.Variables > 4096 || s.Variables*s.Values > maxLiterals {
		panic(fmt.Sprintf("deduce: %d variables of %d values", s.Variables, s.Values))
	}
}

// noCandidate is the rule that each variable keeps a candidate.
func noCandidate(naming logic.Naming) Rule {
	return Rule{
		Name:  "no-candidate",
		Where: func(v int, _ []uint16) string { return naming.Variable(v) },
		Because: func(p *Past, c *Claim, to []logic.Literal) []logic.Literal {
			return p.AppendGone(to, c.Instance)
		},
		Minimal: true,
		Prove:   func(f *Facts, c *Claim) bool { return f.Left(c.Instance) == 0 },
	}
}
