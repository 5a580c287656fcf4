package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// Pool describes the shelves of a pool: the object pool/1.
type Pool struct {
	Schema  string         `json:"schema"`
	Pool    string         `json:"pool"` // genre/variant
	Rater   string         `json:"rater"`
	Version engine.Version `json:"version"`
	Adopted events.Seq     `json:"adopted,omitempty"` // the event that adopted the rater; absent before the pool's first use
	Shelves []PoolShelf    `json:"shelves"`           // lowest level first
	Stuck   []PoolShelf    `json:"stuck,omitempty"`   // shelves of puzzles that the rater got stuck on: those that have or had any, or that a series takes from
	Seq     events.Seq     `json:"seq"`               // the position in the log of this answer
}

// PoolShelf is the part of a pool at one level.
type PoolShelf struct {
	Level       string `json:"level"`
	Unpublished int    `json:"unpublished"`
	Published   int    `json:"published"`
	// Runway is how many days from today on the stock of the shelf is enough for the policies of all series. It is
	// absent when no series takes from the shelf, and never more than MaxRunway.
	Runway *int `json:"runway_days,omitempty"`
}

// MaxRunway is how many days ahead a shelf's runway is computed.
const MaxRunway = MaxAhead

// poolName names a pool, or one of its shelves.
type poolName struct{ genre, variant, level string }

// parsePool reads genre/variant or, if a shelf may be named, genre/variant/level.
func parsePool(name string, shelf bool) (poolName, error) {
	parts := strings.Split(name, "/")
	ok := len(parts) == 2 || shelf && len(parts) == 3
	for _, p := range parts {
		ok = ok && schedule.IsWord(p)
	}
	if !ok {
		form := "genre/variant, such as sudoku/classic"
		if shelf {
			form = "genre/variant or genre/variant/level, such as sudoku/classic/medium"
		}
		return poolName{}, input.Errorf("pool %q is not %s", name, form)
	}
	return poolName{parts[0], parts[1], strings.Join(parts[2:], "")}, nil
}

func (n poolName) String() string {
	if n.level == "" {
		return n.genre + "/" + n.variant
	}
	return n.genre + "/" + n.variant + "/" + n.level
}

// shelves is adoption for a pool that must have shelves.
func (r *Registry) shelves(name poolName) (pools.Adoption, error) {
	a, err := r.adoption(name)
	if err == nil && len(a.Adopted.Levels) == 0 {
		err = input.Errorf("%s has no levels, and so no shelves", name)
	}
	return a, err
}

// adoption returns the rater that files a pool, by the present table. Before a pool's first use that is the variant's
// default rater, without an event.
func (r *Registry) adoption(name poolName) (pools.Adoption, error) {
	return projections.Query(r.Store, pools.Table, r.adoptionOf(name))
}

// adoptionOf is the query of adoption.
func (r *Registry) adoptionOf(name poolName) func(*projections.Tx) (pools.Adoption, error) {
	return func(tx *projections.Tx) (pools.Adoption, error) { return r.adoptionIn(tx, name) }
}

// adoptionIn is adoption in a table of pools.
func (r *Registry) adoptionIn(tx *projections.Tx, name poolName) (pools.Adoption, error) {
	list, err := pools.Adoptions(tx, name.genre, name.variant)
	if err != nil {
		return pools.Adoption{}, err
	}
	if len(list) > 0 {
		return list[len(list)-1], nil
	}
	a, err := r.defaultAdoption(name)
	return pools.Adoption{Adopted: a}, err
}

// poolsAt runs a query on the table of pools as it was when the log had asOf events; nil means now. The query gets that
// number of events.
func (r *Registry) poolsAt(ctx context.Context, asOf *events.Seq, query func(tx *projections.Tx, seq events.Seq) error) error {
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	seq, err := r.Store.Cursor(pools.Table.Name())
	switch {
	case err != nil:
		return err
	case asOf == nil || *asOf == seq:
		return r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error { return query(tx, seq) })
	case *asOf > seq:
		return input.Errorf("event %d is to come: the log has %d", *asOf, seq)
	}
	return r.Store.ViewAsOf(ctx, r.Log, pools.Table, *asOf, func(tx *projections.Tx) error { return query(tx, *asOf) })
}

