package registry

import (
	"context"
	"slices"

	"assay/events"
	"assay/events/plain"
	"assay/projections"
	"assay/projections/pools"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/batch"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/jobs"
)

// Imported says what became of an imported puzzle: the object import/1.
type Imported struct {
	Schema  string     `json:"schema"`
	ID      string     `json:"id"`
	Status  string     `json:"status"` // new, known or refused
	Outcome string     `json:"outcome,omitempty"`
	Level   string     `json:"level,omitempty"`
	Score   *int       `json:"score,omitempty"`
	Reason  string     `json:"reason,omitempty"` // why it was refused
	Event   events.Seq `json:"event,omitempty"`  // the event that recorded it

	// Equivalent is an earlier puzzle to which a new one is equal up to symmetry: the new one goes on no shelf.
	Equivalent string `json:"equivalent,omitempty"`
}

// The statuses of an import.
const (
	New     = "new"
	Known   = "known"
	Refused = "refused"
)

// MaxImport is the best number of puzzles for one import: enough that all cores have work while some puzzles are
// recorded.
const MaxImport = 10 * events.MaxBatch

// ImportRequest has the puzzles to import.
type ImportRequest struct {
	Puzzles []raters.Puzzle
	Along   []Along // with each of the puzzles; nil when nothing came along with any
	Source  string  // the file's name, or ""
	Actor   string
	Reason  string
}

// Import records puzzles from outside, each with the proof that it has one solution and the verdict of the rater that
// files its pool. It returns for each what became of it. A puzzle that is on record stays as it is; one with no
// solution or several is refused. Puzzles are proven and rated on all cores, and recorded in their sequence, as many at
// a time as one append takes. After an interruption, puzzles that were reported as new may be on record.
func (r *Registry) Import(ctx context.Context, req ImportRequest) ([]Imported, error) {
	if err := events.CheckText("source", req.Source); err != nil {
		return nil, input.Errorf("the name of the file %s cannot be recorded as the %v: rename it, or import it from -", plain.Escape(req.Source), err)
	}
	if err := checkText("reason", req.Reason); err != nil {
		return nil, err
	}
	var results []Imported
	own := map[string]Imported{}
	err := r.soundly(ctx, func(r *Registry) (err error) {
		for {
			results, err = r.importAll(ctx, req, own)
			if isConflict(err) {
				continue // somebody else imported one of them just now: the next round finds it
			}
			return err
		}
	})
	return results, err
}

// importAll imports the puzzles that are not on record. Own are the puzzles that this import has recorded.
func (r *Registry) importAll(ctx context.Context, req ImportRequest, own map[string]Imported) ([]Imported, error) {
	results, fresh, err := r.sift(ctx, req.Puzzles, own)
	if err != nil {
		return nil, err
	}
	in := r.importing(ctx, req.Actor, own)
	asks, err := r.filingAskers(ctx, req.Puzzles)
	if err != nil {
		return nil, err
	}
	judge := func(ctx context.Context, part []int) []importDecision { return r.judge(ctx, req, asks, part) }
	next := 0
	for j := range jobs.Spread(ctx, r.crew(), slices.Values(fresh), judge) {
		if j.err != nil {
			return nil, j.err
		}
		results[fresh[next]], in.made[j.result.ID] = j.result, j.result
		next++
		if err := in.facts.Add(j.facts...); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := in.facts.Flush(); err != nil {
		return nil, err
	}
	for i := range results {
		in.settle(&results[i])
	}
	if err := r.addProvenance(ctx, req, results); err != nil {
		return nil, err
	}
	return results, r.markEquivalent(ctx, results)
}

// importRun records the facts of an import.
type importRun struct {
	facts batch.Of[fact]
	at    map[string]events.Seq // where each puzzle is on record
	made  map[string]Imported   // the result of each new puzzle
	own   map[string]Imported   // the result of each puzzle that this import recorded
}

func (r *Registry) importing(ctx context.Context, actor string, own map[string]Imported) *importRun {
	in := &importRun{at: map[string]events.Seq{}, made: map[string]Imported{}, own: own}
	spoilt := r.spoilt(ctx)
	in.facts = batch.Of[fact]{Most: events.MaxBatch, Bytes: batch.Bytes, Size: sizeOf, Append: func(facts []fact) error {
		if r.spoilt(ctx) != spoilt {
			return errSpoilt
		}
		receipt, err := r.record(ctx, actor, facts...)
		if err != nil {
			return err
		}
		for i, f := range facts {
			body, ok := f.body.(events.Imported)
			if !ok {
				continue
			}
			in.at[body.Puzzle] = receipt[i].Seq
			if receipt[i].Appended {
				own[body.Puzzle] = in.made[body.Puzzle]
			}
		}
		return nil
	}}
	return in
}

// settle sets where a puzzle is on record, and whether this import recorded it.
func (in *importRun) settle(result *Imported) {
	if result.Event == 0 {
		result.Event = in.at[result.ID]
	}
	if _, is := in.own[result.ID]; result.Status == New && !is { // somebody else imported the same puzzle just now
		*result = Imported{Schema: "import/1", ID: result.ID, Status: Known, Event: result.Event}
	}
}

// markEquivalent marks new puzzles that are equal to earlier ones up to symmetry.
func (r *Registry) markEquivalent(ctx context.Context, results []Imported) error {
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	return r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for i := range results {
			if results[i].Status != New {
				continue
			}
			p, _, err := pools.Get(tx, results[i].ID)
			if err != nil {
				return err
			}
			results[i].Equivalent = p.Equivalent
		}
		return nil
	})
}

