package deduce

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"assay/raters"
	"assay/raters/logic"
)

// Genre is what a genre provides so that its puzzles can be rated, graded and hinted at. P is a puzzle that was read.
// It must not be copied.
type Genre[P any] struct {
	Read     func(raters.Puzzle) (P, error)           // returns *raters.SyntaxError or *raters.RequestError when the text is no puzzle
	Prove    func(context.Context, P) error           // returns *raters.NotUniqueError or *raters.NoSolutionError unless there is one solution
	Topology func(P) *Topology                        // of the puzzle's outline
	Board    func() Board                             // a new one, for any puzzle
	Start    func(b Board, p P, s *Start)             // puts the puzzle on the board, and the givens into the start
	Marks    func(P, string) ([]logic.Literal, error) // the literals that a player's board removes; nil when there are no hints
	Clues    func(P) int                              // the number of clues
	Budget   uint64                                   // units of work of a rating

	engines sync.Pool
}

// On returns an engine with the puzzle on its board, and the start. Free returns the engine.
func (g *Genre[P]) On(p P) (*Engine, Start) {
	t := g.Topology(p)
	e, ok := g.engines.Get().(*Engine)
	if ok {
		e.Use(t)
	} else {
		e = New(t, g.Board())
	}
	start := e.open()
	g.Start(e.p.board, p, &start)
	return e, start
}

// Free makes an engine available for the next puzzle.
func (g *Genre[P]) Free(e *Engine) { g.engines.Put(e) }

// Rater solves the puzzles of a genre by techniques, one explained step at a time. It implements raters.Profiled,
// raters.Spoken and raters.Hinter.
type Rater[P any] struct {
	Setting
	*Genre[P]
	Order      *Order
	techniques []Technique
}

// NewRater returns the rater with its built-in profile, which lists the techniques in their order.
func NewRater[P any](g *Genre[P], techniques []Technique, builtIn raters.Profile) *Rater[P] {
	return &Rater[P]{NewSetting(builtIn), g, NewOrder(techniques, builtIn, builtIn), techniques}
}

// With returns the rater with techniques in another order, on other levels, or switched off.
func (r *Rater[P]) With(p raters.Profile) (raters.Rater, error) {
	s, err := r.Under(p)
	if err != nil {
		return nil, err
	}
	return &Rater[P]{s, r.Genre, NewOrder(r.techniques, s.builtIn, s.profile), r.techniques}, nil
}

// Vocabulary returns the words of ratings of a puzzle; nothing when the text is no puzzle.
func (r *Rater[P]) Vocabulary(p raters.Puzzle) raters.Vocabulary {
	read, err := r.Read(p)
	if err != nil {
		return raters.Vocabulary{}
	}
	return r.Topology(read).Vocabulary()
}

// Rate solves a puzzle by techniques, after proving that it has exactly one solution (L19). Otherwise it returns
// *raters.NotUniqueError or *raters.NoSolutionError. When no technique applies any more, the outcome is raters.Unrated.
func (r *Rater[P]) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	read, err := r.proven(ctx, p)
	if err != nil {
		return raters.Rating{}, err
	}
	e, start := r.On(read)
	defer r.Free(e)
	rating, err := e.Rate(ctx, r.Order, start, r.Budget)
	var broken *BrokenError
	switch {
	case errors.As(err, &broken):
		return raters.Rating{}, fmt.Errorf("rating a puzzle with a solution: %w", err)
	case err != nil:
		return raters.Rating{}, err
	}
	rating.Clues = r.Clues(read)
	return rating, nil
}

// proven reads a puzzle that has exactly one solution.
func (r *Rater[P]) proven(ctx context.Context, p raters.Puzzle) (P, error) {
	read, err := r.Read(p)
	if err == nil {
		err = r.Prove(ctx, read)
	}
	return read, err
}

// Grade returns the level of a puzzle under an order, "" when the techniques do not finish it.
func (r *Rater[P]) Grade(ctx context.Context, o *Order, p P, budget uint64) (level string, err error) {
	e, start := r.On(p)
	defer r.Free(e)
	return e.Grade(ctx, o, start, budget)
}

// Hint returns the counted step after the first skip ones (L20). A board is the puzzle with the player's marks. Marks
// that break a rule, at once or during the steps before, are a mistake. Wrong marks that break no rule yet are taken as
// they are, because a hint does not use the solution.
func (r *Rater[P]) Hint(ctx context.Context, p raters.Puzzle, board string, skip int) (raters.Hint, error) {
	read, err := r.Read(p)
	if err != nil {
		return raters.Hint{}, err
	}
	if r.Marks == nil {
		return raters.Hint{}, &raters.RequestError{Reason: r.Name() + " gives no hints"}
	}
	gone, err := r.Marks(read, board)
	if err != nil {
		return raters.Hint{}, err
	}
	if err := r.Prove(ctx, read); err != nil {
		return raters.Hint{}, err
	}
	e, start := r.On(read)
	defer r.Free(e)
	return e.Hint(ctx, r.Order, start.without(gone), r.Budget, skip)
}

// without returns the start without these literals. A variable with one value left has it written.
func (s Start) without(gone []logic.Literal) Start {
	s.Candidates = slices.Clone(s.Candidates)
	for _, l := range gone {
		v, before := l.Variable(), s.Candidates[l.Variable()]
		s.Candidates[v] &^= 1 << l.Value()
		if bits.OnesCount16(before) == 2 && bits.OnesCount16(s.Candidates[v]) == 1 {
			s.Written = append(s.Written[:len(s.Written):len(s.Written)], v)
		}
	}
	return s
}

// Asked returns the techniques that the puzzle of a request may need: those up to its level or cap or, without one, up
// to the highest level offered. A request that cannot be met is a *raters.RequestError, which uses name for what was
// requested.
func (r *Rater[P]) Asked(asked raters.Request, name string, offered []string) (*Order, error) {
	if asked.Rater != "" && asked.Rater != r.Name() {
		genre, _, _ := strings.Cut(r.Name(), ".")
		return nil, &raters.RequestError{Reason: fmt.Sprintf("%s has no rater %q; offered: %s", genre, asked.Rater, r.Name())}
	}
	if asked.Level+asked.Cap == "extreme" {
		return nil, &raters.RequestError{Reason: "level extreme is reserved: no generator makes it yet; offered: " + strings.Join(offered, ", ")}
	}
	most, err := Most(asked, name, offered)
	if err != nil {
		return nil, err
	}
	return r.Order.UpTo(most), nil
}

// Proven returns an error unless a solver's verdict is exactly one solution.
func Proven(s raters.Solution, err error) error {
	switch {
	case err != nil:
		return err
	case s.Verdict == raters.None:
		return &raters.NoSolutionError{Reason: s.Reason}
	case s.Verdict == raters.Multiple:
		return &raters.NotUniqueError{Solutions: [2]string(s.Solutions)}
	}
	return nil
}
