package registry

import (
	"context"
	"slices"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/frequency"
	"assay/projections/pools"
	"assay/raters"
)

// Frequency tells how often each technique is needed on a shelf, or in a whole pool: the object freq/1. It
// counts all puzzles on record that the rater version gave the level.
type Frequency struct {
	Schema     string               `json:"schema"`
	Pool       string               `json:"pool"` // genre/variant, or genre/variant/level
	Rater      string               `json:"rater"`
	Version    Version              `json:"version"`
	Order      []string             `json:"order"` // in which the rater tries the techniques
	Seq        events.Seq           `json:"seq"`   // the position in the log that it stands for
	Puzzles    int                  `json:"puzzles"`
	Clues      Clues                `json:"clues"`
	Scores     []ScoreCount         `json:"scores,omitempty"` // lowest first; absent when the rater has no scores
	Techniques []TechniqueFrequency `json:"techniques"`       // in the rater's order
}

// Clues tells how many givens the puzzles have.
type Clues struct {
	Min  int     `json:"min"`
	Mean float64 `json:"mean"`
	Max  int     `json:"max"`
}

// ScoreCount counts the puzzles of one score.
type ScoreCount struct {
	Score   int `json:"score"`
	Puzzles int `json:"puzzles"`
}

// TechniqueFrequency is how often a technique is needed.
type TechniqueFrequency struct {
	Name     string `json:"name"`
	Level    string `json:"level,omitempty"`
	Using    int    `json:"using"`    // puzzles that use it
	Uses     int    `json:"uses"`     // times it is used
	Deciding int    `json:"deciding"` // puzzles of whose level it is
}

// FrequencyQuery says what is to be counted.
type FrequencyQuery struct {
	Pool  string     // genre/variant, or genre/variant/level
	Rater string     // "name" or "name@version"; "" is the one that files the pool
	AsOf  events.Seq // count only events up to this one; 0 is all
}

// counted names what a query counts.
type counted struct {
	name    poolName
	rater   string
	version string
	order   []events.Technique
	levels  []string
}

// shelves names the shelves that are counted.
func (c counted) shelves() []frequency.Shelf {
	list := make([]frequency.Shelf, len(c.levels))
	for i, level := range c.levels {
		list[i] = frequency.Shelf{Genre: c.name.genre, Variant: c.name.variant, Rater: c.rater, Version: c.version, Level: level}
	}
	return list
}

// Frequency counts the techniques of a shelf or a pool.
func (r *Registry) Frequency(ctx context.Context, q FrequencyQuery) (Frequency, error) {
	if err := r.catchUp(ctx); err != nil {
		return Frequency{}, err
	}
	c, err := r.counted(ctx, q)
	if err != nil {
		return Frequency{}, err
	}
	tally, err := r.tally(ctx, c, q.AsOf)
	if err != nil {
		return Frequency{}, err
	}
	return c.frequency(tally), nil
}

// counted finds the rater, its order and the levels that a query is about.
func (r *Registry) counted(ctx context.Context, q FrequencyQuery) (counted, error) {
	name, err := parsePool(q.Pool, true)
	if err != nil {
		return counted{}, err
	}
	adoption, err := r.adoptionAt(name, q.AsOf)
	if err != nil {
		return counted{}, err
	}
	g, err := Find(r.Genres, name.genre)
	if err != nil {
		return counted{}, err
	}
	a := adoption.Adopted
	c := counted{name: name, rater: a.Rater, version: a.Version, order: a.Order, levels: a.Levels}
	if q.Rater != "" {
		if err := r.countBy(ctx, g, &c, q.Rater); err != nil {
			return c, err
		}
	}
	if len(c.levels) == 0 { // of a rater without levels
		c.levels = []string{""}
	}
	if name.level == "" {
		return c, nil
	}
	if !slices.Contains(c.levels, name.level) {
		return c, badInput("%s %s gives no puzzle of %s/%s the level %q; it has %s", c.rater, c.version, name.genre, name.variant, name.level, strings.Join(c.levels, ", "))
	}
	c.levels = []string{name.level}
	return c, nil
}