// sift finds the known puzzles, and returns the indexes of the others, each puzzle once.
func (r *Registry) sift(ctx context.Context, puzzles []raters.Puzzle, own map[string]Imported) (results []Imported, fresh []int, err error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, nil, err
	}
	results = make([]Imported, len(puzzles))
	seen := map[string]bool{}
	for i, p := range puzzles {
		id := p.ID()
		k, known, err := r.find(id)
		switch {
		case err != nil:
			return nil, nil, err
		case known && own[id].ID != "" && !seen[id]:
			results[i], seen[id] = own[id], true
			results[i].Event = k.Facts[0].Seq
		case known:
			results[i] = Imported{Schema: "import/1", ID: id, Status: Known, Event: k.Facts[0].Seq}
		case seen[id]:
			results[i] = Imported{Schema: "import/1", ID: id, Status: Known}
		default:
			fresh, seen[id] = append(fresh, i), true
		}
	}
	return results, fresh, nil
}

// importDecision is the result of a puzzle and the facts of its import. There are none when it is refused.
type importDecision struct {
	result Imported
	facts  []fact
	err    error
}

// filingAskers returns the askers of the raters that file the pools of puzzles. If such a rater no longer runs, it is
// the default rater of the variant.
func (r *Registry) filingAskers(ctx context.Context, puzzles []raters.Puzzle) (engine.Askers, error) {
	all := engine.Askers{}
	for _, p := range puzzles {
		if _, known := all[[2]string{p.Genre, p.Variant}]; known {
			continue
		}
		v, err := engine.Find(r.Genres, p.Genre, p.Variant)
		if err != nil {
			return nil, err
		}
		a, err := r.adoption(poolName{genre: v.Genre, variant: v.Name})
		if err != nil {
			return nil, err
		}
		rater, runs, err := r.raterAt(ctx, v, a.Adopted.Rater, a.Adopted.Version)
		if err != nil {
			return nil, err
		}
		if !runs {
			rater = v.Scales[0].Rater
		}
		all.Add(r.Genres, engine.Of(v, rater))
	}
	return all, nil
}

// judge lets the crew rate puzzles of the request, and proves them itself.
func (r *Registry) judge(ctx context.Context, req ImportRequest, asks engine.Askers, part []int) []importDecision {
	questions := make([]engine.Question, len(part))
	for i, at := range part {
		questions[i] = engine.About(req.Puzzles[at])
		questions[i].Want = engine.TheSteps
	}
	answers, err := asks.Ask(ctx, r.crew(), questions)
	if err != nil {
		return []importDecision{{err: err}}
	}
	out := make([]importDecision, len(part))
	for i, at := range part {
		p := req.Puzzles[at]
		rater, err := asks.Rater(p)
		if err == nil {
			err = answers[i].Err
		}
		if err == nil {
			out[i].result, out[i].facts, err = r.prove(ctx, req, p, rater, engine.Describe(p, rater, answers[i]))
		}
		if out[i].err = err; err != nil {
			return out[:i+1]
		}
	}
	return out
}

// prove proves a rated puzzle, and returns the facts of its import.
func (r *Registry) prove(ctx context.Context, req ImportRequest, p raters.Puzzle, rater raters.Rater, rating engine.Rating) (Imported, []fact, error) {
	v, err := engine.Find(r.Genres, p.Genre, p.Variant)
	if err != nil {
		return Imported{}, nil, err
	}
	result := Imported{Schema: "import/1", ID: rating.ID, Status: New, Outcome: rating.Outcome, Level: rating.Level, Score: rating.Score}
	solved, err := v.Solver.Solve(ctx, p)
	if err != nil || !rating.IsFact() || solved.Verdict != raters.Unique {
		result.Status, result.Reason = Refused, refusal(rating, solved, err)
		return result, nil, ctx.Err()
	}
	form, err := canonicalForm(v, p)
	if err != nil {
		return Imported{}, nil, err
	}
	key := events.ImportedKey(rating.ID)
	rated, err := ratedFact(rater, rating, puzzles.Source{Key: key})
	body := events.Imported{
		Puzzle: rating.ID, Genre: p.Genre, Variant: p.Variant, Text: p.Text,
		Solution: solved.Solutions[0], Nodes: solved.Nodes, Source: req.Source, Canonical: form, Reason: req.Reason,
	}
	return result, []fact{{key: key, body: body}, rated}, err
}

func refusal(rating engine.Rating, solved raters.Solution, err error) string {
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
