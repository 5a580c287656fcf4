package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"assay/events"
	"assay/raters"
	"assay/raters/logic"
	"assay/registry/input"
)

// Profile is a rater's profile: the object profile/1.
type Profile struct {
	Schema     string             `json:"schema"`
	Rater      string             `json:"rater"`
	Version    Version            `json:"version"`
	Digest     string             `json:"digest"`
	Techniques []ProfileTechnique `json:"techniques"`
	Bands      []ProfileBand      `json:"bands"`
	Text       string             `json:"text"`            // TOML
	Event      events.Seq         `json:"event,omitempty"` // where it is on record
}

// ProfileTechnique is a technique in a profile.
type ProfileTechnique struct {
	Name  string `json:"name" toml:"name"`
	Level string `json:"level" toml:"level"`
	Tier  int    `json:"tier,omitempty" toml:"tier"`
}

// ProfileBand is the range of scores for a label.
type ProfileBand struct {
	Label string `json:"label"`
	Low   int    `json:"low"`
	High  int    `json:"high"`
}

// MaxProfile is the largest profile in bytes.
const MaxProfile = 64 << 10

// profileFile is a profile as an operator writes it.
type profileFile struct {
	Rater      string             `toml:"rater"`
	Version    int                `toml:"version"`
	Techniques []ProfileTechnique `toml:"technique"`
	Bands      []fileBand         `toml:"band"`
}

type fileBand struct {
	Label string `toml:"label"`
	Low   *int   `toml:"low"`
	High  *int   `toml:"high"`
}

// RaterChoice says which rater to use.
type RaterChoice struct {
	Name    string // "" is the rater of the profile, or else the variant's default
	Profile []byte // TOML; nil for the built-in one
}

// OnRecord reports whether only the record has the named version, because its profile is there.
func (c RaterChoice) OnRecord() bool {
	_, version, _ := strings.Cut(c.Name, "@")
	return strings.Contains(version, "+")
}

// Choose returns the chosen rater of a variant. An invalid profile is an *input.Error with the line.
func (c RaterChoice) Choose(v raters.Variant) (raters.Rater, error) {
	if name, version, given := strings.Cut(c.Name, "@"); given {
		return c.atVersion(v, name, version)
	}
	if c.Profile == nil {
		return Rater(v, c.Name)
	}
	p, err := ReadProfile(c.Profile)
	if err != nil {
		return nil, err
	}
	if c.Name == "" {
		c.Name = p.Rater
	}
	rater, err := ProfiledOf(v, c.Name)
	if err != nil {
		return nil, err
	}
	under, err := rater.With(p)
	var wrong *raters.ProfileError
	if errors.As(err, &wrong) {
		return nil, input.Errorf("profile, line %d: %s", lineOf(c.Profile, wrong), wrong.Reason)
	}
	return under, err
}

// atVersion returns a rater at its built-in version. Only a registry knows other versions.
func (c RaterChoice) atVersion(v raters.Variant, name, version string) (raters.Rater, error) {
	if c.Profile != nil {
		return nil, ErrVersionAndProfile
	}
	rater, err := Rater(v, name)
	if err == nil && (name == "" || rater.Version() != version) {
		err = input.Errorf("%q names no rater that is built in; there is %s@%s, and --profile makes another version of it", c.Name, rater.Name(), rater.Version())
	}
	return rater, err
}

var ErrVersionAndProfile = input.Errorf("a profile makes a version of its own: name the rater without one")

// Rater returns the name of the chosen rater, "" when none is named.
func (c RaterChoice) Rater() (string, error) {
	if name, _, _ := strings.Cut(c.Name, "@"); name != "" || c.Profile == nil {
		return name, nil
	}
	p, err := ReadProfile(c.Profile)
	return p.Rater, err
}

// ProfiledOf returns a rater that has a profile.
func ProfiledOf(v raters.Variant, name string) (raters.Profiled, error) {
	rater, err := Rater(v, name)
	if err != nil {
		return nil, err
	}
	p, ok := rater.(raters.Profiled)
	if !ok {
		return nil, input.Errorf("%s has no profile: nothing of it is data", rater.Name())
	}
	return p, nil
}

