package registry

import (
	"context"
	"slices"

	"assay/events"
	"assay/events/plain"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/jobs"
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

	// Equivalent is an earlier puzzle that a new one is the same as up to symmetry: no shelf takes it.
	Equivalent string `json:"equivalent,omitempty"`
}

// The statuses of an import.
const (
	New     = "new"
	Known   = "known"
	Refused = "refused"
)

// MaxImport is how many puzzles are best imported at a time: enough that all cores have work while some
// of them are recorded.
const MaxImport = 10 * events.MaxBatch

// ImportRequest brings puzzles.
type ImportRequest struct {
	Puzzles []raters.Puzzle
	Source  string // the file's name, or ""
	Actor   string
	Reason  string
}

// Import takes in puzzles from outside, each with the proof that it has one solution and the
// verdict of the rater that files its pool, and tells of each in turn what became of it. One that is on record stays as it is; one
// with no solution or several is refused. Puzzles are proven and rated on all cores, and recorded in
// order, as many at a time as one append takes; when it ends early, those told of as new may be on record.
func (r *Registry) Import(ctx context.Context, req ImportRequest) ([]Imported, error) {
	if err := events.CheckText("source", req.Source); err != nil {
		return nil, badInput("the name of the file %s cannot be recorded as the %v: rename it, or import it from -", plain.Escape(req.Source), err)
	}
	if err := checkText("reason", req.Reason); err != nil {
		return nil, err
	}
	own := map[string]Imported{}
	for {
		results, err := r.importAll(ctx, req, own)
		if isConflict(err) {
			continue // somebody else imported one of them just now: it is known the next time round
		}
		return results, err
	}
}

// importAll imports what is not on record. Own are the puzzles that this import has put there.
func (r *Registry) importAll(ctx context.Context, req ImportRequest, own map[string]Imported) ([]Imported, error) {
	results, fresh, err := r.sift(ctx, req.Puzzles, own)
	if err != nil {
		return nil, err
	}
	batch := importing{Registry: r, actor: req.Actor, at: map[string]events.Seq{}, made: map[string]Imported{}, own: own}
	work := func(ctx context.Context, i int) judged { return r.judge(ctx, req.Puzzles[i], req) }
	next := 0
	for j := range jobs.Map(ctx, slices.Values(fresh), work) {
		if j.err != nil {
			return nil, j.err
		}
		results[fresh[next]] = j.result
		next++
		if err := batch.add(ctx, j); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := batch.record(ctx); err != nil {
		return nil, err
	}
	for i := range results {
		if results[i].Event == 0 {
			results[i].Event = batch.at[results[i].ID]
		}
		if _, is := own[results[i].ID]; results[i].Status == New && !is { // somebody else imported the same just now
			results[i] = Imported{Schema: "import/1", ID: results[i].ID, Status: Known, Event: results[i].Event}
		}
	}
	return results, r.markEquivalent(ctx, results)
}

// markEquivalent notes which new puzzles are the same as earlier ones up to symmetry.
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

// sift tells which puzzles are known, and gives the places of the others, each puzzle once.
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

// importing gathers facts into appends.
type importing struct {
	*Registry
	actor string
	facts []fact
	bytes int
	at    map[string]events.Seq // where each puzzle came on record
	made  map[string]Imported   // what became of each puzzle of the facts
	own   map[string]Imported   // what became of each that was appended
}

// add takes in the facts of a puzzle, after recording those before them if there is no room for more.
func (b *importing) add(ctx context.Context, j judged) error {
	size := 0
	for _, f := range j.facts {
		size += sizeOf(f)
	}
	if len(b.facts)+len(j.facts) > events.MaxBatch || b.bytes+size > fillBytes {
		if err := b.record(ctx); err != nil {
			return err
		}
	}
	b.facts, b.bytes = append(b.facts, j.facts...), b.bytes+size
	b.made[j.result.ID] = j.result
	return nil
}

func (b *importing) record(ctx context.Context) error {
	if len(b.facts) == 0 {
		return nil
	}
	receipt, err := b.Registry.record(ctx, b.actor, b.facts...)
	if err != nil {
		return err
	}
	for i, f := range b.facts {
		if body, ok := f.body.(events.Imported); ok {
			b.at[body.Puzzle] = receipt[i].Seq
			if receipt[i].Appended {
				b.own[body.Puzzle] = b.made[body.Puzzle]
			}
		}
	}
	b.facts, b.bytes = b.facts[:0], 0
	clear(b.made)
	return nil
}

// judged is what is to become of a puzzle, and the facts of its import, none when it is refused.
type judged struct {
	result Imported
	facts  []fact
	err    error
}

// judge proves and rates a puzzle.
func (r *Registry) judge(ctx context.Context, p raters.Puzzle, req ImportRequest) judged {
	result, facts, err := r.proveAndRate(ctx, p, req)
	return judged{result, facts, err}
}

func (r *Registry) proveAndRate(ctx context.Context, p raters.Puzzle, req ImportRequest) (Imported, []fact, error) {
	v, err := Find(r.Genres, p.Genre, p.Variant)
	if err != nil {
		return Imported{}, nil, err
	}
	rater, err := r.filingRater(ctx, v)
	if err != nil {
		return Imported{}, nil, err
	}
	rating, err := Rate(ctx, rater, p)
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
	rated, err := ratedFact(rater, rating, nil)
	body := events.Imported{
		Puzzle: rating.ID, Genre: p.Genre, Variant: p.Variant, Text: p.Text,
		Solution: solved.Solutions[0], Nodes: solved.Nodes, Source: req.Source, Canonical: form, Reason: req.Reason,
	}
	return result, []fact{{key: events.ImportedKey(rating.ID), body: body}, rated}, err
}

// filingRater gives the rater that files a pool, or the variant's default when that one no longer runs.
func (r *Registry) filingRater(ctx context.Context, v raters.Variant) (raters.Rater, error) {
	a, err := r.adoption(poolName{genre: v.Genre, variant: v.Name})
	if err != nil {
		return nil, err
	}
	rater, runs, err := r.raterAt(ctx, v, a.Adopted.Rater, a.Adopted.Version)
	if err == nil && !runs {
		rater = v.Scales[0].Rater
	}
	return rater, err
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
