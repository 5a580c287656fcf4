package deduce

import (
	"fmt"
	"slices"
	"strings"

	"assay/raters"
)

// Setting is what of a rater is data, made ready. A genre's rater embeds it, and has its name, version and profile
// from it.
type Setting struct {
	Order      *Order
	techniques []Technique
	builtIn    raters.Profile
	profile    raters.Profile
	version    string
}

// NewSetting gives that of a rater's built-in profile, which lists the techniques in their order.
func NewSetting(techniques []Technique, builtIn raters.Profile) Setting {
	return Setting{techniques: techniques, builtIn: builtIn}.under(builtIn)
}

func (s Setting) under(p raters.Profile) Setting {
	s.Order, s.profile, s.version = NewOrder(s.techniques, s.builtIn, p), p, p.VersionUnder(s.builtIn)
	return s
}

// Name gives the rater's name.
func (s Setting) Name() string { return s.builtIn.Rater }

// Version gives the rater's version, with the profile's digest when that is not the built-in one.
func (s Setting) Version() string { return s.version }

// Profile gives the techniques in the order in which they are tried.
func (s Setting) Profile() raters.Profile { return s.profile }

// Under gives the setting with techniques in another order, on other levels, or switched off; a
// *raters.ProfileError when the profile is none of this rater.
func (s Setting) Under(p raters.Profile) (Setting, error) {
	p, err := s.builtIn.Check(p)
	if err != nil {
		return Setting{}, err
	}
	return s.under(p), nil
}

// Asked gives the techniques that the puzzle of a request may need: those up to its level or cap or, without one, up
// to the highest that is offered. What cannot be given is a *raters.RequestError; it calls what was asked for by a
// name.
func (s Setting) Asked(r raters.Request, name string, offered []string) (*Order, error) {
	most := r.Level + r.Cap
	if most == "" && len(offered) > 0 {
		most = offered[len(offered)-1]
	}
	refuse := func(format string, args ...any) (*Order, error) {
		return nil, &raters.RequestError{Reason: fmt.Sprintf(format, args...)}
	}
	switch list := strings.Join(offered, ", "); {
	case r.Level != "" && r.Cap != "":
		return refuse("a level and a cap exclude each other")
	case most == "extreme":
		return refuse("level extreme is reserved: no generator makes it yet; offered: %s", list)
	case !slices.Contains(offered, most):
		return refuse("%s has no level %q; offered: %s", name, most, list)
	}
	return s.Order.UpTo(most), nil
}
