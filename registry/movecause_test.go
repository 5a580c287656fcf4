package registry_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/events/logtest"
	"assay/raters"
	"assay/raters/logic"
	"assay/registry"
	"assay/registry/engine"

	"pgregory.net/rapid"
)

// causeModel is what docs/profiles.md says of differences, written down again: level by level, and by name.
type causeModel struct {
	rater   raters.Profiled // under any profile
	was, is raters.Profile
	levels  []string
	names   []string // of the differences, in order
}

func newCauseModel(rater raters.Profiled, was, is raters.Profile) causeModel {
	m := causeModel{rater: rater, was: was, is: is, levels: rater.Profile().Levels()}
	levelOf := func(p raters.Profile, name string) string {
		for _, t := range p.Techniques {
			if t.Name == name {
				return t.Level
			}
		}
		return ""
	}
	word := "level of "
	if was.Techniques[0].Tier > 0 {
		word = "tier of "
	}
	for _, t := range was.Techniques {
		switch levelOf(is, t.Name) {
		case t.Level:
		case "":
			m.names = append(m.names, t.Name+" removed")
		default:
			m.names = append(m.names, word+t.Name)
		}
	}
	for _, t := range is.Techniques {
		if levelOf(was, t.Name) == "" {
			m.names = append(m.names, t.Name+" added")
		}
	}
	if !slices.Equal(m.common(was), m.common(is)) {
		m.names = append(m.names, "order: ")
	}
	return m
}

// common returns the techniques of one of the profiles that both have at the same level.
func (m causeModel) common(p raters.Profile) (list []logic.Technique) {
	for _, t := range p.Techniques {
		if slices.Contains(m.was.Techniques, t) && slices.Contains(m.is.Techniques, t) {
			list = append(list, t)
		}
	}
	return list
}

// under returns the old profile with the differences of these names.
func (m causeModel) under(names []string) raters.Profile {
	moved := map[string]bool{}
	reorder := false
	for _, name := range names {
		reorder = reorder || name == "order: "
		for _, affix := range []string{"tier of ", "level of "} {
			name = strings.TrimPrefix(name, affix)
		}
		moved[strings.TrimSuffix(strings.TrimSuffix(name, " removed"), " added")] = true
	}
	p := raters.Profile{Rater: m.was.Rater, Version: m.was.Version}
	for _, level := range m.levels {
		p.Techniques = append(p.Techniques, m.level(level, moved, reorder)...)
	}
	return p
}

// level returns the techniques of a level. An inserted technique comes before the first technique of the list that
// follows it in the new profile.
func (m causeModel) level(level string, moved map[string]bool, reorder bool) (list []logic.Technique) {
	var there, next []logic.Technique
	common := m.common(m.was)
	if reorder {
		next = m.common(m.is)
	}
	for _, t := range m.was.Techniques {
		if i := slices.Index(common, t); reorder && i >= 0 {
			t = next[i]
		}
		if t.Level == level && !moved[t.Name] {
			there = append(there, t)
		}
	}
	before := map[logic.Technique][]logic.Technique{}
	var waiting []logic.Technique
	for _, t := range m.is.Techniques {
		switch {
		case t.Level == level && moved[t.Name]:
			waiting = append(waiting, t)
		case slices.Contains(there, t):
			before[t], waiting = waiting, nil
		}
	}
	for _, t := range there {
		list = append(append(list, before[t]...), t)
	}
	return append(list, waiting...)
}

// gives reports whether a puzzle has a level under the old profile with the differences of these names.
func (m causeModel) gives(t checked, p raters.Puzzle, names []string, level string) bool {
	profile := m.under(names)
	if len(profile.Techniques) == 0 {
		return false
	}
	rater, err := m.rater.With(profile)
	if err != nil {
		t.Fatalf("%v: %v", names, err)
	}
	v, err := rater.Rate(t.Context(), p)
	if err != nil {
		t.Fatalf("%v: %v", names, err)
	}
	return v.Level == level || v.Level == "" && level == "unrated"
}

// smallest returns the first of the smallest sets of names up to a size that give a level.
func (m causeModel) smallest(t checked, p raters.Puzzle, most int, level string) []string {
	for size := range most + 1 {
		for set := range subsets(m.names, size) {
			if m.gives(t, p, set, level) {
				return set
			}
		}
	}
	return nil
}

// subsets returns the sets of this many of these, in their order.
func subsets(of []string, size int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		if size == 0 {
			yield(nil)
			return
		}
		for i := range of {
			for rest := range subsets(of[i+1:], size-1) {
				if !yield(append([]string{of[i]}, rest...)) {
					return
				}
			}
		}
	}
}

