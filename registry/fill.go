package registry

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
	"assay/raters/seedrand"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/jobs"
)

// DefaultPerShelf is the default number of unpublished puzzles for each shelf.
const DefaultPerShelf = 1000

// MaxPerShelf is the largest number.
const MaxPerShelf = 1_000_000

// fillStall ends a filling when this many candidates in a row were dropped: there may be no more puzzles for the
// shelves with room. That happens for a size with few puzzles, or under a profile that gives a level to none.
const fillStall = 100_000

// maxConflicts is how often a filling continues after another one has recorded something first.
const maxConflicts = 1000

// FillRequest asks for puzzles until each shelf of a pool has PerShelf unpublished ones.
type FillRequest struct {
	Pool       string // genre/variant
	PerShelf   int
	Seed       *uint64 // the seed of the stream of candidates; nil continues the last stream, or begins the registry's own
	Candidates uint64  // at most this many; 0 is no limit
	Actor      string
	Progress   func(Filling) // called after each block; may be nil
}

// Filling is the progress of a filling.
type Filling struct {
	Candidates   uint64
	Held, Wanted int // puzzles, over all shelves
}

// Fill is the result of a filling: the object pool-fill/1.
type Fill struct {
	Schema     string         `json:"schema"`
	Pool       string         `json:"pool"`
	Rater      string         `json:"rater"`
	Version    engine.Version `json:"version"`
	Generator  int            `json:"generator"`
	PerShelf   int            `json:"per_level"`
	Seed       string         `json:"seed"`
	Candidates uint64         `json:"candidates"`
	Outcomes   map[string]int `json:"outcomes"`          // kept, full, duplicate, outside, budget
	Full       bool           `json:"full"`              // every shelf holds what it should
	Stalled    bool           `json:"stalled,omitempty"` // it gave up because it dropped very many candidates in a row
	Shelves    []PoolShelf    `json:"shelves"`
}

// These are the outcomes of a candidate.
const (
	kept      = "kept"
	full      = "full"      // its shelf was
	duplicate = "duplicate" // it, or one that is equal up to symmetry, is on record
	outside   = "outside"   // the pool has no shelf for its level, or the rater could not finish it
	budget    = "budget"    // the engine's work budget ran out
)

// filler is the state of a filling.
type filler struct {
	*Registry
	FillRequest
	name     poolName
	adopted  events.Adopted
	variant  raters.Variant
	rater    raters.Rater
	work     jobs.Work[raters.Request, engine.Grown]
	aim      aim
	seed     uint64
	next     uint64          // number of the next candidate to be made
	lastKept uint64          // number of the last candidate that was kept, or of the first one
	fresh    map[string]bool // IDs and canonical forms of puzzles kept in this run
	spoilt   int             // wrong results of workers before this run began
}

// candidate is a puzzle to be made.
type candidate struct {
	number uint64
	raters.Request
	open []string // levels whose shelves had room when it was requested; the other shelves have none when it is made
}

// candidateResult is a candidate with the generated puzzle and its rating.
type candidateResult struct {
	number uint64
	made   engine.Made
}

// FillPool makes candidates, aimed at the emptiest shelf, and records those for whose shelf there is room, one block of
// candidates at a time, until every shelf is full. After an interruption the recorded blocks stay, and the next filling
// continues after them.
func (r *Registry) FillPool(ctx context.Context, req FillRequest) (Fill, error) {
	name, err := checkFill(req)
	if err != nil {
		return Fill{}, err
	}
	result := Fill{Schema: "pool-fill/1", Pool: name.String(), PerShelf: req.PerShelf, Outcomes: map[string]int{}}
	for tries := maxConflicts; ; tries-- {
		f, err := r.newFiller(ctx, name, req)
		if err != nil {
			return result, err
		}
		result.Rater, result.Version, result.Generator = f.adopted.Rater, engine.Version(f.adopted.Version), f.variant.Generator.Version()
		result.Seed = strconv.FormatUint(f.seed, 10)
		err = f.run(ctx, &result)
		if (isConflict(err) || errors.Is(err, errSpoilt)) && tries > 0 {
			continue // somebody else recorded a puzzle or a block just now, or a worker lied: continue from there
		}
		if engine.IsStopped(err) {
			err = fmt.Errorf("stopped after %d candidates, and the next filling goes on from there: %w", result.Candidates, err)
		}
		if err != nil {
			return result, err
		}
		result.Full = f.aim.full()
		if err := r.catchUp(ctx); err != nil {
			return result, err
		}
		result.Shelves, err = r.stock(f.adopted, false)
		return result, err
	}
}