// countBy takes another rater than the one that files the pool. Its order is the engine's, or else the
// one it was adopted with.
func (r *Registry) countBy(ctx context.Context, g raters.Genre, c *counted, text string) error {
	n, err := r.named(ctx, g, text)
	if err != nil || n.Rater == c.rater && string(n.Version) == c.version {
		return err
	}
	c.rater, c.version, c.order = n.Rater, string(n.Version), nil
	if c.levels, err = r.levelsBy(g, c.name.variant, n); err != nil {
		return err
	}
	if n.runs != nil {
		c.order = orderOf(n.runs)
		return nil
	}
	return r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		list, err := pools.Adoptions(tx, c.name.genre, c.name.variant)
		for _, a := range list {
			if a.Adopted.Rater == c.rater && a.Adopted.Version == c.version {
				c.order, c.levels = a.Adopted.Order, a.Adopted.Levels
			}
		}
		return err
	})
}

// tally is the counts of all shelves of a query.
type tally struct {
	frequency.Counts
	scores []frequency.Score
	seq    events.Seq
}

func (r *Registry) tally(ctx context.Context, c counted, asOf events.Seq) (tally, error) {
	seq, err := r.Store.Cursor(frequency.Table.Name())
	if err != nil {
		return tally{}, err
	}
	if asOf != 0 && asOf < seq {
		return r.tallyAsOf(ctx, c, asOf)
	}
	if asOf > seq {
		return tally{}, badInput("event %d is to come: the log has %d", asOf, seq)
	}
	t := tally{seq: seq}
	err = r.Store.View(frequency.Table.Name(), func(tx *projections.Tx) error {
		for _, shelf := range c.shelves() {
			counts, err := shelf.Counts(tx)
			if err != nil {
				return err
			}
			t.Merge(counts)
			scores, err := shelf.Scores(tx)
			if err != nil {
				return err
			}
			t.scores = addScores(t.scores, scores...)
		}
		return nil
	})
	return t, err
}

// tallyAsOf counts from the log, up to an event.
func (r *Registry) tallyAsOf(ctx context.Context, c counted, asOf events.Seq) (tally, error) {
	t, shelves := tally{seq: asOf}, c.shelves()
	for e, err := range r.Log.Read(ctx, 0) {
		if err != nil {
			return t, err
		}
		if e.Seq > asOf {
			break
		}
		rated, ok := e.Body.(events.Rated)
		if !ok || !slices.Contains(shelves, frequency.ShelfOf(rated)) {
			continue
		}
		t.Add(rated)
		if rated.Score != nil {
			t.scores = addScores(t.scores, frequency.Score{Score: *rated.Score, Puzzles: 1})
		}
	}
	return t, nil
}

// addScores adds counts to a distribution in order of score.
func addScores(scores []frequency.Score, more ...frequency.Score) []frequency.Score {
	for _, s := range more {
		at, found := slices.BinarySearchFunc(scores, s.Score, func(a frequency.Score, score int) int { return a.Score - score })
		if found {
			scores[at].Puzzles += s.Puzzles
		} else {
			scores = slices.Insert(scores, at, s)
		}
	}
	return scores
}

func (c counted) frequency(t tally) Frequency {
	f := Frequency{
		Schema: "freq/1", Pool: c.name.String(), Rater: c.rater, Version: Version(c.version), Seq: t.seq,
		Order: []string{}, Techniques: []TechniqueFrequency{}, Puzzles: t.Puzzles, Clues: Clues{Min: t.MinClues, Max: t.MaxClues},
	}
	if t.Puzzles > 0 {
		f.Clues.Mean = float64(t.SumClues) / float64(t.Puzzles)
	}
	for _, s := range t.scores {
		f.Scores = append(f.Scores, ScoreCount{s.Score, s.Puzzles})
	}
	for _, o := range c.order {
		f.Order = append(f.Order, o.Name)
		counts := frequency.Technique{}
		if i := indexOf(t.Techniques, o.Name); i >= 0 {
			counts = t.Techniques[i]
		}
		f.add(o.Name, o.Level, counts)
	}
	for _, counts := range t.Techniques { // of a rater whose order is not on record
		if !slices.Contains(f.Order, counts.Name) {
			f.add(counts.Name, "", counts)
		}
	}
	return f
}

func indexOf(list []frequency.Technique, name string) int {
	return slices.IndexFunc(list, func(t frequency.Technique) bool { return t.Name == name })
}

func (f *Frequency) add(name, level string, t frequency.Technique) {
	f.Techniques = append(f.Techniques, TechniqueFrequency{Name: name, Level: level, Using: t.Using, Uses: t.Uses, Deciding: t.Deciding})
}
