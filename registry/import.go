package registry

import (
	"context"

	"assay/events"
	"assay/raters"
)

// Imported tells what became of a puzzle that was brought: the object import/1.
type Imported struct {
	Schema  string     `json:"schema"`
	ID      string     `json:"id"`
	Status  string     `json:"status"` // new, known or refused
	Outcome string     `json:"outcome,omitempty"`
	Level   string     `json:"level,omitempty"`
	Score   *int       `json:"score,omitempty"`
	Reason  string     `json:"reason,omitempty"` // why it was refused
	Event   events.Seq `json:"event,omitempty"`  // where it came on record
}

// The statuses of an import.
const (
	New     = "new"
	Known   = "known"
	Refused = "refused"
)

// MaxImport is how many puzzles one Import takes: each makes two events of one batch.
const MaxImport = events.MaxBatch / 2

// ImportRequest brings puzzles, at most MaxImport of them.
type ImportRequest struct {
	Puzzles []raters.Puzzle
	Source  string // the file's name, or ""
	Actor   string
}

// Import takes in puzzles from outside in one step, each with the proof that it has one solution and the
// default rater's verdict, and tells of each in turn what became of it. One that is on record stays as
// it is; one with no solution or several is refused.
func (r *Registry) Import(ctx context.Context, req ImportRequest) ([]Imported, error) {
	if err := checkText("source", req.Source); err != nil {
		return nil, err
	}
	for {
		results, facts, err := r.sift(ctx, req)
		if err != nil || len(facts) == 0 {
			return results, err
		}
		receipt, err := r.record(ctx, req.Actor, facts...)
		if isConflict(err) {
			continue // somebody else imported one of them just now: it is known the next time round
		}
		if err != nil {
			return nil, err
		}
		at := make(map[string]events.Seq, len(facts))
		for i, f := range facts {
			if b, ok := f.body.(events.Imported); ok {
				at[b.Puzzle] = receipt[i].Seq
			}
		}
		for i := range results {
			if results[i].Event == 0 {
				results[i].Event = at[results[i].ID]
			}
		}
		return results, nil
	}
}

// sift tells what is to become of each puzzle and gives the facts of the new ones.
func (r *Registry) sift(ctx context.Context, req ImportRequest) ([]Imported, []fact, error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, nil, err
	}
	results := make([]Imported, len(req.Puzzles))
	var facts []fact
	fresh := map[string]bool{}
	for i, p := range req.Puzzles {
		id := p.ID()
		k, known, err := r.find(id)
		switch {
		case err != nil:
			return nil, nil, err
		case known:
			results[i] = Imported{Schema: "import/1", ID: id, Status: Known, Event: k.Facts[0].Seq}
		case fresh[id]:
			results[i] = Imported{Schema: "import/1", ID: id, Status: Known}
		default:
			var more []fact
			if results[i], more, err = r.judge(ctx, p, req.Source); err != nil {
				return nil, nil, err
			}
			facts, fresh[id] = append(facts, more...), results[i].Status == New
		}
	}
	return results, facts, nil
}

// judge proves and rates a puzzle and gives the facts of its import, none when it is refused.
func (r *Registry) judge(ctx context.Context, p raters.Puzzle, source string) (Imported, []fact, error) {
	g, err := Find(r.Genres, p.Genre)
	if err != nil {
		return Imported{}, nil, err
	}
	rater := g.Raters[0]
	rating, err := Rate(ctx, rater, p)
	if err != nil {
		return Imported{}, nil, err
	}
	result := Imported{Schema: "import/1", ID: rating.ID, Status: New, Outcome: rating.Outcome, Level: rating.Level, Score: rating.Score}
	solved, err := g.Solver.Solve(ctx, p)
	if err != nil || !rating.IsFact() || solved.Verdict != raters.Unique {
		result.Status, result.Reason = Refused, refusal(rating, solved, err)
		return result, nil, ctx.Err()
	}
	form, err := canonicalForm(g, p)
	if err != nil {
		return Imported{}, nil, err
	}
	rated, err := ratedFact(rater, rating, nil)
	body := events.Imported{
		Puzzle: rating.ID, Genre: p.Genre, Variant: p.Variant, Text: p.Text,
		Solution: solved.Solutions[0], Nodes: solved.Nodes, Source: source, Canonical: form,
	}
	return result, []fact{{key: events.ImportedKey(rating.ID), body: body}, rated}, err
}

func refusal(rating Rating, solved raters.Solution, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case solved.Verdict == raters.Multiple:
		return (&raters.NotUniqueError{}).Error()
	case solved.Verdict == raters.None:
		return (&raters.NoSolutionError{Reason: solved.Reason}).Error()
	}
	return "the rater's outcome is " + rating.Outcome
}
