// Package deduce solves puzzles as a person does: by taking candidates away, one explained step at a time, with
// the techniques of a genre in a fixed order. It rates, grades, hints and proves; the rules are the genre's. The
// comments cite the rules of rating, L1 to L24, by number: docs/genres/framework.md states them.
//
// # What a puzzle is
//
// Variables numbered from 0, each with at most 16 values, of which a mask says which are candidates (L1). A
// [logic.Literal] is one value of one variable (L2). A value is written when it is given or a step places it; with
// Spec.AtOnce it is written as soon as it is the only candidate, and relying on it means relying on the removal
// of all others. Sudoku and kakuro write by steps, the other genres at once.
//
// # What a genre gives
//
// A [Spec] of an outline: what puzzles have in common that differ in their clues alone, such as a size. It may be one
// puzzle's own. The functions of its rules may read the outline, which never changes. It lists
//
//   - Bookkeeping: routine consequences of what is written. They are recorded and count for nothing.
//   - Techniques: in the order of the built-in profile. A technique is a [Rule], or a supposition ([Trial]).
//   - Broken: how candidates can fail to satisfy the rules. That a variable has no candidate is built in and
//     comes first.
//
// A [Rule] has instances, the places where it applies: rows, islands, the whole board. For each it says when to
// look (Wakes), what follows (Find), what that rests on (Because), and, independently, whether given facts prove
// it (Prove). An instance must conclude all it can at once: one instance is one step. Whatever its Find reads,
// Wakes must name it for every literal whose removal can matter, so that looking only at what was woken finds what
// looking everywhere would; Engine.Rescan looks everywhere, and a test compares the two. A rule that depends on
// everything, such as connectedness, has one instance, and no Wakes. A rule whose step is one of many patterns at one
// instance notes the pattern with Finding.Detail; Because, Prove and Where get it back.
//
// Reasons: Because may give more than is needed, such as all that is known of a row. The engine drops what Prove
// can do without, newest first, ties by literal, so that the reasons are those without any of which a conclusion
// is no longer proved. Because runs when the position has moved on, inside a chain for instance; it asks [Past].
//
// What is free: Prove may use the clues of the board, and beside them only the literals it is given. What Start lacks
// is not free. It has to be a reason like other removals; such a reason comes from no step.
//
// Boards: the clues of a puzzle, and what a genre keeps of a position (sums, places of a digit), are on its [Board],
// which hears of every change and of every change taken back. Rules get it from the position or the facts. What a genre
// works out again now and then goes by Position.Version.
//
// Topologies: a [Topology] is a Spec made ready, with every literal's list of what it wakes. That may take longer than a
// rating (sudoku 9×9: 240 µs against 60; kakurasu 7×7: 8 against 12 to 230), so it is made once an outline; Topologies
// keeps them by outline. It never changes and is shared. An [Engine] is working memory with a board, for puzzles of any
// topology; Genre keeps them for the next puzzle. A solve keeps the Spec, and so can be written out at any time.
//
// # What the engine does
//
// The canonical loop (L14): bookkeeping to a fixed point, then the first step of the first technique in the
// order that makes progress, and again. Bookkeeping goes by rounds: everything that follows from one position, by
// literal (Rule.At), rule and instance. Instances of a technique go by number. After the start, every assumption
// and every step the position is tested for being broken. Nothing else has a say: no clock, no randomness, no
// map order, no solution, no uniqueness (L15, L16).
//
// A supposition assumes a literal and follows it: with bookkeeping and propagating techniques one step at a time,
// or with so many rounds of bookkeeping alone. If that breaks the position, the literal is removed. The length of a
// chain is the number of steps that its break rests on, the assumption not counted; nothing looks for a shorter
// one. Suppositions are tried by variable, then value.
//
// Level: that of the hardest technique used, the lowest when bookkeeping sufficed. Score (L17): the literals that the
// counted steps remove and rely on; a chain relies on what its steps take from before the assumption. Work is counted
// in calls of Find and what Finding.Work adds; running out is [raters.ErrBudget], never a verdict.
//
// # How to use it
//
//	e := deduce.New(deduce.NewTopology(spec), board)
//	o := deduce.NewOrder(spec.Techniques, builtIn, profile)       // profiles are data: order, levels, what is off
//	rating, err := e.Rate(ctx, o, start, budget)                  // everything but the number of clues
//	level, err := e.Grade(ctx, o.UpTo("medium"), start, budget)   // a generator's question: no reasons, no record
//	hint, err := e.Hint(ctx, o, start, budget)                    // the first counted step after bookkeeping (L20)
//	ok := e.Prove(rating.Solve, 7, rating.Steps()[6].Because)     // a test's question
//
// A product's rater, its hints and its generator by level are a [Genre], a [Rater] and [Attempts], as in raters/kakurasu.
// The test files toy_test.go and reading_test.go are whole genres for the engine, in less than 200 lines each; the folder
// ratertest/parcels has a toy with all that the product asks of a genre, whose outline differs from puzzle to puzzle.
package deduce