func (r *Registry) defaultAdoption(name poolName) (events.Adopted, error) {
	v, err := engine.Find(r.Genres, name.genre, name.variant)
	if err != nil {
		return events.Adopted{}, err
	}
	scale := v.Scales[0]
	return events.Adopted{
		Genre: v.Genre, Variant: v.Name, Revision: 1, Rater: scale.Rater.Name(), Version: scale.Rater.Version(),
		Levels: scale.Levels, Order: engine.OrderOf(scale.Rater), Reason: "the default at first use",
	}, nil
}

// usePool returns the adoption of a pool, and records the default at first use.
func (r *Registry) usePool(ctx context.Context, name poolName, actor string) (pools.Adoption, error) {
	for {
		if err := r.catchUp(ctx); err != nil {
			return pools.Adoption{}, err
		}
		a, err := r.shelves(name)
		if err != nil || a.Seq != 0 {
			return a, err
		}
		key := events.AdoptedKey(name.genre, name.variant, a.Adopted.Revision)
		if _, err := r.record(ctx, actor, fact{key: key, body: a.Adopted}); err != nil && !isConflict(err) {
			return a, err
		}
	}
}

// poolRater returns the engine of the rater that files a pool, at the version adopted.
func (r *Registry) poolRater(ctx context.Context, a events.Adopted) (raters.Variant, raters.Rater, error) {
	v, err := engine.Find(r.Genres, a.Genre, a.Variant)
	if err != nil {
		return v, nil, err
	}
	rater, ok, err := r.raterAt(ctx, v, a.Rater, a.Version)
	if err == nil && !ok {
		err = fmt.Errorf("%s/%s is filed by %s %s, which this program no longer has", a.Genre, a.Variant, a.Rater, a.Version)
	}
	return v, rater, err
}

// shelfOf names a shelf of a pool, or the one of the stuck puzzles of a level.
func shelfOf(a events.Adopted, level string, stuck bool) pools.Shelf {
	return pools.Shelf{Genre: a.Genre, Variant: a.Variant, Rater: a.Rater, Version: a.Version, Level: level, Stuck: stuck}
}

// checkLevel refuses a level that a pool has no shelf for.
func checkLevel(a events.Adopted, level string) error {
	if !slices.Contains(a.Levels, level) {
		return input.Errorf("%s/%s has no shelf %q; it has %s", a.Genre, a.Variant, level, cmp.Or(strings.Join(a.Levels, ", "), "none"))
	}
	return nil
}

// choiceOf selects the puzzles on a shelf of a pool or, without a level, on all shelves. With stuck it selects those on
// the shelves of stuck puzzles instead, with all every puzzle on record.
func choiceOf(a events.Adopted, level string, stuck, all bool) (pools.Choice, error) {
	c := pools.Choice{Genre: a.Genre, Variant: a.Variant, Files: pools.RaterVersion{Rater: a.Rater, Version: a.Version}, Stuck: stuck, All: all}
	switch {
	case stuck && all:
		return c, input.Errorf("all puzzles are asked for, and the stuck ones alone: say one of the two")
	case level != "":
		c.Levels = []string{level}
		return c, checkLevel(a, level)
	case all:
	case len(a.Levels) == 0: // of a rater without levels
		c.Levels = []string{""}
	default:
		c.Levels = a.Levels
	}
	return c, nil
}

// stock counts the shelves of a pool, lowest level first, or those of its stuck puzzles.
func (r *Registry) stock(a events.Adopted, stuck bool) ([]PoolShelf, error) {
	shelves := make([]PoolShelf, len(a.Levels))
	err := r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for i, level := range a.Levels {
			stock, err := shelfOf(a, level, stuck).Stock(tx)
			if err != nil {
				return err
			}
			shelves[i] = PoolShelf{Level: level, Unpublished: stock.Unpublished, Published: stock.Published}
		}
		return nil
	})
	return shelves, err
}

