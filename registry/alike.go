package registry

import (
	"iter"
	"slices"

	"assay/events"
	"assay/raters"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/schedule"
)

// likeDays is the least number of days between two days of a series with the same solution, as long as there are enough
// puzzles.
const likeDays = 400

// maxPassed is how many skipped puzzles a publication records.
const maxPassed = 100

// pick is a puzzle that a date may get.
type pick struct {
	id     string
	seed   uint64       // the seed that made it; 0 from a shelf
	rating events.Key   // the rating to publish it with
	facts  []fact       // to record with the publication
	used   bool         // the series had it before, or it was dropped
	like   *events.Like // the newest day that it looks like; nil for none
}

// choose takes the first pick that looks like no day of the series, or else the one whose look-alike is oldest. The
// skipped picks, with the reasons, go into the publication. Without picks it returns the zero pick.
func choose(body *events.Published, picks iter.Seq2[pick, error]) (took pick, err error) {
	for k, err := range picks {
		if err != nil {
			return pick{}, err
		}
		if k.like == nil {
			took = k
			break
		}
		if took.id == "" || k.like.Date < took.like.Date {
			took = k
		}
		body.Passed = append(body.Passed, events.Passed{Puzzle: k.id, Seed: k.seed, Like: *k.like})
	}
	body.Puzzle, body.Like = took.id, took.like
	passed := slices.DeleteFunc(body.Passed, func(p events.Passed) bool { return p.Puzzle == took.id })
	body.Passed = passed[:min(len(passed), maxPassed)]
	return took, nil
}

// looks has the days of a series by a sketch of their solutions: days that look alike have the same sketch.
type looks map[string][]look

// look is a day that readers saw or will see.
type look struct {
	date     schedule.Date
	like     events.Like
	solution string
}

// likeOf returns the newest day within likeDays of a date whose puzzle has the same solution, exactly or up to the
// symmetries of the variant; nil when there is none. Variants without a grid of values have no look-alikes.
func (p *publisher) likeOf(v raters.Variant, puzzle raters.Puzzle, solution string, date schedule.Date) (*events.Like, error) {
	if v.Values == nil {
		return nil, nil
	}
	if p.looks == nil {
		if err := p.loadLooks(); err != nil {
			return nil, err
		}
	}
	sketch, err := sketchOf(v, solution)
	if err != nil {
		return nil, err
	}
	var newest *events.Like
	for _, l := range p.looks[sketch] {
		near := l.date.Compare(date.AddDays(-likeDays)) >= 0 && l.date.Compare(date.AddDays(likeDays)) <= 0
		if !near || newest != nil && newest.Date >= l.like.Date {
			continue
		}
		same, err := alike(v, solution, l.solution)
		if err != nil {
			return nil, err
		}
		if same {
			newest = &l.like
		}
	}
	return newest, nil
}

// loadLooks reads the days of the series.
func (p *publisher) loadLooks() error {
	p.looks = looks{}
	for day, err := range calendar.All(p.Store, p.series, "", "") {
		if err != nil {
			return err
		}
		for _, r := range day.Revisions {
			if !r.Seen() {
				continue
			}
			if err := p.addLook(r.Published); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *publisher) addLook(s events.Published) error {
	v, err := engine.Find(p.Genres, s.Genre, s.Variant)
	if err != nil || v.Values == nil {
		return err
	}
	date, err := schedule.ParseDate(s.Date)
	if err != nil {
		return err
	}
	k, _, err := p.find(s.Puzzle)
	if err != nil {
		return err
	}
	sketch, err := sketchOf(v, k.Solution)
	p.looks[sketch] = append(p.looks[sketch], look{date: date, like: events.Like{Date: s.Date, Puzzle: s.Puzzle}, solution: k.Solution})
	return err
}
