package registry

import (
	"context"
	"slices"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters/logic"
	"assay/registry/engine"
)

// Frequency says how often each technique is needed on a shelf, or on all shelves of a pool: the object freq/1. It
// counts the puzzles that the rater which files the pool has put there, whichever rater's techniques are counted.
type Frequency struct {
	Schema     string               `json:"schema"`
	Pool       string               `json:"pool"`            // genre/variant, or genre/variant/level
	Stuck      bool                 `json:"stuck,omitempty"` // it counts the stuck puzzles
	All        bool                 `json:"all,omitempty"`   // it counts all puzzles on record, on a shelf or not
	Rater      string               `json:"rater"`
	Version    engine.Version       `json:"version"`
	Order      []string             `json:"order"` // in which the rater tries the techniques
	Seq        events.Seq           `json:"seq"`   // the position in the log of this answer
	Puzzles    int                  `json:"puzzles"`
	Unrated    int                  `json:"unrated,omitempty"` // further puzzles that the rater has not rated
	Clues      Clues                `json:"clues"`
	Scores     []ScoreCount         `json:"scores,omitempty"` // lowest first; absent when the rater has no scores
	Techniques []TechniqueFrequency `json:"techniques"`       // in the rater's order
}

// Clues describes how many givens the puzzles have.
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
	Deciding int    `json:"deciding"` // puzzles with the level of the technique
}

// FrequencyQuery says what to count.
type FrequencyQuery struct {
	Pool  string      // genre/variant, or genre/variant/level
	Rater string      // "name" or "name@version"; "" is the one that files the pool
	Stuck bool        // count the puzzles that the rater which files the pool got stuck on, instead of the others
	All   bool        // count all puzzles on record, on a shelf or not
	AsOf  *events.Seq // how many events the log had; nil is now
}

// frequencyScope is what a query counts.
type frequencyScope struct {
	name   poolName
	choice pools.Choice
	whole  bool // the choice is all puzzles of a pool
	by     RaterVersion
	order  []logic.Technique
}

// Frequency counts the techniques of a shelf or a pool.
func (r *Registry) Frequency(ctx context.Context, q FrequencyQuery) (f Frequency, err error) {
	err = r.poolsAt(ctx, q.AsOf, func(tx *projections.Tx, seq events.Seq) error {
		c, err := r.counted(ctx, tx, q)
		if err == nil {
			f, err = c.frequency(tx, seq)
		}
		return err
	})
	return f, err
}

// counted finds the puzzles, the rater and the order of its techniques for a query.
func (r *Registry) counted(ctx context.Context, tx *projections.Tx, q FrequencyQuery) (c frequencyScope, err error) {
	if c.name, err = parsePool(q.Pool, true); err != nil {
		return c, err
	}
	adoption, err := r.adoptionIn(tx, c.name)
	if err != nil {
		return c, err
	}
	a := adoption.Adopted
	if c.choice, err = choiceOf(a, c.name.level, q.Stuck, q.All); err != nil {
		return c, err
	}
	c.by, c.order = RaterVersion{a.Rater, engine.Version(a.Version)}, a.Order
	levels := a.Levels
	if q.Rater != "" {
		if levels, err = r.countBy(ctx, tx, &c, q.Rater); err != nil {
			return c, err
		}
	}
	if c.whole = len(c.choice.Levels) == 0; c.whole { // whatever the rater has rated
		c.choice.Files = c.by.key()
		c.choice.Levels, err = pools.Levels(tx, c.name.genre, c.name.variant, c.by.key())
		slices.SortStableFunc(c.choice.Levels, func(a, b string) int { return slices.Index(levels, a) - slices.Index(levels, b) })
	}
	return c, err
}

// countBy sets another rater than the one that files the pool, and returns its levels. The order of its techniques is
// that of the engine, or else the one with which it was adopted.
func (r *Registry) countBy(ctx context.Context, tx *projections.Tx, c *frequencyScope, text string) (levels []string, err error) {
	v, err := engine.Find(r.Genres, c.name.genre, c.name.variant)
	if err != nil {
		return nil, err
	}
	n, err := r.named(ctx, v, text)
	if err != nil {
		return nil, err
	}
	if levels, err = r.levelsBy(v, n); err != nil || n.RaterVersion == c.by {
		return levels, err
	}
	c.by, c.order = n.RaterVersion, nil
	if n.runs != nil {
		c.order = engine.OrderOf(n.runs)
		return levels, nil
	}
	list, err := pools.Adoptions(tx, c.name.genre, c.name.variant)
	for _, a := range list {
		if a.Adopted.Rater == n.Rater && a.Adopted.Version == string(n.Version) {
			c.order, levels = a.Adopted.Order, a.Adopted.Levels
		}
	}
	return levels, err
}

func (c frequencyScope) frequency(tx *projections.Tx, seq events.Seq) (Frequency, error) {
	f := Frequency{
		Schema: "freq/1", Pool: c.name.String(), Stuck: c.choice.Stuck, All: c.choice.All, Rater: c.by.Rater, Version: c.by.Version, Seq: seq,
		Order: []string{}, Techniques: []TechniqueFrequency{},
	}
	names, err := pools.Techniques(tx, c.name.genre, c.name.variant, c.by.key())
	if err != nil {
		return f, err
	}
	counts, unrated, err := c.choice.Counts(tx, c.by.key())
	if err == nil && c.whole {
		unrated, err = pools.Unrated(tx, c.name.genre, c.name.variant, c.by.key())
	}
	f.Puzzles, f.Unrated, f.Clues = counts.Puzzles, unrated, cluesOf(counts.Clues)
	for _, s := range counts.Scores {
		f.Scores = append(f.Scores, ScoreCount{s.Value, s.Puzzles})
	}
	for _, o := range c.order {
		f.Order = append(f.Order, o.Name)
		f.add(o.Name, o.Level, counts, slices.Index(names, o.Name))
	}
	for i, name := range names { // the order of this rater is not on record
		if !slices.Contains(f.Order, name) {
			f.add(name, "", counts, i)
		}
	}
	return f, err
}

// add adds a technique by its index in the counts.
func (f *Frequency) add(name, level string, counts pools.Counts, at int) {
	var t pools.Technique
	if at >= 0 && at < len(counts.Techniques) {
		t = counts.Techniques[at]
	}
	f.Techniques = append(f.Techniques, TechniqueFrequency{Name: name, Level: level, Using: t.Using, Uses: t.Uses, Deciding: t.Deciding})
}

func cluesOf(bins []pools.Bin) (c Clues) {
	if len(bins) == 0 {
		return c
	}
	puzzles, sum := 0, 0
	for _, b := range bins {
		puzzles, sum = puzzles+b.Puzzles, sum+b.Value*b.Puzzles
	}
	return Clues{Min: bins[0].Value, Mean: float64(sum) / float64(puzzles), Max: bins[len(bins)-1].Value}
}