func checkFill(req FillRequest) (poolName, error) {
	if req.PerShelf < 1 || req.PerShelf > MaxPerShelf {
		return poolName{}, input.Errorf("%d puzzles a level is not 1 to %d", req.PerShelf, MaxPerShelf)
	}
	return parsePool(req.Pool, false)
}

// newFiller continues the filling of a pool where the record ends.
func (r *Registry) newFiller(ctx context.Context, name poolName, req FillRequest) (*filler, error) {
	adoption, err := r.usePool(ctx, name, req.Actor)
	if err != nil {
		return nil, err
	}
	f := &filler{Registry: r, FillRequest: req, name: name, adopted: adoption.Adopted, fresh: map[string]bool{}, spoilt: r.spoilt(ctx)}
	if f.variant, f.rater, err = r.poolRater(ctx, f.adopted); err != nil {
		return nil, err
	}
	e := engine.Of(f.variant, f.rater)
	e.Generator = f.variant.Generator.Version()
	if f.work, err = engine.Candidates(r.Genres).Under(e); err != nil {
		return nil, err
	}
	shelves, err := r.stock(f.adopted, false)
	if err != nil {
		return nil, err
	}
	f.aim = aimAt(shelves, f.rater, req.PerShelf)
	return f, f.goOn()
}

// goOn finds the number of the first candidate and the stream of their seeds.
func (f *filler) goOn() error {
	var last pools.Block
	var goesOn bool
	err := f.Store.View(pools.Table.Name(), func(tx *projections.Tx) (err error) {
		last, goesOn, err = pools.LastBlock(tx, f.name.genre, f.name.variant, f.variant.Generator.Version())
		return err
	})
	if err != nil {
		return err
	}
	if goesOn {
		f.aim.start, f.aim.recent = last.Last+1, last.Kept
	}
	f.next, f.lastKept = f.aim.start, f.aim.start
	switch {
	case f.Seed != nil:
		f.seed = *f.Seed
	case goesOn:
		f.seed = last.Seed
	default:
		f.seed, err = f.ownSeed()
	}
	return err
}

// poolSecret names the secret that pools are filled from.
const poolSecret = "pools"

// ownSeed returns the stream of this registry's own candidates: the first 64 bits, big-endian, of HMAC-SHA-256(secret,
// "pool/<genre>/<variant>"). The oldest puzzle of a shelf is the next to be published, so a known stream would reveal
// the days to come.
func (f *filler) ownSeed() (uint64, error) {
	secret, err := f.Secrets.Make(poolSecret)
	if err != nil {
		return 0, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("pool/" + f.name.String()))
	return binary.BigEndian.Uint64(mac.Sum(nil)), nil
}

// run makes and records candidates until the shelves are full, and adds the recorded ones to the result.
func (f *filler) run(ctx context.Context, result *Fill) error {
	if f.aim.full() {
		return nil
	}
	b := f.block(f.aim.start)
	for g := range jobs.Feedback(ctx, f.crew(), fillLag, f.ask, f.grow) {
		if err := f.decide(ctx, g, b); err != nil {
			return fmt.Errorf("candidate %d of %s: %w", g.number, f.name, err)
		}
		result.Stalled = g.number-f.lastKept >= fillStall
		done := f.aim.full() || result.Stalled || result.Candidates+b.size() == f.Candidates
		if !done && !b.full() {
			continue
		}
		if err := f.commit(ctx, b, result); err != nil || done {
			return err
		}
		b = f.block(g.number + 1)
	}
	return ctx.Err()
}

