package registry

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"assay/events"
	"assay/raters"
	"assay/registry/input"
)

// Calibration is a measurement of bands: the object calibration/1.
type Calibration struct {
	Schema       string     `json:"schema"`
	Genre        string     `json:"genre"`
	Generator    int        `json:"generator"`
	Rater        string     `json:"rater"`
	RaterVersion int        `json:"rater_version"`
	Seed         string     `json:"seed"`
	Bands        []Band     `json:"bands"`
	Event        events.Seq `json:"event,omitempty"`
}

// Band is the range of scores that a label accepts, both ends inclusive.
type Band struct {
	Label       string     `json:"label"`
	Low         int        `json:"low"`
	Median      int        `json:"median"`
	High        int        `json:"high"`
	Sample      int        `json:"sample"`
	Percentiles [2]int     `json:"percentiles"`
	Event       events.Seq `json:"event,omitempty"`
}

// Calibrate measures a variant's bands again with the seed of the built-in ones. It checks that they equal the bands
// that the generator uses, and records them.
func (r *Registry) Calibrate(ctx context.Context, v raters.Variant, actor string) (Calibration, error) {
	if v.Bands == nil {
		return Calibration{}, input.Errorf("%s has no bands: its rater gives levels", v.Genre)
	}
	built := v.Bands.Built()
	measured, err := v.Bands.Calibrate(ctx, built.Seed)
	if err != nil {
		return Calibration{}, err
	}
	if !reflect.DeepEqual(measured, built) {
		return Calibration{}, fmt.Errorf("%s: the run gives other bands than the generator works with: %v, not %v", v.Genre, measured.Bands, built.Bands)
	}
	return r.recordBands(ctx, v, actor)
}

// recordBands records the bands that the variant's generator uses.
func (r *Registry) recordBands(ctx context.Context, v raters.Variant, actor string) (Calibration, error) {
	f := calibratedFact(v)
	receipt, err := r.record(ctx, actor, f)
	if err != nil {
		return Calibration{}, err
	}
	c := recordedCalibration(f.body.(events.Calibrated), receipt[0].Seq)
	return c, nil
}

// calibrationFacts returns a variant's bands as a fact, if it has bands and they are not on record. The first use of a
// generator version records them.
func (r *Registry) calibrationFacts(ctx context.Context, v raters.Variant) ([]fact, error) {
	if v.Bands == nil {
		return nil, nil
	}
	f := calibratedFact(v)
	_, err := r.Log.Get(ctx, f.key)
	if errors.Is(err, events.ErrNotFound) {
		return []fact{f}, nil
	}
	return nil, err
}

func calibratedFact(v raters.Variant) fact {
	built := v.Bands.Built()
	body := events.Calibrated{
		Genre: v.Genre, Generator: built.Generator, Rater: built.Rater, RaterVersion: built.RaterVersion, Seed: built.Seed,
	}
	for _, b := range built.Bands {
		body.Bands = append(body.Bands, events.Band{
			Label: b.Label, Sample: b.Sample, LowPercent: b.LowPercent, HighPercent: b.HighPercent,
			Low: b.Low, Median: b.Median, High: b.High,
		})
	}
	return fact{key: events.CalibratedKey(v.Genre, built.Generator, built.Rater, strconv.Itoa(built.RaterVersion)), body: body}
}

func recordedCalibration(b events.Calibrated, at events.Seq) Calibration {
	c := Calibration{
		Schema: "calibration/1", Genre: b.Genre, Generator: b.Generator, Rater: b.Rater, RaterVersion: b.RaterVersion,
		Seed: fmt.Sprint(b.Seed), Event: at,
	}
	for _, band := range b.Bands {
		c.Bands = append(c.Bands, Band{
			Label: band.Label, Low: band.Low, Median: band.Median, High: band.High, Sample: band.Sample,
			Percentiles: [2]int{band.LowPercent, band.HighPercent}, Event: at,
		})
	}
	return c
}
