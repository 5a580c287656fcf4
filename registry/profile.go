package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
)

// ChooseRater returns the chosen rater of a variant. Its name may include a version on record, as in
// sudoku.tiers@1+3fa9c0de1b22, if this program can still run it.
func (r *Registry) ChooseRater(ctx context.Context, v raters.Variant, c engine.RaterChoice) (raters.Rater, error) {
	if !strings.Contains(c.Name, "@") {
		return c.Choose(v)
	}
	if c.Profile != nil {
		return nil, engine.ErrVersionAndProfile
	}
	n, err := r.named(ctx, v, c.Name)
	if err == nil && n.runs == nil {
		err = input.Errorf("this program cannot run %s", n.RaterVersion)
	}
	return n.runs, err
}

// RecordedProfile returns a profile on record, by its digest or as name@version of the rater under it.
func (r *Registry) RecordedProfile(ctx context.Context, name string) (engine.Profile, error) {
	rater, version, given := strings.Cut(name, "@")
	digest := name
	if given {
		_, digest, _ = strings.Cut(version, "+")
	}
	p, seq, err := r.recordedProfile(ctx, digest)
	if errors.Is(err, events.ErrNotFound) || err == nil && given && (p.Rater != rater || fmt.Sprintf("%d+%s", p.Version, digest) != version) {
		return engine.Profile{}, input.Errorf("%q is neither a rater of this program nor the digest of a profile on record", name)
	}
	if err != nil {
		return engine.Profile{}, err
	}
	shown := engine.DescribeProfile(p)
	shown.Event = seq
	return shown, nil
}

// profileFacts returns a rater's profile as a fact, unless it is the built-in one. A rating under the profile refers to
// it.
func profileFacts(rater raters.Rater) []fact {
	p, ok := rater.(raters.Profiled)
	if !ok || !engine.HasOwnProfile(rater) {
		return nil
	}
	profile := p.Profile()
	return []fact{{key: events.ProfileKey(profile.Digest()), body: events.Profile{Rater: profile.Rater, Version: profile.Version, Text: profile.Text()}}}
}

// recordedProfile reads a profile on record. If there is none with this digest, it returns events.ErrNotFound.
func (r *Registry) recordedProfile(ctx context.Context, digest string) (raters.Profile, events.Seq, error) {
	key := events.ProfileKey(digest)
	if key.Check() != nil {
		return raters.Profile{}, 0, events.ErrNotFound
	}
	e, b, err := events.Of[events.Profile](ctx, r.Log, key)
	if err != nil {
		return raters.Profile{}, 0, err
	}
	p, err := engine.ReadProfile([]byte(b.Text))
	return p, e.Seq, err
}
