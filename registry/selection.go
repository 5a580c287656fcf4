package registry

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"assay/projections"
	"assay/projections/pools"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/input"
)

// Selection says which puzzles on record to use: those of a pool or a shelf, those that a series published, or named
// ones.
type Selection struct {
	Pool   string // genre/variant, or a shelf genre/variant/level of the rater that files the pool: the puzzles on shelves
	Stuck  bool   // the puzzles that this rater got stuck on, instead
	All    bool   // all puzzles on record, on a shelf or not
	Using  string // only puzzles in which that rater used this technique, or all of several, separated by ","
	Series string
	IDs    []string
}

// pool names the pool or the shelf, and the part of it that is selected.
func (s Selection) pool() string {
	switch {
	case s.All:
		return s.Pool + ", all on record"
	case s.Stuck:
		return s.Pool + ", stuck"
	}
	return s.Pool
}

// String names the puzzles of a selection.
func (s Selection) String() string {
	switch {
	case s.Using != "":
		return s.pool() + " using " + s.Using
	case s.Pool != "":
		return s.pool()
	case s.Series != "":
		return "series " + s.Series
	}
	return strings.Join(s.IDs, " ")
}

// subject is a selected puzzle.
type subject struct {
	pools.Member
	puzzle   raters.Puzzle
	solution string
	err      error // why there is no puzzle; then it is the last subject
}

// variantsOf returns the variants that a selection may have puzzles of, all of one genre. For a pool that is its own
// variant; else these are all variants of the genre, that of the first puzzle first. If a series has several genres,
// the rater decides.
func (r *Registry) variantsOf(s Selection, rater string) ([]raters.Variant, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	switch {
	case s.Pool != "":
		name, err := parsePool(s.Pool, true)
		if err != nil {
			return nil, err
		}
		v, err := engine.Find(r.Genres, name.genre, name.variant)
		return []raters.Variant{v}, err
	case len(s.IDs) > 0:
		g, err := engine.FindGenre(r.Genres, genreOfID(s.IDs[0]))
		if err != nil {
			return nil, input.Errorf("%q is not the ID of a puzzle", s.IDs[0])
		}
		first, known, err := r.find(s.IDs[0])
		if err != nil || !known {
			return g.Variants, err
		}
		of, _ := g.Variant(first.Puzzle.Variant)
		return append([]raters.Variant{of}, g.Variants...), nil
	}
	for _, g := range r.Genres {
		for i, v := range g.Variants {
			if _, ok := v.Scale(rater); ok && rater != "" {
				return g.Variants[i:], nil
			}
		}
	}
	return nil, input.Errorf("a series may hold puzzles of several genres: name the rater, and so the genre")
}

// check refuses a selection that names too much or too little.
func (s Selection) check() error {
	given := 0
	for _, is := range []bool{s.Pool != "", s.Series != "", len(s.IDs) > 0} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return input.Errorf("say which puzzles: a pool or a shelf, a series, or IDs")
	case (s.Stuck || s.All) && s.Pool == "":
		return input.Errorf("all puzzles, or the stuck ones, are those of a pool or a shelf")
	case s.Using != "" && s.Pool == "":
		return input.Errorf("a technique chooses among the puzzles of a pool or a shelf")
	}
	return nil
}

// selected returns the puzzles of a selection that are of a genre.
func (r *Registry) selected(ctx context.Context, genre string, s Selection, progress func(done, total int)) (puzzleWalk, error) {
	if s.Pool == "" || s.Using != "" {
		ids, err := r.selectedIDs(ctx, genre, s)
		return puzzleWalk{r.subjects(ids), len(ids), progress}, err
	}
	name, err := parsePool(s.Pool, true)
	if err != nil {
		return puzzleWalk{}, err
	}
	a, err := r.adoption(name)
	if err != nil {
		return puzzleWalk{}, err
	}
	choice, err := choiceOf(a.Adopted, name.level, s.Stuck, s.All)
	if err != nil {
		return puzzleWalk{}, err
	}
	return r.walkedOf(name, func(m pools.Member) bool { return choice.Holds(m.Puzzle) }, progress)
}

// walkedOf returns the puzzles of a pool for which belongs is true. It counts them if somebody wants the progress.
func (r *Registry) walkedOf(name poolName, belongs func(pools.Member) bool, progress func(done, total int)) (w puzzleWalk, err error) {
	w = puzzleWalk{subjects: r.membersOf(name, belongs), progress: progress}
	if progress == nil {
		return w, nil
	}
	for m, err := range r.members(name) {
		if err != nil {
			return w, err
		}
		if belongs(m) {
			w.total++
		}
	}
	return w, nil
}