// named returns the names of the differences in a cause, and whether no smaller set is.
func (m causeModel) named(t checked, cause string) (set []string, minimal bool) {
	cause, notMinimal := strings.CutSuffix(cause, " (not minimal)")
	list, together := strings.CutPrefix(cause, "together: ")
	for one := range strings.SplitSeq(list, ", ") {
		if strings.HasPrefix(one, "order: ") {
			one = "order: "
		}
		if !slices.Contains(m.names, one) {
			t.Fatalf("%q is none of %q", cause, m.names)
		}
		set = append(set, one)
	}
	if together != (len(set) > 1) {
		t.Fatalf("%q", cause)
	}
	return set, !notMinimal
}

// checked is what of a test the model needs; *rapid.T has it as well.
type checked interface {
	Context() context.Context
	Fatalf(format string, args ...any)
}

// check holds the cause of a change against the model: the set that it names gives the new level, no smaller one does
// unless the cause says so, and with few differences it is the first of the smallest.
func (m causeModel) check(t checked, p raters.Puzzle, c registry.ReplayChange) (size int, minimal bool) {
	set, minimal := m.named(t, c.Cause)
	if !m.gives(t, p, set, c.To) {
		t.Fatalf("%s → %s of %s: %q does not give it\n%s\n%s", c.From, c.To, p.Text, c.Cause, m.was.Text(), m.is.Text())
	}
	if minimal {
		if smaller := m.smallest(t, p, len(set)-1, c.To); smaller != nil || m.gives(t, p, nil, c.To) {
			t.Fatalf("%s → %s of %s: %q, and %q gives it", c.From, c.To, p.Text, c.Cause, smaller)
		}
	}
	if len(m.names) <= 6 {
		if first := m.smallest(t, p, len(m.names), c.To); !minimal || !slices.Equal(first, set) {
			t.Fatalf("%s → %s of %s: %q, and %q gives it", c.From, c.To, p.Text, c.Cause, first)
		}
	}
	return len(set), minimal
}

// dropping returns the built-in profile of sudoku.tiers without pointing and simple coloring, and with hidden pairs on
// another tier.
func dropping(t testing.TB) engine.RaterChoice {
	t.Helper()
	text := profileOf(t, "sudoku.tiers")
	part := func(name string, tier int) string {
		return fmt.Sprintf("\n[[technique]]\nname = %q\ntier = %d\n", name, tier)
	}
	for _, c := range [][2]string{
		{part("pointing", 2), ""},
		{part("simple-coloring", 4), ""},
		{part("hidden-pair", 2), ""},
		{part("x-wing", 3), part("hidden-pair", 3) + part("x-wing", 3)},
	} {
		if strings.Count(text, c[0]) != 1 {
			t.Fatalf("%q is not in %s", c[0], text)
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	return engine.RaterChoice{Profile: []byte(text)}
}

// Without pointing and simple coloring, and with hidden pairs on tier 3: for each of 1,000 puzzles that moves, or of
// 5,000, the cause that is named moves it, and nothing less does.
func TestTheCauseOfAMoveIsACause(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	if os.Getenv("ASSAY_FULL") != "" {
		fillShelves(t, r, 1000)
	} else {
		onRecord(t, r, 1)
	}
	choice := dropping(t)
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice, DryRun: true})
	of := variant(t, "sudoku")
	is, err := choice.Choose(of)
	if err != nil {
		t.Fatal(err)
	}
	built := of.Scales[0].Rater.(raters.Profiled)
	m := newCauseModel(built, built.Profile(), is.(raters.Profiled).Profile())
	sizes, causes := map[int]int{}, map[string]int{}
	for _, c := range changes {
		rec, err := r.Show(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := m.check(t, raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: rec.Text}, c)
		sizes[size]++
		causes[c.Cause]++
	}
	if sizes[1] == 0 || sizes[2] == 0 || !maps.Equal(causes, v.Causes) {
		t.Errorf("%d of %d move; by size of their causes %v: %v", v.Changed, v.Puzzles, sizes, v.Causes)
	}
	t.Logf("%d of %d move; by size of their causes %v: %v", v.Changed, v.Puzzles, sizes, v.Causes)
}

// Between any two profiles of any rater every change has its cause.
func TestTheCauseOfAMoveBetweenAnyProfiles(t *testing.T) {
	for _, c := range []struct {
		genre, rater string
		each         int // puzzles of a level
	}{
		{"sudoku", "sudoku.tiers", 2}, {"sudoku", "sudoku.canonical", 1}, {"kakurasu", "kakurasu.canonical", 2},
	} {
		t.Run(c.rater, func(t *testing.T) {
			v := variant(t, c.genre)
			scale, _ := v.Scale(c.rater)
			var puzzles []raters.Puzzle
			for i, level := range slices.Repeat(v.Scales[0].Levels, c.each) {
				made, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Level: level, Seed: uint64(i)})
				if err != nil {
					t.Fatal(err)
				}
				puzzles = append(puzzles, made.Puzzle)
			}
			counts := map[string]int{}
			r := open(t, logtest.NewMemory(), at(morning))
			if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(rt *rapid.T) { causesBetween(t, rt, r, scale.Rater.(raters.Profiled), puzzles, counts) })
			if counts["single"] == 0 || counts["together"] == 0 {
				t.Errorf("%v", counts)
			}
			t.Logf("%v", counts)
		})
	}
}

