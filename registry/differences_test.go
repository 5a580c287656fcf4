package registry

import (
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/raters/logic"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// From one profile to another of any rater: none of the differences is the old one, all are the new one, and any set of
// them is a profile of the rater, unless it leaves nothing.
func TestAnySetOfDifferencesIsAProfile(t *testing.T) {
	for _, g := range catalog.Genres() {
		for _, scale := range g.Variants[0].Scales {
			r := scale.Rater
			builtIn := r.(raters.Profiled).Profile()
			if len(builtIn.Techniques) == 0 {
				continue
			}
			t.Run(r.Name(), rapid.MakeCheck(func(t *rapid.T) {
				was, is := AnyProfile(t, builtIn), AnyProfile(t, builtIn)
				d, err := differencesOf(was, is, builtIn.Levels())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(was, d.under(0)) + cmp.Diff(is, d.under(d.all())); diff != "" {
					t.Fatal(diff)
				}
				some := d.under(rapid.Uint64Range(0, d.all()).Draw(t, "set"))
				if _, err := builtIn.Check(some); err != nil && len(some.Techniques) > 0 {
					t.Fatalf("%v\n%s", err, some.Text())
				}
				if same, err := differencesOf(was, was, builtIn.Levels()); len(same.list) > 0 || err != nil {
					t.Fatalf("%v of a profile from itself, %v", same.list, err)
				}
			}))
		}
	}
}

// AnyProfile returns some of a profile's techniques in any order, a third of them at any of its levels.
func AnyProfile(t *rapid.T, of raters.Profile) raters.Profile {
	levels := of.Levels()
	some := rapid.Permutation(of.Techniques).Draw(t, "order")
	of.Techniques = some[:rapid.IntRange(1, len(some)).Draw(t, "techniques")]
	for i := range of.Techniques {
		if rapid.IntRange(0, 2).Draw(t, "stays") > 0 {
			continue
		}
		n := rapid.IntRange(0, len(levels)-1).Draw(t, "level")
		of.Techniques[i].Level = levels[n]
		if of.Techniques[i].Tier > 0 {
			of.Techniques[i].Tier = n + 1
		}
	}
	slices.SortStableFunc(of.Techniques, func(a, b logic.Technique) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return of
}

// listed reads "a b | c": a and b on the first level, c on the second.
func listed(text string) (p raters.Profile) {
	for i, level := range strings.Split(text, "|") {
		for _, name := range strings.Fields(level) {
			p.Techniques = append(p.Techniques, logic.Technique{Name: name, Level: string("123"[i])})
		}
	}
	return p
}

// What each difference is, and what it makes of the old profile alone.
func TestDifferencesOneByOne(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    []string // difference: the old profile with it
	}{
		{"a b | c d", "a b | c d", nil},
		{"a b c | d e", "a c | b d e", []string{"level of b: a c | b d e"}},
		{"a b c | d e", "b | c e | d", []string{"a removed: b c | d e", "level of c: a b | d c e", "level of d: a b c | e | d"}},
		{"a c | d", "a b c | d e", []string{"b added: a b c | d", "e added: a c | d e"}},
		{"a b c | d e", "c b a | e d", []string{"order: c before a and b before a and e before d: c b a | e d"}},
		{"a b c d", "d c | b", []string{"a removed: b c d", "level of b: a c d | b", "order: d before c: a b d c"}},
		{"a x b", "b y a", []string{"x removed: a b", "y added: y a x b", "order: b before a: b x a"}},
		{"a", "b", []string{"a removed: ", "b added: a b"}},
	} {
		d, err := differencesOf(listed(c.was), listed(c.is), []string{"1", "2", "3"})
		var got []string
		for i, one := range d.list {
			text, level := one.text+": ", "1"
			for j, t := range d.under(1 << i).Techniques {
				if j > 0 {
					text += " "
				}
				if t.Level != level {
					text, level = text+"| ", t.Level
				}
				text += t.Name
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s to %s: %v %s", c.was, c.is, err, diff)
		}
	}
}

// Two solves part where a step concludes something else, by whatever technique. Bookkeeping has a number, and makes no difference.
func TestFirstDifferenceLeavesBookkeepingOut(t *testing.T) {
	step := func(technique, level string, removed int) logic.Step {
		return logic.Step{Technique: technique, Level: level, Instance: "here", Removed: []logic.Literal{logic.Lit(removed, 0)}}
	}
	note, pair, harderPair, wing := step("note", "", 1), step("pair", "easy", 2), step("pair", "hard", 2), step("wing", "easy", 2)
	for _, c := range []struct {
		name     string
		old, now []logic.Step
		want     *Difference
	}{
		{"the same", []logic.Step{note, pair}, []logic.Step{note, pair}, nil},
		{"other bookkeeping", []logic.Step{note, note, pair}, []logic.Step{pair, note}, nil},
		{"another level", []logic.Step{pair}, []logic.Step{note, harderPair}, nil},
		{"another technique", []logic.Step{pair}, []logic.Step{note, wing}, nil},
		{"another conclusion", []logic.Step{pair, wing}, []logic.Step{pair, note, step("wing", "easy", 3)}, &Difference{3, "wing, here: not r1c3=1", "wing, here: not r1c4=1"}},
		{"the old one ends", []logic.Step{pair, note}, []logic.Step{pair, wing}, &Difference{2, "", "wing, here: not r1c3=1"}},
		{"the new one ends", []logic.Step{note, pair, wing}, []logic.Step{pair, note}, &Difference{3, "wing, here: not r1c3=1", ""}},
	} {
		got := firstDifference(countedSteps(c.old), countedSteps(c.now), logic.Naming{Columns: 9, Values: []string{"1"}})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
