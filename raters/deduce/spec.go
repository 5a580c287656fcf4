package deduce

import (
	"fmt"

	"assay/raters/logic"
)

// Spec describes puzzles of one outline to the engine: all of them have these variables and these instances of rules,
// and differ only in their clues. The functions of its rules may read the outline, which never changes. They read a
// single puzzle and its position from the [Board].
type Spec struct {
	Variables int // at most 4,096
	Values    int // of each variable: 1 to 16

	// AtOnce means that a variable with one candidate left is written by the step that removed the last other one.
	// Otherwise a value is written only when it is given or a step places it.
	AtOnce bool

	Bookkeeping []Rule
	Techniques  []Technique // in the order of the rater's built-in profile
	Broken      []Rule      // in the order in which they are tested
	Naming      logic.Naming
}

// Rule is a technique, a piece of bookkeeping, or a way to be broken. Its instances are the places where it applies,
// numbered from 0 in the order in which they are tried.
type Rule struct {
	Name      string // kebab-case
	Instances int

	// Where names an instance: "row 3". It uses the outline and the detail, not the board.
	Where func(instance int, detail []uint16) string

	// At sorts an instance of bookkeeping among those of other rules: bookkeeping goes by literal, then rule, then
	// instance. nil means literal 0, before all others.
	At func(instance int) logic.Literal

	// Wakes appends the instances that may find something new after the literal is removed or, if values are not
	// written at once, written. nil means all instances.
	Wakes func(l logic.Literal, to []int) []int

	// Find looks at one instance. A technique or bookkeeping puts everything the instance concludes into the finding
	// and reports whether there is anything. A rule of Spec.Broken reports whether it is broken, and concludes nothing.
	// Find may read the position, its board and its own detail, and nothing else.
	Find func(p *Position, instance int, f *Finding) bool

	// Because appends literals that together prove the claim and were removed or written before it. The engine drops
	// those that are not needed. Only Past has the state of that time, because boards have changed since.
	Because func(p *Past, c *Claim, to []logic.Literal) []logic.Literal

	// Minimal says that Because returns no unneeded literals, so that none has to be dropped.
	Minimal bool

	// Prove reports whether the facts and the givens alone prove the whole claim or, for a rule of Spec.Broken, the
	// break. It shares no code with Find.
	Prove func(f *Facts, c *Claim) bool
}

// Technique is a rule that counts, or a supposition.
type Technique struct {
	Rule              // of a supposition only the name
	Propagates bool   // used in suppositions, in the order of Spec.Techniques
	Suppose    *Trial // set for a supposition
}

// Trial limits a supposition. It assumes a literal, the first by variable, then value, and follows it until the
// candidates are broken. Then the literal is removed.
type Trial struct {
	Rounds int // of bookkeeping, and nothing else; 0: bookkeeping and propagating techniques until nothing follows
	Steps  int // that the break may rest on, itself not counted (it ends Step.Chain); 0: any number
}

// Claim is the conclusion of a rule at one instance.
type Claim struct {
	Instance int
	Detail   []uint16        // what Find noted
	Removed  []logic.Literal // ascending
	Placed   []logic.Literal // values written
}

// Board is a genre's data about the current puzzle: its clues, and caches of the position. The engine tells it every
// change, also those that are taken back, in reverse.
type Board interface {
	// Start begins a puzzle at a position.
	Start(p *Position)
	Removed(l logic.Literal)
	Restored(l logic.Literal)
	// Written reports that a value is written, or no longer.
	Written(l logic.Literal, yes bool)
}

// maxLiterals makes step numbers, also those of a supposition, fit into 16 bits.
const maxLiterals = 1 << 14

func (s *Spec) check() {
	if s.Variables < 1 || s.Values < 1 || s.Values > 16 || s.Variables > 4096 || s.Variables*s.Values > maxLiterals {
		panic(fmt.Sprintf("deduce: %d variables of %d values", s.Variables, s.Values))
	}
}

// noCandidate is the rule that each variable must have a candidate.
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
