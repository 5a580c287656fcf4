// Package deduce solves puzzles as a person does: by taking candidates away, one explained step at a time, with
// the techniques of a genre in a fixed order. It rates, grades, hints and proves; the rules are the genre's. The
// comments cite the rules of rating, L1 to L24, by number: docs/genres/framework.md states them.
//
// # What a puzzle is
//
// Variables are numbered from 0. Each has at most 16 values, and a mask says which of them are candidates (L1). A
// [logic.Literal] is one value of one variable (L2). A value is written when it is given or when a step places it. With
// Spec.AtOnce it is written as soon as it is the only candidate, and relying on it means relying on the removal of all
// others. Sudoku and kakuro write by steps, the other genres at once.
//
// # What a genre provides
//
// A genre provides a [Spec] of an outline. An outline is what puzzles share that differ only in their clues, such as a
// size. Each puzzle may also have an outline of its own. The functions of the rules may read the outline, which never
// changes. A Spec lists
//
//   - Bookkeeping: routine consequences of what is written. They are recorded and count for nothing.
//   - Techniques: in the order of the built-in profile. A technique is a [Rule], or a supposition ([Trial]).
//   - Broken: how candidates can fail to satisfy the rules. That a variable has no candidate is built in and
//     comes first.
//
// A [Rule] has instances, the places where it applies: rows, islands, the whole board. For each instance it says when
// to look (Wakes), what follows (Find), which literals that needs (Because), and, independently, whether some facts
// prove it (Prove). An instance must conclude everything it can at once: one instance is one step. Wakes must name an
// instance for every literal whose removal can change what Find returns. Then looking only at woken instances finds the
// same as looking everywhere. Engine.Rescan looks everywhere, and a test compares the two. A rule that depends on
// everything, such as connectedness, has one instance, and no Wakes. A rule with many patterns at one instance notes
// the pattern with Finding.Detail; Because, Prove and Where receive it.
//
// Reasons: Because may return more than is needed, for example everything known of a row. The engine drops what Prove
// does not need, newest first, ties by literal. Without any one of the remaining reasons the conclusion is no longer
// proved. Because runs when the position has changed already, for example inside a chain, so it asks [Past].
//
// What needs no reason: Prove may use the clues of the board, and otherwise only the literals it receives. A candidate
// that Start lacks needs a reason like other removals; such a reason comes from no step.
//
// Boards: the clues of a puzzle, and what a genre computes from a position (sums, places of a digit), are on its
// [Board]. The board is told of every change and of every change taken back. Rules get it from the position or the
// facts. A genre that recomputes something only now and then compares Position.Version.
//
// Topologies: a [Topology] is a prepared Spec, with a list for every literal of what it wakes. Preparing it may take
// longer than a rating (sudoku 9×9: 240 µs against 60; kakurasu 7×7: 8 against 12 to 230), so it is done once for each
// outline; Topologies stores them by outline. A Topology never changes and is shared. An [Engine] is working memory
// with a board, for puzzles of any topology; Genre stores engines for the next puzzle. A solve refers to its Spec, so
// it can be written out at any time.
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
// A supposition assumes a literal and follows it: with bookkeeping and propagating techniques one step at a time, or
// with a number of rounds of bookkeeping alone. If that breaks the position, the literal is removed. The length of a
// chain is the number of steps that its break depends on, without the assumption. Nothing looks for a shorter chain.
// Suppositions are tried by variable, then value.
//
// Level: that of the hardest technique used, or the lowest if bookkeeping was enough. Score (L17): the number of
// literals that the counted steps remove and rely on. A chain relies on what its steps take from before the assumption.
// Work is counted in calls of Find and what Finding.Work adds. Running out of work is [raters.ErrBudget], never a
// verdict.
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
// A product's rater, its hints and its generator by level are a [Genre], a [Rater] and [Attempts], as in
// raters/kakurasu. The test files toy_test.go and reading_test.go are whole genres for the engine, in less than 200
// lines each. The folder ratertest/parcels has a toy genre with everything that the product asks of a genre; its
// outline differs from puzzle to puzzle.
package deduce
