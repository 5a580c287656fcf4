package registry

import (
	"context"
	"strconv"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
)

// Record is everything on record about a puzzle: the object record/1.
type Record struct {
	Schema       string          `json:"schema"`
	ID           string          `json:"id"`
	Genre        string          `json:"genre"`
	Variant      string          `json:"variant"`
	Text         string          `json:"text"`
	Solution     string          `json:"solution"`
	Generations  []Generation    `json:"generations"`
	Imports      []Import        `json:"imports"`
	Provenance   []Provenance    `json:"provenance,omitempty"` // what came along
	Ratings      []engine.Rating `json:"ratings"`
	Publications []Publication   `json:"publications"`
	Drops        []Drop          `json:"drops"`
}

// Generation says how a generator made a puzzle.
type Generation struct {
	Generator int              `json:"generator"` // version
	Seed      string           `json:"seed"`
	Rater     string           `json:"rater"`                   // the rater whose level was requested
	Version   engine.Version   `json:"rater_version,omitempty"` // the rater's version, if it has a profile of its own
	Requested string           `json:"requested"`
	Level     string           `json:"level,omitempty"`
	Attempts  []events.Attempt `json:"attempts"`
	Nodes     uint64           `json:"nodes"`
	Event     events.Seq       `json:"event"`
}

// Import says when a puzzle came from outside.
type Import struct {
	Source string     `json:"source,omitempty"`
	Reason string     `json:"reason,omitempty"`
	Nodes  uint64     `json:"nodes"`
	Time   string     `json:"time"`
	Actor  string     `json:"actor"`
	Event  events.Seq `json:"event"`
}

// known is a puzzle on record with the events about it.
type known struct {
	ID       string
	Puzzle   raters.Puzzle
	Solution string
	Facts    []puzzles.Fact
}

// lookUp finds a puzzle on record.
func (r *Registry) lookUp(ctx context.Context, id string) (known, error) {
	if err := r.catchUp(ctx); err != nil {
		return known{}, err
	}
	return r.known(id)
}

// known is lookUp in the present table.
func (r *Registry) known(id string) (known, error) {
	k, ok, err := r.find(id)
	if err == nil && !ok {
		err = input.Errorf("no puzzle %q is on record", id)
	}
	return k, err
}

// find returns a puzzle and whether it is on record, by the present table.
func (r *Registry) find(id string) (k known, ok bool, err error) {
	err = r.Store.View(puzzles.Table.Name(), func(tx *projections.Tx) error {
		var p puzzles.Puzzle
		if p, ok, err = puzzles.Get(tx, id); err != nil || !ok {
			return err
		}
		k = known{ID: id, Puzzle: raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: p.Text}, Solution: p.Solution}
		k.Facts, err = puzzles.Facts(tx, id)
		return err
	})
	return k, ok, err
}

// source says how a puzzle was recorded first.
func (r *Registry) source(id string) (puzzles.Source, error) {
	facts, err := r.facts(id)
	return puzzles.SourceOf(facts), err
}

func (r *Registry) facts(id string) ([]puzzles.Fact, error) {
	return projections.Query(r.Store, puzzles.Table, func(tx *projections.Tx) ([]puzzles.Fact, error) { return puzzles.Facts(tx, id) })
}

// Show returns everything on record about a puzzle.
func (r *Registry) Show(ctx context.Context, id string) (Record, error) {
	k, err := r.lookUp(ctx, id)
	if err != nil {
		return Record{}, err
	}
	return r.recordOf(ctx, k)
}

func (r *Registry) recordOf(ctx context.Context, k known) (Record, error) {
	rec := Record{
		Schema: "record/1", ID: k.ID, Genre: k.Puzzle.Genre, Variant: k.Puzzle.Variant, Text: k.Puzzle.Text, Solution: k.Solution,
		Generations: []Generation{}, Imports: []Import{}, Ratings: []engine.Rating{}, Publications: []Publication{}, Drops: []Drop{},
	}
	for _, f := range k.Facts {
		e, err := r.Log.Get(ctx, f.Key)
		if err != nil {
			return Record{}, err
		}
		rec.add(e)
	}
	return rec, nil
}

