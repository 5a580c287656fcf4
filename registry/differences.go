package registry

import (
	"fmt"
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/logic"
)

// differences are the differences between two profiles of the same rater, sorted by the profiles. Any set of them can
// be put into the old profile; all together give the new one. A set has a bit for each.
type differences struct {
	was, is raters.Profile
	levels  []string // of the rater, lowest first
	list    []difference
}

// difference is one of them.
type difference struct {
	technique string // the technique that is added, removed or at another level; "" for the order
	text      string
}

// differencesOf compares two profiles of a rater with these levels: first the techniques of the old one, then those that
// are added, last the order.
func differencesOf(was, is raters.Profile, levels []string) (differences, error) {
	d := differences{was: was, is: is, levels: levels}
	for _, t := range was.Techniques {
		at := techniqueAt(is.Techniques, t.Name)
		switch {
		case at < 0:
			d.list = append(d.list, difference{t.Name, t.Name + " removed"})
		case is.Techniques[at].Tier != t.Tier:
			d.list = append(d.list, difference{t.Name, "tier of " + t.Name})
		case is.Techniques[at].Level != t.Level:
			d.list = append(d.list, difference{t.Name, "level of " + t.Name})
		}
	}
	for _, t := range is.Techniques {
		if techniqueAt(was.Techniques, t.Name) < 0 {
			d.list = append(d.list, difference{t.Name, t.Name + " added"})
		}
	}
	if moves := reorderings(staying(was, is), staying(is, was)); len(moves) > 0 {
		d.list = append(d.list, difference{text: "order: " + strings.Join(moves, " and ")})
	}
	if all := d.under(d.all()); len(d.list) > 64 || !slices.Equal(all.Techniques, is.Techniques) {
		return d, fmt.Errorf("%d differences of profile %s from %s give %s", len(d.list), is.Digest(), was.Digest(), all.Digest())
	}
	return d, nil
}

func techniqueAt(list []logic.Technique, name string) int {
	return slices.IndexFunc(list, func(t logic.Technique) bool { return t.Name == name })
}

// all is the set of all differences.
func (d differences) all() uint64 { return 1<<len(d.list) - 1 }

// staying returns the techniques of a profile that another one has at the same level.
func staying(p, other raters.Profile) (list []logic.Technique) {
	for _, t := range p.Techniques {
		if slices.Contains(other.Techniques, t) {
			list = append(list, t)
		}
	}
	return list
}

// reorderings describes which techniques of a list move before which, to get another list of the same techniques.
func reorderings(was, is []logic.Technique) (moves []string) {
	was = slices.Clone(was)
	for i, t := range is {
		if was[i].Name == t.Name {
			continue
		}
		at := techniqueAt(was, t.Name)
		moved := was[at] // the techniques after it are compared without it
		was = slices.Insert(slices.Delete(was, at, at+1), i, moved)
		moves = append(moves, t.Name+" before "+was[i+1].Name)
	}
	return moves
}

// under returns the old profile with a set of the differences. The difference of order makes the techniques that stay
// at their level exchange places. Any other difference removes its technique and inserts it where the new profile has
// it.
func (d differences) under(set uint64) raters.Profile {
	p := d.was
	p.Techniques = slices.Clone(p.Techniques)
	taken := map[string]bool{}
	for i, one := range d.list {
		if set&(1<<i) != 0 {
			taken[one.technique] = true
		}
	}
	if taken[""] {
		d.reorder(p.Techniques)
	}
	p.Techniques = slices.DeleteFunc(p.Techniques, func(t logic.Technique) bool { return taken[t.Name] })
	for i, t := range slices.Backward(d.is.Techniques) {
		if taken[t.Name] {
			p.Techniques = slices.Insert(p.Techniques, d.place(p.Techniques, i), t)
		}
	}
	return p
}

// reorder puts the techniques that stay at their level into their places, in the order of the new profile.
func (d differences) reorder(list []logic.Technique) {
	stay := staying(d.is, d.was)
	n := 0
	for i, t := range list {
		if slices.Contains(stay, t) {
			list[i] = stay[n]
			n++
		}
	}
}

// place returns the index at which technique i of the new profile is inserted into a list: before the next technique of
// the new profile that the list has at the same level, or else last of the level.
func (d differences) place(list []logic.Technique, i int) int {
	t := d.is.Techniques[i]
	for _, next := range d.is.Techniques[i+1:] {
		if at := slices.Index(list, next); at >= 0 && next.Level == t.Level {
			return at
		}
	}
	rank := slices.Index(d.levels, t.Level)
	above := slices.IndexFunc(list, func(u logic.Technique) bool { return slices.Index(d.levels, u.Level) > rank })
	if above < 0 {
		return len(list)
	}
	return above
}

// causeRecord is the cause when the old profile gives the new level as well: the recorded level is not what the rater
// says.
const causeRecord = "record"

// text names a set of differences.
func (d differences) text(set uint64) string {
	var texts []string
	for i, one := range d.list {
		if set&(1<<i) != 0 {
			texts = append(texts, one.text)
		}
	}
	switch len(texts) {
	case 0:
		return causeRecord
	case 1:
		return texts[0]
	}
	return "together: " + strings.Join(texts, ", ")
}