// Pools describes one pool, or with "" every pool that was used.
func (r *Registry) Pools(ctx context.Context, name string) ([]Pool, error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	names, err := r.poolNames(name)
	if err != nil {
		return nil, err
	}
	list := make([]Pool, len(names))
	for i, n := range names {
		if list[i], err = r.describePool(n); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// poolNames returns the pool of a name, or with "" all that were used: a rater was adopted for them, or they have
// puzzles on their shelves.
func (r *Registry) poolNames(name string) (names []poolName, err error) {
	if name != "" {
		n, err := parsePool(name, false)
		return []poolName{n}, err
	}
	used, err := projections.Query(r.Store, pools.Table, pools.Used)
	for _, p := range used {
		names = append(names, poolName{genre: p.Genre, variant: p.Variant})
	}
	names = slices.DeleteFunc(names, func(n poolName) bool {
		_, none := r.shelves(n)
		var input *input.Error
		if none != nil && !errors.As(none, &input) {
			err = errors.Join(err, none)
		}
		return none != nil
	})
	return names, err
}

func (r *Registry) describePool(name poolName) (Pool, error) {
	a, err := r.shelves(name)
	if err != nil {
		return Pool{}, err
	}
	p := Pool{Schema: "pool/1", Pool: name.String(), Rater: a.Adopted.Rater, Version: engine.Version(a.Adopted.Version), Adopted: a.Seq}
	if p.Seq, err = r.Store.Cursor(pools.Table.Name()); err != nil {
		return p, err
	}
	if p.Shelves, err = r.stock(a.Adopted, false); err != nil {
		return p, err
	}
	if p.Stuck, err = r.stock(a.Adopted, true); err != nil {
		return p, err
	}
	needs, err := r.needs(name)
	for i := range p.Shelves {
		p.Shelves[i].Runway = runway(p.Shelves[i].Unpublished, needs[need{p.Shelves[i].Level, false}])
		p.Stuck[i].Runway = runway(p.Stuck[i].Unpublished, needs[need{p.Stuck[i].Level, true}])
	}
	p.Stuck = slices.DeleteFunc(p.Stuck, func(s PoolShelf) bool { return s == PoolShelf{Level: s.Level} })
	return p, err
}

// need is a shelf that series take from.
type need struct {
	level string
	stuck bool
}

// needs returns, for each shelf of a pool, the days on which a puzzle is needed: the number of days from today,
// ascending, one entry for each series that needs one.
func (r *Registry) needs(name poolName) (map[need][]int, error) {
	series, err := r.seriesNames()
	if err != nil {
		return nil, err
	}
	needs := map[need][]int{}
	for _, s := range series {
		if err := r.addNeeds(needs, s, name); err != nil {
			return nil, err
		}
	}
	for _, days := range needs {
		slices.Sort(days)
	}
	return needs, nil
}

func (r *Registry) addNeeds(needs map[need][]int, series string, name poolName) error {
	rules, err := r.rules(series)
	if err != nil || len(rules) == 0 {
		return err
	}
	now := r.Now()
	today := rules.Current(now).Today(now)
	settled, err := r.settledDates(series, today)
	if err != nil {
		return err
	}
	for n := range MaxRunway {
		date := today.AddDays(n)
		rule, ok := rules.At(date)
		if !ok || settled[date.String()] {
			continue
		}
		if d := rule.Day(date); d.Source == schedule.FromShelf && d.Genre == name.genre && d.Variant == name.variant {
			shelf := need{d.Level, rule.Stuck(date)}
			needs[shelf] = append(needs[shelf], n)
		}
	}
	return nil
}

// runway returns the number of days from today to the first need that is not met.
func runway(unpublished int, needs []int) *int {
	days := MaxRunway
	switch {
	case len(needs) == 0:
		return nil
	case unpublished < len(needs):
		days = needs[unpublished]
	}
	return &days
}
