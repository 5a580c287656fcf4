package registry

import (
	"context"

	"assay/projections"
	"assay/projections/archive"
	"assay/registry/schedule"
)

// Day is a published day: the object day/1.
type Day struct {
	Schema   string `json:"schema"`
	Series   string `json:"series"`
	Date     string `json:"date"`
	Label    string `json:"label"`
	ID       string `json:"id"`
	Revision int    `json:"revision"`
	Release  string `json:"release"` // RFC 3339, UTC
}

func archivedDay(r archive.Revision) Day {
	p := r.Published
	return Day{
		Schema: "day/1", Series: p.Series, Date: p.Date, Label: p.Label, ID: p.Puzzle,
		Revision: p.Revision, Release: stamp(p.Released()),
	}
}

// ArchiveQuery says which days of a series are wanted. Dates are inclusive, "" is open.
type ArchiveQuery struct {
	Series   string
	From, To string // YYYY-MM-DD
	Label    string
	Released bool // only days whose release instant has passed
	Limit    int  // 0 is all
}

func (q ArchiveQuery) check() error {
	for _, date := range []string{q.From, q.To} {
		if date == "" {
			continue
		}
		if _, err := schedule.ParseDate(date); err != nil {
			return &InputError{Reason: err.Error()}
		}
	}
	if q.Limit < 0 {
		return badInput("%d days is less than 0", q.Limit)
	}
	return nil
}

// Archive gives the days that stand, in order of date.
func (r *Registry) Archive(ctx context.Context, q ArchiveQuery) ([]Day, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	now := r.Now()
	var days []Day
	err := r.Store.View(archive.Table.Name(), func(tx *projections.Tx) error {
		for day, err := range archive.Days(tx, q.Series, q.From, q.To) {
			if err != nil {
				return err
			}
			standing, ok := day.Standing()
			if !ok || q.Label != "" && standing.Published.Label != q.Label {
				continue
			}
			if q.Released && standing.Published.Released().After(now) {
				continue
			}
			days = append(days, archivedDay(standing))
			if q.Limit > 0 && len(days) == q.Limit {
				return nil
			}
		}
		return nil
	})
	return days, err
}
