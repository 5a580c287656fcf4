package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
)

// RaterVersion names a rater and its version.
type RaterVersion struct {
	Rater   string  `json:"rater"`
	Version Version `json:"version"`
}

func (v RaterVersion) String() string { return v.Rater + " " + string(v.Version) }

// namedRater is a rater version that somebody named: one that this program can run, one whose ratings are on record,
// or both.
type namedRater struct {
	RaterVersion
	runs raters.Rater // nil when this program cannot run it
}

// named finds a rater by name, at the version that this program has, or by name@version.
func (r *Registry) named(ctx context.Context, g raters.Genre, text string) (namedRater, error) {
	name, version, given := strings.Cut(text, "@")
	if name == "" || given && version == "" {
		return namedRater{}, badInput("%q is not a rater, or a rater and a version such as %s@1", text, g.Raters[0].Name())
	}
	if !given {
		rater, err := Rater(g, name)
		if err != nil {
			return namedRater{}, err
		}
		version = rater.Version()
	}
	n := namedRater{RaterVersion: RaterVersion{name, Version(version)}}
	rater, runs, err := r.raterAt(ctx, g, name, version)
	if err != nil {
		return n, err
	}
	if runs {
		n.runs = rater
		return n, nil
	}
	there, err := r.versions(g)
	if err != nil || slices.Contains(there, n.RaterVersion) {
		return n, err
	}
	return n, badInput("this program cannot run %s, and no rating of it is on record; there is %s", n.RaterVersion, fewVersions(there))
}

// versions gives the rater versions of a genre that this program runs, and those whose ratings are on record.
func (r *Registry) versions(g raters.Genre) (list []RaterVersion, err error) {
	for _, rater := range g.Raters {
		list = append(list, RaterVersion{rater.Name(), Version(rater.Version())})
	}
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for _, variant := range g.Variants {
			onRecord, err := pools.Raters(tx, g.Name, variant)
			if err != nil {
				return err
			}
			for _, v := range onRecord {
				if version := (RaterVersion{v.Rater, Version(v.Version)}); !slices.Contains(list, version) {
					list = append(list, version)
				}
			}
		}
		return nil
	})
	return list, err
}

func fewVersions(list []RaterVersion) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.String()
	}
	return few(names)
}

// key names the version in the table of pools.
func (v RaterVersion) key() pools.RaterVersion {
	return pools.RaterVersion{Rater: v.Rater, Version: string(v.Version)}
}

func (r *Registry) levelsOnRecord(genre, variant string, v RaterVersion) (levels []string, err error) {
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		levels, err = pools.Levels(tx, genre, variant, v.key())
		return err
	})
	return levels, err
}

// raterAt gives a rater at a version that is on record, with its profile if it had one of its own; not ok when
// that version no longer runs.
func (r *Registry) raterAt(ctx context.Context, g raters.Genre, name, version string) (rater raters.Rater, ok bool, err error) {
	rater, known := g.Rater(name)
	if !known || name == "" {
		return nil, false, nil
	}
	_, digest, own := strings.Cut(version, "+")
	under, profiled := rater.(raters.Profiled)
	if own && profiled {
		p, _, err := r.recordedProfile(ctx, digest)
		if errors.Is(err, events.ErrNotFound) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("the profile of %s %s: %w", name, version, err)
		}
		var wrong *raters.ProfileError
		if rater, err = under.With(p); errors.As(err, &wrong) { // of an older version, or with what is gone
			return nil, false, nil
		} else if err != nil {
			return nil, false, err
		}
	}
	return rater, rater.Version() == version, nil
}

// filedLevels gives the levels that a rater has shelves for among puzzles of a variant, lowest first: those that the
// variant offers, as far as techniques of the rater's profile have them. With tiers, what no technique solves has the
// highest.
func filedLevels(g raters.Genre, variant string, rater raters.Rater) []string {
	profiled, ok := rater.(raters.Profiled)
	if !ok {
		return nil
	}
	has := profiled.Profile().Levels()
	builtIn, err := profiledOf(g, rater.Name())
	if err != nil {
		return has
	}
	all := builtIn.Profile().Levels()
	if rater.Name() == g.Raters[0].Name() {
		all = g.Offered(variant)
	}
	tiered := len(all) > 0 && builtIn.Profile().Techniques[0].Tier > 0
	return slices.DeleteFunc(slices.Clone(all), func(level string) bool {
		return !slices.Contains(has, level) && !(tiered && level == all[len(all)-1])
	})
}

// levelsBy gives the levels of a rater version among puzzles of a variant, lowest first: of one that this program
// cannot run, those on record.
func (r *Registry) levelsBy(g raters.Genre, variant string, n namedRater) ([]string, error) {
	if n.runs != nil {
		return filedLevels(g, variant, n.runs), nil
	}
	levels, err := r.levelsOnRecord(g.Name, variant, n.RaterVersion)
	return slices.DeleteFunc(levels, func(level string) bool { return level == "" }), err
}
