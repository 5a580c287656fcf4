package chain

import (
	"context"
	"fmt"
	"slices"

	"assay/raters"
	"assay/raters/seedrand"
)

//go:generate go run ./internal/writebands

// How bands are measured. CalibrationSeed is the seed of the built-in ones.
const (
	CalibrationSeed = 1
	sampleSize      = 1000
	lowPercent      = 30
	highPercent     = 70
)

// bands measures the score bands of the lengths; the built-in ones are in bands_gen.go.
type bands struct{}

func (bands) Built() raters.Calibration {
	c := builtBands
	c.Bands = slices.Clone(c.Bands)
	return c
}

// Calibrate draws valid candidates of each length, whatever their score. Candidate n of a length is
// drawn from the sub-seed (seed, "chain calibration", moves, n).
func (bands) Calibrate(ctx context.Context, seed uint64) (raters.Calibration, error) {
	c := raters.Calibration{Rater: ScoreName, RaterVersion: ScoreVersion, Generator: GeneratorVersion, Seed: seed}
	for _, l := range lengths {
		scores, err := sample(ctx, l, seed)
		if err != nil {
			return raters.Calibration{}, err
		}
		c.Bands = append(c.Bands, bandFrom(l.level, scores))
	}
	return c, nil
}

// sample returns the scores of the first sampleSize valid candidates.
func sample(ctx context.Context, l length, seed uint64) ([]int, error) {
	scores := make([]int, 0, sampleSize)
	for n := uint64(1); len(scores) < sampleSize; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := draw(l, seedrand.Sub(seed, "chain calibration", uint64(l.moves), n))
		if c.valid() {
			scores = append(scores, c.score())
		}
	}
	return scores, nil
}

func bandFrom(label string, scores []int) raters.Band {
	slices.Sort(scores)
	return raters.Band{
		Label: label, Sample: len(scores), LowPercent: lowPercent, HighPercent: highPercent,
		Low: percentile(scores, lowPercent), Median: percentile(scores, 50), High: percentile(scores, highPercent),
	}
}

// percentile returns the p-th percentile of sorted scores by nearest rank: the smallest score that is not
// below p percent of them.
func percentile(sorted []int, p int) int {
	rank := (p*len(sorted) + 99) / 100
	return sorted[rank-1]
}

func bandOf(c raters.Calibration, label string) (raters.Band, error) {
	for _, b := range c.Bands {
		if b.Label == label {
			return b, nil
		}
	}
	return raters.Band{}, fmt.Errorf("no band for %s in the calibration of generator version %d", label, c.Generator)
}
