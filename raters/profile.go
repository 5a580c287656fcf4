package raters

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/raters/logic"
)

// Profile is what of a rater is data. A rater with techniques has Techniques, one whose scores are sorted
// by bands has Bands.
type Profile struct {
	Rater      string
	Version    int               // of the rater's code
	Techniques []logic.Technique // in the order in which they are tried, never descending in level; the others are switched off
	Bands      []ProfileBand     // one a label
}

// ProfileBand is the range of scores that go by a label, both ends inclusive.
type ProfileBand struct {
	Label     string
	Low, High int
}

// Profiled is a rater of which a part is data.
type Profiled interface {
	Rater
	// Profile returns the data the rater works with.
	Profile() Profile
	// With returns the rater that works with this data instead, or a *ProfileError.
	With(Profile) (Rater, error)
}

// ProfileError says what is wrong with a profile, and with which of its parts.
type ProfileError struct {
	Technique int // index of the technique that is wrong, or -1
	Band      int // index of the band that is wrong, or -1
	Reason    string
}

func (e *ProfileError) Error() string { return e.Reason }

// Text writes a profile out as TOML: its canonical encoding.
func (p Profile) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rater = %q\nversion = %d\n", p.Rater, p.Version)
	for _, t := range p.Techniques {
		fmt.Fprintf(&b, "\n[[technique]]\nname = %q\n", t.Name)
		if t.Tier > 0 {
			fmt.Fprintf(&b, "tier = %d\n", t.Tier)
		} else {
			fmt.Fprintf(&b, "level = %q\n", t.Level)
		}
	}
	for _, band := range p.Bands {
		fmt.Fprintf(&b, "\n[[band]]\nlabel = %q\nlow = %d\nhigh = %d\n", band.Label, band.Low, band.High)
	}
	return b.String()
}

// Digest names a profile: the first 12 hexadecimal digits of the SHA-256 of its text.
func (p Profile) Digest() string {
	sum := sha256.Sum256([]byte(p.Text()))
	return hex.EncodeToString(sum[:6])
}

// VersionUnder returns the version of the rater that a profile makes out of one built in: "1" when the two
// are the same, else "1+" and the profile's digest.
func (p Profile) VersionUnder(builtIn Profile) string {
	version := strconv.Itoa(builtIn.Version)
	if digest := p.Digest(); digest != builtIn.Digest() {
		version += "+" + digest
	}
	return version
}

// Levels returns the levels that a rater's built-in profile has, lowest first. Level n of a rater with tiers,
// counted from 1, is tier n.
func (p Profile) Levels() []string {
	var levels []string
	for _, t := range p.Techniques {
		if !slices.Contains(levels, t.Level) {
			levels = append(levels, t.Level)
		}
	}
	return levels
}

// Check reports whether a rater with this built-in profile can work with another one: *ProfileError. A
// technique may go by its level or its tier alone; Check gives the profile with both.
func (p Profile) Check(other Profile) (Profile, error) {
	wrong := func(technique, band int, format string, args ...any) (Profile, error) {
		return Profile{}, &ProfileError{Technique: technique, Band: band, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case other.Rater != p.Rater:
		return wrong(-1, -1, "the profile is for rater %q, not %s", other.Rater, p.Rater)
	case other.Version != p.Version:
		return wrong(-1, -1, "the profile is for version %d of %s, which is at version %d", other.Version, p.Rater, p.Version)
	case len(other.Techniques) == 0 && len(p.Techniques) > 0:
		return wrong(-1, -1, "the profile has no techniques")
	}
	other.Techniques = slices.Clone(other.Techniques)
	for i := range other.Techniques {
		if reason := p.settle(other.Techniques, i); reason != "" {
			return wrong(i, -1, "%s", reason)
		}
	}
	for i := range other.Bands {
		if reason := p.checkBand(other.Bands, i); reason != "" {
			return wrong(-1, i, "%s", reason)
		}
	}
	for _, band := range p.Bands {
		if !slices.ContainsFunc(other.Bands, func(b ProfileBand) bool { return b.Label == band.Label }) {
			return wrong(-1, -1, "the profile has no band %q", band.Label)
		}
	}
	return other, nil
}

// settle completes technique i of a list whose earlier ones are right, or says what is wrong with it.
func (p Profile) settle(list []logic.Technique, i int) string {
	t, levels := &list[i], p.Levels()
	named := func(u logic.Technique) bool { return u.Name == t.Name }
	known := slices.IndexFunc(p.Techniques, named)
	if known < 0 {
		return fmt.Sprintf("%s has no technique %q", p.Rater, t.Name)
	}
	if slices.ContainsFunc(list[:i], named) {
		return fmt.Sprintf("technique %q is listed twice", t.Name)
	}
	if tiered := p.Techniques[known].Tier > 0; tiered {
		if t.Level != "" && (t.Tier < 1 || t.Tier > len(levels) || t.Level != levels[t.Tier-1]) {
			return fmt.Sprintf("level %q of %q: %s has tiers, 1 to %d", t.Level, t.Name, p.Rater, len(levels))
		}
		if t.Tier < 1 || t.Tier > len(levels) {
			return fmt.Sprintf("tier %d of %q is not one of 1 to %d", t.Tier, t.Name, len(levels))
		}
		t.Level = levels[t.Tier-1]
	} else if t.Tier != 0 {
		return fmt.Sprintf("tier %d of %q: %s has levels and no tiers", t.Tier, t.Name, p.Rater)
	} else if !slices.Contains(levels, t.Level) {
		return fmt.Sprintf("level %q of %q is none of %s", t.Level, t.Name, strings.Join(levels, ", "))
	}
	rank := func(t logic.Technique) int { return slices.Index(levels, t.Level) }
	if i > 0 && rank(*t) < rank(list[i-1]) {
		return fmt.Sprintf("%q (%s) comes after %q (%s): the order never descends in level", t.Name, t.Level, list[i-1].Name, list[i-1].Level)
	}
	return ""
}

// checkBand says what is wrong with a band of a list whose earlier ones are right.
func (p Profile) checkBand(list []ProfileBand, i int) string {
	band := list[i]
	named := func(b ProfileBand) bool { return b.Label == band.Label }
	switch {
	case !slices.ContainsFunc(p.Bands, named):
		return fmt.Sprintf("%s has no band %q", p.Rater, band.Label)
	case slices.ContainsFunc(list[:i], named):
		return fmt.Sprintf("band %q is listed twice", band.Label)
	case band.Low > band.High:
		return fmt.Sprintf("band %q begins at %d and ends at %d", band.Label, band.Low, band.High)
	}
	return ""
}