// causesBetween lets a random profile file a pool, and replays it under another one.
func causesBetween(t *testing.T, rt *rapid.T, r *registry.Registry, rater raters.Profiled, puzzles []raters.Puzzle, counts map[string]int) {
	was, is := registry.AnyProfile(rt, rater.Profile()), registry.AnyProfile(rt, rater.Profile())
	pool := registry.Selection{Pool: puzzles[0].Genre + "/" + puzzles[0].Variant, All: true}
	old, choice := engine.RaterChoice{Profile: []byte(was.Text())}, engine.RaterChoice{Profile: []byte(is.Text())}
	replay(t, r, registry.ReplayRequest{Selection: pool, Rater: old})
	if _, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: pool.Pool, Rater: old, Actor: "editor"}); err != nil {
		rt.Fatal(err)
	}
	v, changes := replay(t, r, registry.ReplayRequest{Selection: pool, Rater: choice, DryRun: true})
	m := newCauseModel(rater, was, is)
	for _, c := range changes {
		i := slices.IndexFunc(puzzles, func(p raters.Puzzle) bool { return p.ID() == c.ID })
		size, minimal := m.check(rt, puzzles[i], c)
		switch {
		case !minimal:
			counts["not minimal"]++
		case size > 1:
			counts["together"]++
		default:
			counts["single"]++
		}
	}
	counts["stay"] += v.Puzzles - v.Changed
}

// easyRater calls one puzzle easy.
type easyRater struct {
	raters.Profiled
	id string
}

func (r easyRater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	v, err := r.Profiled.Rate(ctx, p)
	if p.ID() == r.id {
		v.Level, v.Tier = "easy", 1
	}
	return v, err
}

// A level on record that the rater itself does not give is no matter of the new profile.
func TestTheCauseOfAMoveIsTheRecord(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	g := genre(t, "sudoku")
	v := &g.Variants[0]
	p, err := v.Generator.Generate(t.Context(), raters.Request{Variant: "classic", Level: "hard", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	honest := r.Genres
	v.Scales[0].Rater = easyRater{v.Scales[0].Rater.(raters.Profiled), p.Puzzle.ID()}
	r.Genres = []raters.Genre{g}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{p.Puzzle}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	r.Genres = honest
	for _, choice := range []engine.RaterChoice{{Name: "sudoku.tiers"}, reordered(t, "box-line-reduction", "pointing", 2), reordered(t, "xy-wing", "swordfish", 3)} {
		_, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice, DryRun: true})
		if len(changes) != 1 || changes[0].From != "easy" || changes[0].To != "hard" || changes[0].Cause != "record" {
			t.Errorf("%+v", changes)
		}
	}
}

// orderRater calls everything easy while a comes before b and c before d, and hard otherwise.
type orderRater struct {
	toyRater
	profile raters.Profile
}

func newOrderRater() orderRater {
	return orderRater{profile: raters.Profile{Rater: "toy.levels", Version: 1, Techniques: []logic.Technique{
		{Name: "a", Level: "easy"}, {Name: "x", Level: "easy"}, {Name: "b", Level: "easy"}, {Name: "c", Level: "hard"}, {Name: "d", Level: "hard"},
	}}}
}

func (r orderRater) Profile() raters.Profile { return r.profile }
func (r orderRater) Version() string         { return r.profile.VersionUnder(newOrderRater().profile) }

func (r orderRater) With(p raters.Profile) (raters.Rater, error) {
	p, err := newOrderRater().profile.Check(p)
	return orderRater{profile: p}, err
}

func (r orderRater) Rate(context.Context, raters.Puzzle) (raters.Rating, error) {
	before := func(a, b string) bool {
		at := func(name string) int {
			return slices.IndexFunc(r.profile.Techniques, func(t logic.Technique) bool { return t.Name == name })
		}
		return at(a) < at(b)
	}
	v := raters.Rating{Outcome: raters.Rated, Level: "hard", Hardest: "d"}
	if before("a", "b") || before("c", "d") {
		v.Level, v.Hardest = "easy", "a"
	}
	return v, nil
}

// An order is one difference, however many techniques change places and on however many levels.
func TestTheCauseOfAMoveIsTheOrder(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	g := toy()
	g.Variants[0].Scales[0].Rater = newOrderRater()
	r.Genres = []raters.Genre{g}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{toyPuzzle("0 1")}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	p := newOrderRater().profile
	p.Techniques = []logic.Technique{{Name: "x", Level: "easy"}, {Name: "b", Level: "easy"}, {Name: "a", Level: "easy"}, {Name: "d", Level: "hard"}, {Name: "c", Level: "hard"}}
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: toyPool}, Rater: engine.RaterChoice{Profile: []byte(p.Text())}, DryRun: true})
	if want := "order: x before a and b before a and d before c"; v.Changed != 1 || changes[0].Cause != want {
		t.Errorf("%+v, want %s", changes, want)
	}
}
