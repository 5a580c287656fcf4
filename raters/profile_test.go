package raters

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/raters/logic"
)

var (
	tiered  = Profile{Rater: "toy.tiers", Version: 2, Techniques: []logic.Technique{{Name: "look", Level: "easy", Tier: 1}, {Name: "think", Level: "hard", Tier: 2}, {Name: "guess", Level: "hard", Tier: 2}}}
	leveled = Profile{Rater: "toy.canonical", Version: 1, Techniques: []logic.Technique{{Name: "look", Level: "easy"}, {Name: "think", Level: "hard"}}}
	banded  = Profile{Rater: "toy.score", Version: 1, Bands: []ProfileBand{{"short", 1, 4}, {"long", 5, 9}}}
)

func TestProfileText(t *testing.T) {
	for _, c := range []struct {
		p    Profile
		want string
	}{
		{tiered, "rater = \"toy.tiers\"\nversion = 2\n\n[[technique]]\nname = \"look\"\ntier = 1\n\n[[technique]]\nname = \"think\"\ntier = 2\n\n[[technique]]\nname = \"guess\"\ntier = 2\n"},
		{leveled, "rater = \"toy.canonical\"\nversion = 1\n\n[[technique]]\nname = \"look\"\nlevel = \"easy\"\n\n[[technique]]\nname = \"think\"\nlevel = \"hard\"\n"},
		{banded, "rater = \"toy.score\"\nversion = 1\n\n[[band]]\nlabel = \"short\"\nlow = 1\nhigh = 4\n\n[[band]]\nlabel = \"long\"\nlow = 5\nhigh = 9\n"},
	} {
		if got := c.p.Text(); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// The digest is what sha256sum says of the text.
func TestProfileDigest(t *testing.T) {
	if got := tiered.Digest(); got != "30b59fdc8d0d" {
		t.Error(got)
	}
}

func TestVersionUnderAProfile(t *testing.T) {
	if got := tiered.VersionUnder(tiered); got != "2" {
		t.Error(got)
	}
	if got := tiered.with(2, logic.Technique{Name: "guess", Level: "hard", Tier: 2}, false).VersionUnder(tiered); got != "2" {
		t.Error(got)
	}
	shorter := tiered
	shorter.Techniques = shorter.Techniques[:2]
	if got := shorter.VersionUnder(tiered); got != "2+"+shorter.Digest() {
		t.Error(got)
	}
}

// with returns the profile with another technique in a place, or with one more.
func (p Profile) with(i int, t logic.Technique, more bool) Profile {
	p.Techniques = slices.Clone(p.Techniques)
	if more {
		p.Techniques = slices.Insert(p.Techniques, i, t)
	} else {
		p.Techniques[i] = t
	}
	return p
}

func TestCheckCompletesTechniques(t *testing.T) {
	got, err := tiered.Check(tiered.with(0, logic.Technique{Name: "guess", Tier: 1}, false).with(2, logic.Technique{Name: "look", Tier: 2}, false))
	want := []logic.Technique{{Name: "guess", Level: "easy", Tier: 1}, {Name: "think", Level: "hard", Tier: 2}, {Name: "look", Level: "hard", Tier: 2}}
	if err != nil || !slices.Equal(got.Techniques, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, p := range []Profile{tiered, leveled, banded} {
		if got, err := p.Check(p); err != nil || got.Text() != p.Text() {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	renamed, newer := tiered, tiered
	renamed.Rater, newer.Version = "toy.other", 3
	band := func(b ProfileBand) Profile {
		p := banded
		p.Bands = []ProfileBand{p.Bands[0], b}
		return p
	}
	for _, c := range []struct {
		builtIn, p      Profile
		technique, band int
		reason          string
	}{
		{tiered, renamed, -1, -1, `is for rater "toy.other", not toy.tiers`},
		{tiered, newer, -1, -1, "version 3 of toy.tiers, which is at version 2"},
		{tiered, Profile{Rater: "toy.tiers", Version: 2}, -1, -1, "has no techniques"},
		{banded, Profile{Rater: "toy.score", Version: 1}, -1, -1, `has no band "short"`},
		{tiered, tiered.with(1, logic.Technique{Name: "hope", Tier: 2}, false), 1, -1, `toy.tiers has no technique "hope"`},
		{tiered, tiered.with(2, logic.Technique{Name: "look", Tier: 2}, true), 2, -1, `"look" is listed twice`},
		{tiered, tiered.with(0, logic.Technique{Name: "look", Tier: 3}, false), 0, -1, `tier 3 of "look" is not one of 1 to 2`},
		{tiered, tiered.with(0, logic.Technique{Name: "look", Level: "easy"}, false), 0, -1, `level "easy" of "look": toy.tiers has tiers, 1 to 2`},
		{tiered, tiered.with(0, logic.Technique{Name: "look", Level: "hard", Tier: 1}, false), 0, -1, `level "hard" of "look": toy.tiers has tiers, 1 to 2`},
		{tiered, tiered.with(0, logic.Technique{Name: "look"}, false), 0, -1, `tier 0 of "look" is not one of 1 to 2`},
		{tiered, tiered.with(0, logic.Technique{Name: "look", Tier: 2}, false).with(2, logic.Technique{Name: "guess", Tier: 1}, false), 2, -1, "never descends"},
		{leveled, leveled.with(1, logic.Technique{Name: "think", Level: "extreme"}, false), 1, -1, `level "extreme" of "think" is none of easy, hard`},
		{leveled, leveled.with(1, logic.Technique{Name: "think", Level: "hard", Tier: 2}, false), 1, -1, "toy.canonical has levels and no tiers"},
		{banded, band(ProfileBand{"wide", 1, 2}), -1, 1, `toy.score has no band "wide"`},
		{banded, band(ProfileBand{"short", 1, 2}), -1, 1, `"short" is listed twice`},
		{banded, band(ProfileBand{"long", 3, 2}), -1, 1, "begins at 3 and ends at 2"},
	} {
		_, err := c.builtIn.Check(c.p)
		var wrong *ProfileError
		if !errors.As(err, &wrong) || wrong.Technique != c.technique || wrong.Band != c.band || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.reason)
		}
	}
}
