package registry

import (
	"cmp"
	"context"
	"slices"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// bandsOf returns the bands of a rater, if it has bands.
func bandsOf(rater raters.Rater) []raters.ProfileBand {
	if p, ok := rater.(raters.Profiled); ok {
		return p.Profile().Bands
	}
	return nil
}

// bandSides returns two sides: that of the recorded score by the band under which the puzzle was filed, and that of the
// new score by the new band. Both are bands of the label for which the puzzle was generated. If the sides differ, it
// also returns the cause.
func (a *assessor) bandSides(ctx context.Context, s *subject, score *int) (before, after, cause string, err error) {
	rated, err := a.firstRating(ctx, s.ID)
	if err != nil || rated == nil {
		return engine.NoLevel, engine.NoLevel, "", err
	}
	from, err := a.source(s.ID)
	if err != nil || from.Origin == nil {
		return engine.NoLevel, engine.NoLevel, "", err
	}
	label := from.Label
	was, err := a.filedBand(ctx, from.Origin.Version, rated, label)
	is := bandIn(a.bands, label)
	before, after, cause = was.side(rated.Score), is.side(score), a.codeCause(rated.Rater, rated.Version)
	if cause == "" && was.side(score) == after {
		cause = causeRecord
	}
	return before, after, cmp.Or(cause, "band "+label), err
}

// firstRating returns the first rating on record of a puzzle, or nil. That rating gave the puzzle its label.
func (a *assessor) firstRating(ctx context.Context, id string) (*events.Rated, error) {
	k, _, err := a.find(id)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(k.Facts, func(f puzzles.Fact) bool { return f.Key.Segments()[0] == "rated" })
	if first < 0 {
		return nil, nil
	}
	_, rated, err := events.Of[events.Rated](ctx, a.Log, k.Facts[first].Key)
	return &rated, err
}

// filedBand returns the band of a label on record for a generator version and the rater of a rating. Without a record
// it uses the bands of this program, if the generator version is that of this program.
func (a *assessor) filedBand(ctx context.Context, generator int, by *events.Rated, label string) (scoreBand, error) {
	band, err := a.bandOf(ctx, by.Genre, generator, engine.Rating{Rater: by.Rater, Version: engine.Version(by.Version)}, label)
	if err != nil {
		return scoreBand{}, err
	}
	if band != nil {
		return scoreBand{label, band.Low, band.High}, nil
	}
	e := engine.Name{Genre: by.Genre, Variant: by.Variant, Rater: by.Rater, Version: by.Version, Generator: generator}
	_, rater, err := e.Find(a.Genres)
	if err != nil {
		return scoreBand{}, nil
	}
	return bandIn(bandsOf(rater), label), nil
}

// scoreBand is the range of scores of a label; it is empty without a label.
type scoreBand raters.ProfileBand

// bandIn finds the band of a label; it is empty when the label has none.
func bandIn(bands []raters.ProfileBand, label string) (band scoreBand) {
	for _, b := range bands {
		if b.Label == label {
			band = scoreBand(b)
		}
	}
	return band
}

// side says where a score lies.
func (b scoreBand) side(score *int) string {
	switch {
	case b.Label == "" || score == nil:
		return engine.NoLevel
	case *score < b.Low:
		return "below"
	case *score > b.High:
		return "above"
	}
	return "inside"
}

// levelsOf returns the levels of a rater, and those of a pool, lowest first.
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
