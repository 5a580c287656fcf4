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
	"assay/registry/engine"
	"assay/registry/input"
)

// RaterVersion names a rater and its version.
type RaterVersion struct {
	Rater   string         `json:"rater"`
	Version engine.Version `json:"version"`
}

func (v RaterVersion) String() string { return v.Rater + " " + string(v.Version) }

// namedRater is a rater version that somebody named. This program can run it, or its ratings are on record, or both.
type namedRater struct {
	RaterVersion
	runs raters.Rater // nil when this program cannot run it
}

// named finds a rater by name, at the version that this program has, or by name@version.
func (r *Registry) named(ctx context.Context, v raters.Variant, text string) (namedRater, error) {
	name, version, given := strings.Cut(text, "@")
	if name == "" || given && version == "" {
		return namedRater{}, input.Errorf("%q is not a rater, or a rater and a version such as %s@1", text, v.Scales[0].Rater.Name())
	}
	if !given {
		rater, err := engine.Rater(v, name)
		if err != nil {
			return namedRater{}, err
		}
		version = rater.Version()
	}
	n := namedRater{RaterVersion: RaterVersion{name, engine.Version(version)}}
	rater, runs, err := r.raterAt(ctx, v, name, version)
	if err != nil {
		return n, err
	}
	if runs {
		n.runs = rater
		return n, nil
	}
	there, err := r.versions(v)
	if err != nil || slices.Contains(there, n.RaterVersion) {
		return n, err
	}
	return n, input.Errorf("this program cannot run %s, and no rating of it is on record; there is %s", n.RaterVersion, fewVersions(there))
}

// versions returns the rater versions of a variant that this program runs, and those whose ratings are on record.
func (r *Registry) versions(variant raters.Variant) (list []RaterVersion, err error) {
	for _, scale := range variant.Scales {
		list = append(list, RaterVersion{scale.Rater.Name(), engine.Version(scale.Rater.Version())})
	}
	onRecord, err := projections.Query(r.Store, pools.Table, func(tx *projections.Tx) ([]pools.RaterVersion, error) {
		return pools.Raters(tx, variant.Genre, variant.Name)
	})
	for _, v := range onRecord {
		if version := (RaterVersion{v.Rater, engine.Version(v.Version)}); !slices.Contains(list, version) {
			list = append(list, version)
		}
	}
	return list, err
}

func fewVersions(list []RaterVersion) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.String()
	}
	return engine.Few(names)
}

// key names the version in the table of pools.
func (v RaterVersion) key() pools.RaterVersion {
	return pools.RaterVersion{Rater: v.Rater, Version: string(v.Version)}
}

// raterAt returns a rater at a version on record, with the profile of that version. ok is false when the version no
// longer runs.
func (r *Registry) raterAt(ctx context.Context, v raters.Variant, name, version string) (rater raters.Rater, ok bool, err error) {
	e := engine.Name{Genre: v.Genre, Variant: v.Name, Rater: name}
	if ok, err := r.withProfile(ctx, &e, version); err != nil || !ok {
		return nil, false, err
	}
	_, rater, err = e.Find(r.Genres)
	return rater, err == nil, nil
}

// withProfile sets the version of an engine's rater, and its profile from the record if it is not the built-in one. ok
// is false when the profile is not on record.
func (r *Registry) withProfile(ctx context.Context, e *engine.Name, version string) (ok bool, err error) {
	e.Version = version
	_, digest, own := strings.Cut(version, "+")
	if !own {
		return true, nil
	}
	p, _, err := r.recordedProfile(ctx, digest)
	if errors.Is(err, events.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the profile of %s %s: %w", e.Rater, version, err)
	}
	e.Profile = p.Text()
	return true, nil
}

// levelsBy returns the levels of a rater version among puzzles of a variant, lowest first. If this program cannot run
// the version, these are the levels on record.
func (r *Registry) levelsBy(v raters.Variant, n namedRater) ([]string, error) {
	if n.runs != nil {
		return filedLevels(v, n.runs), nil
	}
	levels, err := projections.Query(r.Store, pools.Table, func(tx *projections.Tx) ([]string, error) {
		return pools.Levels(tx, v.Genre, v.Name, n.key())
	})
	return slices.DeleteFunc(levels, func(level string) bool { return level == "" }), err
}

// filedLevels returns the levels that one of a variant's raters has shelves for, lowest first.
func filedLevels(v raters.Variant, rater raters.Rater) []string {
	scale, _ := v.Scale(rater.Name())
	return scale.Filed(rater)
}