// ask returns the next candidate, aimed at the emptiest shelf.
func (f *filler) ask() (candidate, bool) {
	c := candidate{number: f.next, open: f.aim.open()}
	c.Variant, c.Rater, c.Cap = f.name.variant, f.adopted.Rater, f.aim.at(c.number)
	c.Seed = seedrand.Sub(f.seed, "pool/"+f.name.String(), c.number, 0)
	f.next++
	return c, true
}

// grow lets an engine make a candidate, and rates it if it may be kept.
func (f *filler) grow(ctx context.Context, c candidate) candidateResult {
	m := engine.Made{Variant: f.variant, Rater: f.rater, Request: c.Request, Grown: engine.DoOne(ctx, f.crew(), f.work, c.Request)}
	if m.Err == nil && slices.Contains(c.open, m.Level) {
		m.Ask(ctx, f.rater)
	}
	return candidateResult{c.number, m}
}

// decide sets the outcome of a candidate, and adds the candidate to the block.
func (f *filler) decide(ctx context.Context, g candidateResult, b *block) error {
	outcome, facts, err := f.judge(ctx, g)
	if err != nil {
		return err
	}
	b.add(g, outcome, facts)
	if outcome == kept {
		f.lastKept = g.number
		f.aim.keep(g.made.Level)
	}
	return nil
}

func (f *filler) judge(ctx context.Context, g candidateResult) (outcome string, facts []fact, err error) {
	if errors.Is(g.made.Err, raters.ErrBudget) {
		return budget, nil, nil
	}
	if g.made.Err != nil {
		return "", nil, g.made.Err
	}
	if shelf, room := f.aim.room(g.made.Level); !shelf {
		return outside, nil, nil
	} else if !room {
		return full, nil, nil
	}
	known, err := f.isKnown(g.made.Made.Puzzle)
	if known || err != nil {
		return duplicate, nil, err
	}
	facts, err = madeFacts(ctx, g.made)
	return kept, facts, err
}

// isKnown reports whether a puzzle, or one that is equal up to symmetry, is on record or was kept in this run. If not,
// it notes the puzzle as kept.
func (f *filler) isKnown(p raters.Puzzle) (known bool, err error) {
	id := p.ID()
	form, err := canonicalForm(f.variant, p)
	if err != nil || f.fresh[id] || f.fresh[string(form[:])] {
		return true, err
	}
	err = f.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		var same string
		if _, known, err = pools.Get(tx, id); known || err != nil || form == (events.Form{}) {
			return err
		}
		same, err = pools.Known(tx, p.Genre, p.Variant, form)
		known = same != ""
		return err
	})
	if err == nil && !known {
		f.fresh[id] = true
		if form != (events.Form{}) {
			f.fresh[string(form[:])] = true
		}
	}
	return known, err
}

// block begins the next block with a candidate.
func (f *filler) block(first uint64) *block {
	return &block{body: events.Filled{
		Genre: f.name.genre, Variant: f.name.variant, Generator: f.variant.Generator.Version(), Rater: f.adopted.Rater, Version: f.adopted.Version,
		Seed: f.seed, First: first, PerShelf: f.PerShelf,
	}}
}

// commit records a block in one step.
func (f *filler) commit(ctx context.Context, b *block, result *Fill) error {
	if f.Registry.spoilt(ctx) != f.spoilt {
		return errSpoilt
	}
	receipt, err := f.record(ctx, f.Actor, b.all()...)
	if err != nil {
		return err
	}
	if !receipt[len(receipt)-1].Appended {
		return nil // another filling of the same seed recorded this block first
	}
	result.Candidates += b.size()
	for _, c := range b.body.Counts {
		result.Outcomes[c.Outcome] += c.Count
	}
	if f.Progress != nil {
		f.Progress(f.aim.progress(result.Candidates))
	}
	return nil
}