func (rec *Record) add(e events.Event) {
	switch b := e.Body.(type) {
	case events.Generated:
		rec.Generations = append(rec.Generations, recordedGeneration(e, b))
	case events.Imported:
		rec.Imports = append(rec.Imports, recordedImport(e, b))
	case events.Provenance:
		rec.Provenance = append(rec.Provenance, recordedProvenance(e, b))
	case events.Rated:
		rec.Ratings = append(rec.Ratings, recordedRating(e, b))
	case events.Published:
		rec.Publications = append(rec.Publications, recordedPublication(e, b))
	case events.Dropped, events.Restored:
		rec.Drops = addDrop(rec.Drops, e)
	case events.Withdrawn:
		for i := range rec.Publications {
			if p := &rec.Publications[i]; p.Series == b.Series && p.Date == b.Date && p.Revision == b.Revision {
				p.Withdrawn = endedBy(e, b.Reason)
			}
		}
	}
}

// solveOnRecord returns the recorded solve of a rating on record.
func (r *Registry) solveOnRecord(ctx context.Context, v engine.Rating) (raters.Rating, error) {
	_, b, err := events.Of[events.Rated](ctx, r.Log, events.RatedKey(v.ID, v.Rater, string(v.Version)))
	if err != nil {
		return raters.Rating{}, err
	}
	return engine.RecordedSteps(b)
}

// ShowSteps is Show, with the recorded steps of each rating.
func (r *Registry) ShowSteps(ctx context.Context, id string) (Record, error) {
	rec, err := r.Show(ctx, id)
	if err != nil {
		return rec, err
	}
	for i := range rec.Ratings {
		solve, err := r.solveOnRecord(ctx, rec.Ratings[i])
		if err != nil {
			return rec, err
		}
		rec.Ratings[i].Steps = engine.StepsOf(solve)
	}
	return rec, nil
}

func recordedImport(e events.Event, b events.Imported) Import {
	return Import{Source: b.Source, Reason: b.Reason, Nodes: b.Nodes, Time: stamp(e.Time), Actor: e.Actor, Event: e.Seq}
}

func recordedGeneration(e events.Event, b events.Generated) Generation {
	return Generation{
		Generator: b.Origin.Version, Seed: strconv.FormatUint(b.Origin.Seed, 10),
		Rater: b.Rater, Version: engine.Version(b.Version), Requested: b.Requested, Level: b.Level, Attempts: b.Attempts, Nodes: b.Nodes, Event: e.Seq,
	}
}

// OfSeed returns the IDs of the puzzles on record that a generator version made of a seed, named as
// <genre>/<variant>/g<version>/<seed>.
func (r *Registry) OfSeed(ctx context.Context, name string) ([]string, error) {
	parts := strings.Split(name, "/")
	if len(parts) != 4 || !strings.HasPrefix(parts[2], "g") {
		return nil, input.Errorf("%q is not <genre>/<variant>/g<version>/<seed>, such as chain/daily/g1/42", name)
	}
	version, err := strconv.Atoi(parts[2][1:])
	if err != nil {
		return nil, input.Errorf("generator version %q is not g and a number", parts[2])
	}
	seed, err := strconv.ParseUint(parts[3], 10, 64)
	if err != nil {
		return nil, input.Errorf("seed %q is not a number from 0 to 18446744073709551615", parts[3])
	}
	ids, err := read(ctx, r, puzzles.Table, func(tx *projections.Tx) ([]string, error) {
		return puzzles.OfSeed(tx, parts[0], parts[1], events.Origin{Version: version, Seed: seed})
	})
	if err == nil && len(ids) == 0 {
		err = input.Errorf("no puzzle of seed %s is on record", name)
	}
	return ids, err
}