// ReadProfile reads a profile in TOML. An invalid profile is an *input.Error with the line.
func ReadProfile(text []byte) (raters.Profile, error) {
	if len(text) > MaxProfile {
		return raters.Profile{}, input.Errorf("profile, line %d: it has more than %d bytes", 1+bytes.Count(text[:MaxProfile], []byte("\n")), MaxProfile)
	}
	var f profileFile
	if err := ReadTOML(text, &f); err != nil {
		return raters.Profile{}, &input.Error{Reason: "profile, " + TOMLReason(err)}
	}
	p := raters.Profile{Rater: f.Rater, Version: f.Version}
	for _, t := range f.Techniques {
		p.Techniques = append(p.Techniques, logic.Technique{Name: t.Name, Level: t.Level, Tier: t.Tier})
	}
	for i, b := range f.Bands {
		if b.Low == nil || b.High == nil {
			line := lineOf(text, &raters.ProfileError{Technique: -1, Band: i})
			return p, input.Errorf("profile, line %d: band %q lacks its low or its high end", line, b.Label)
		}
		p.Bands = append(p.Bands, raters.ProfileBand{Label: b.Label, Low: *b.Low, High: *b.High})
	}
	return p, nil
}

// lineOf returns the line of the invalid part of a profile: the line of its heading if it has one.
func lineOf(text []byte, wrong *raters.ProfileError) int {
	name, n := "rater", 0
	switch {
	case wrong.Technique >= 0:
		name, n = "technique", wrong.Technique
	case wrong.Band >= 0:
		name, n = "band", wrong.Band
	}
	var p unstable.Parser
	p.Reset(bytes.TrimPrefix(text, []byte("\ufeff")))
	line := 1
	for p.NextExpression() {
		key := p.Expression().Key()
		if !key.Next() || string(key.Node().Data) != name {
			continue
		}
		line = p.Shape(key.Node().Raw).Start.Line
		if n--; n < 0 {
			break
		}
	}
	return line
}

// BuiltInProfile returns the built-in profile of a rater for a variant; "" is the first variant of its genre. ok is
// false when no genre has a rater of this name and, in the form name@version, of this version.
func BuiltInProfile(genres []raters.Genre, rater, variant string) (p Profile, ok bool, err error) {
	rater, version, given := strings.Cut(rater, "@")
	for _, g := range genres {
		first, ok := firstWith(g, rater)
		if !ok {
			continue
		}
		if variant != "" {
			if first, err = Find(genres, g.Name, variant); err != nil {
				return Profile{}, true, err
			}
		}
		r, err := ProfiledOf(first, rater)
		if err != nil {
			return Profile{}, true, err
		}
		if given && r.Version() != version {
			continue
		}
		return DescribeProfile(r.Profile()), true, nil
	}
	return Profile{}, false, nil
}

// firstWith returns the first variant of a genre that has a rater of a name.
func firstWith(g raters.Genre, rater string) (raters.Variant, bool) {
	for _, v := range g.Variants {
		if _, ok := v.Scale(rater); ok && rater != "" {
			return v, true
		}
	}
	return raters.Variant{}, false
}

// DescribeProfile describes a profile as an object.
func DescribeProfile(p raters.Profile) Profile {
	out := Profile{
		Schema: "profile/1", Rater: p.Rater, Version: Version(fmt.Sprint(p.Version)), Digest: p.Digest(),
		Techniques: []ProfileTechnique{}, Bands: []ProfileBand{}, Text: p.Text(),
	}
	for _, t := range p.Techniques {
		out.Techniques = append(out.Techniques, ProfileTechnique{Name: t.Name, Level: t.Level, Tier: t.Tier})
	}
	for _, b := range p.Bands {
		out.Bands = append(out.Bands, ProfileBand(b))
	}
	return out
}

// HasOwnProfile reports whether a rater works under another profile than the built-in one.
func HasOwnProfile(rater raters.Rater) bool { return strings.Contains(rater.Version(), "+") }