// members returns every puzzle of a pool on record, sorted by ID.
func (r *Registry) members(name poolName) iter.Seq2[pools.Member, error] {
	return projections.Each(r.Store, pools.Table, func(tx *projections.Tx) iter.Seq2[pools.Member, error] {
		return pools.Puzzles(tx, name.genre, name.variant)
	})
}

// membersOf returns the puzzles of a pool for which belongs is true. Both tables are sorted by ID and read side by
// side.
func (r *Registry) membersOf(name poolName, belongs func(pools.Member) bool) iter.Seq[subject] {
	return func(yield func(subject) bool) {
		err := r.Store.View(puzzles.Table.Name(), func(texts *projections.Tx) error {
			next, stop := iter.Pull2(puzzles.All(texts, name.genre))
			defer stop()
			for m, err := range r.members(name) {
				if err != nil {
					return err
				}
				if !belongs(m) {
					continue
				}
				if s := textOf(m, next); !yield(s) || s.err != nil {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(subject{err: err})
		}
	}
}

// textOf advances in the table of puzzles to the text of a member.
func textOf(m pools.Member, next func() (puzzles.Known, error, bool)) subject {
	for {
		switch p, err, ok := next(); {
		case err != nil:
			return subject{err: err}
		case !ok || p.ID > m.ID:
			return subject{err: fmt.Errorf("puzzle %s is in the table of pools, and its text is not on record", m.ID)}
		case p.ID == m.ID:
			return subject{Member: m, puzzle: raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: p.Text}, solution: p.Solution}
		}
	}
}

// selectedIDs returns the IDs of the puzzles of a genre, sorted, each once.
func (r *Registry) selectedIDs(ctx context.Context, genre string, s Selection) (ids []string, err error) {
	switch {
	case s.Series != "":
		ids, err = r.publishedIDs(s.Series)
	case s.Using != "":
		ids, err = r.usingIDs(ctx, s)
	default:
		ids = slices.Clone(s.IDs)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		if err == nil && s.Series == "" && genreOfID(id) != genre {
			err = input.Errorf("%s is no puzzle of %s", id, genre)
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return genreOfID(id) != genre }), err
}

// publishedIDs returns the puzzles of all days of a series that stand.
func (r *Registry) publishedIDs(series string) (ids []string, err error) {
	rules, err := r.rules(series)
	if err == nil && len(rules) == 0 {
		err = input.Errorf("no series %q is on record", series)
	}
	if err != nil {
		return nil, err
	}
	for day, err := range calendar.All(r.Store, series, "", "") {
		if err != nil {
			return nil, err
		}
		if revision, stands := day.Standing(); stands {
			ids = append(ids, revision.Published.Puzzle)
		}
	}
	return ids, nil
}

func (r *Registry) usingIDs(ctx context.Context, s Selection) (ids []string, err error) {
	q := UsingQuery{FrequencyQuery: FrequencyQuery{Pool: s.Pool, Stuck: s.Stuck, All: s.All}, Techniques: strings.Split(s.Using, ","), Limit: 10_000}
	for {
		page, err := r.Using(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, u := range page {
			ids = append(ids, u.ID)
		}
		if len(page) == 0 || page[len(page)-1].Next == "" {
			return ids, nil
		}
		q.After = page[len(page)-1].Next
	}
}

// subjects looks the puzzles up one by one.
func (r *Registry) subjects(ids []string) iter.Seq[subject] {
	return func(yield func(subject) bool) {
		for _, id := range ids {
			s, err := r.subject(id)
			if err != nil {
				yield(subject{err: err})
				return
			}
			if !yield(s) {
				return
			}
		}
	}
}

func (r *Registry) subject(id string) (s subject, err error) {
	k, err := r.known(id)
	if err != nil {
		return s, err
	}
	s = subject{Member: pools.Member{ID: id}, puzzle: k.Puzzle, solution: k.Solution}
	s.Puzzle, err = r.pooled(id)
	return s, err
}

// pooled returns the row of a puzzle on record in the table of pools.
func (r *Registry) pooled(id string) (pools.Puzzle, error) {
	return projections.Query(r.Store, pools.Table, func(tx *projections.Tx) (pools.Puzzle, error) {
		p, _, err := pools.Get(tx, id)
		return p, err
	})
}

// genreOfID returns the genre that a puzzle ID begins with.
func genreOfID(id string) string {
	at := strings.LastIndexByte(id, '-')
	return id[:max(at, 0)]
}
