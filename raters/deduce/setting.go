package deduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/raters"
)

// Setting is a rater's profile with its name and version. A rater embeds it.
type Setting struct {
	builtIn raters.Profile
	profile raters.Profile
	version string
}

// NewSetting returns the Setting of a rater's built-in profile.
func NewSetting(builtIn raters.Profile) Setting {
	return Setting{builtIn: builtIn, profile: builtIn, version: strconv.Itoa(builtIn.Version)}
}

// Name returns the rater's name.
func (s Setting) Name() string { return s.builtIn.Rater }

// Version returns the rater's version, with the profile's digest when that is not the built-in one.
func (s Setting) Version() string { return s.version }

// Profile returns the techniques in the order in which they are tried.
func (s Setting) Profile() raters.Profile {
	p := s.profile
	p.Techniques = slices.Clone(p.Techniques)
	return p
}

// Under returns the setting with techniques in another order, on other levels, or switched off. A profile that is not
// of this rater is a *raters.ProfileError.
func (s Setting) Under(p raters.Profile) (Setting, error) {
	p, err := s.builtIn.Check(p)
	if err != nil {
		return Setting{}, err
	}
	s.profile, s.version = p, p.VersionUnder(s.builtIn)
	return s, nil
}

// Most returns the highest level that the puzzle of a request may need: its level or cap or, without one, the highest
// level offered. A request that cannot be met is a *raters.RequestError, which uses name for what was requested.
func Most(r raters.Request, name string, offered []string) (level string, err error) {
	if level = r.Level + r.Cap; level == "" && len(offered) > 0 {
		level = offered[len(offered)-1]
	}
	switch {
	case r.Level != "" && r.Cap != "":
		return "", &raters.RequestError{Reason: "a level and a cap exclude each other"}
	case !slices.Contains(offered, level):
		return "", &raters.RequestError{Reason: fmt.Sprintf("%s has no level %q; offered: %s", name, level, strings.Join(offered, ", "))}
	}
	return level, nil
}
