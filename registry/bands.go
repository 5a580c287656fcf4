package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/events"
	"assay/raters"
)

// bandsOf gives the bands of a rater that sorts its scores by them.
func bandsOf(rater raters.Rater) []raters.ProfileBand {
	if p, ok := rater.(raters.Profiled); ok {
		return p.Profile().Bands
	}
	return nil
}

// bandSides tells where the score on record lies by the band that the puzzle was filed by, and the new one by the new
// band, both of the label that the puzzle was generated for.
func (p *replayer) bandSides(ctx context.Context, s *subject, score *int) (before, after string, err error) {
	a := p.from[s.Variant]
	e, err := p.Log.Get(ctx, events.RatedKey(s.ID, a.Rater, a.Version))
	if errors.Is(err, events.ErrNotFound) {
		return noLevel, noLevel, nil
	}
	if err != nil {
		return "", "", err
	}
	rated, ok := e.Body.(events.Rated)
	if !ok {
		return "", "", fmt.Errorf("event %d under %s is of kind %s", e.Seq, e.Key, e.Body.Kind())
	}
	was, is, err := p.bandsFor(ctx, s)
	return was.side(rated.Score), is.side(score), err
}

// bandsFor gives the bands of the label that a puzzle was generated for: the one by which it was filed, and the new
// one. It was filed by the one on record for the version of its generator, or by that of a profile. What is not on
// record is known only of the generator that this program has.
func (p *replayer) bandsFor(ctx context.Context, s *subject) (was, is scoreBand, err error) {
	a := p.from[s.Variant]
	origin, label, err := p.originAndLabel(s.ID)
	if err != nil || origin == nil {
		return was, is, err
	}
	is = bandIn(p.bands, label)
	recorded, err := p.bandOf(ctx, p.genre.Name, origin.Version, Rating{Rater: a.Rater, Version: Version(a.Version)}, label)
	if err != nil {
		return was, is, err
	}
	if recorded != nil {
		return scoreBand{label, recorded.Low, recorded.High}, is, nil
	}
	filer, ok, err := p.raterAt(ctx, p.genre, a.Rater, a.Version)
	if ok && (hasOwnProfile(filer) || origin.Version == p.genre.Generator.Version()) {
		was = bandIn(bandsOf(filer), label)
	}
	return was, is, err
}

// scoreBand is the range of scores of a label; of no label it is none.
type scoreBand raters.ProfileBand

// bandIn finds the band of a label; none of a label without one.
func bandIn(bands []raters.ProfileBand, label string) (band scoreBand) {
	for _, b := range bands {
		if b.Label == label {
			band = scoreBand(b)
		}
	}
	return band
}

// side tells where a score lies.
func (b scoreBand) side(score *int) string {
	switch {
	case b.Label == "" || score == nil:
		return noLevel
	case *score < b.Low:
		return "below"
	case *score > b.High:
		return "above"
	}
	return "inside"
}

// levelsOf gives the levels of a rater, and those of a pool, lowest first.
func levelsOf(rater raters.Rater, filed []string) []string {
	levels := slices.Clone(filed)
	if p, ok := rater.(raters.Profiled); ok {
		for _, level := range p.Profile().Levels() {
			if !slices.Contains(levels, level) {
				levels = append(levels, level)
			}
		}
		if len(p.Profile().Bands) > 0 {
			levels = []string{"below", "inside", "above"}
		}
	}
	return levels
}
