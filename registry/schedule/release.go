package schedule

import (
	"sort"
	"time"
)

// Release returns the instant at which a date is released: the first one at which the clocks in the zone have reached
// the release time. If the clocks skip that time, it is the moment after the gap. If they show it twice, it is the
// first.
func (r Rule) Release(d Date) time.Time {
	midnight := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
	wanted := midnight.Add(r.release) // the wall clock, as if it were UTC
	first, last := wanted.Add(-maxOffset), wanted.Add(maxOffset)
	release, shown := last, false
	for at := first; !at.After(last); at = at.Add(time.Hour) { // covers every offset in force around then
		if exact := wanted.Add(-r.offset(at)); r.wall(exact).Equal(wanted) && !exact.After(release) {
			release, shown = exact, true
		}
	}
	if shown {
		return release
	}
	gap := sort.Search(int(last.Sub(first)/time.Second), func(s int) bool {
		return !r.wall(first.Add(time.Duration(s) * time.Second)).Before(wanted)
	})
	return first.Add(time.Duration(gap) * time.Second)
}

// maxOffset is more than any zone is away from UTC.
const maxOffset = 16 * time.Hour

func (r Rule) offset(at time.Time) time.Duration {
	_, seconds := at.In(r.zone).Zone()
	return time.Duration(seconds) * time.Second
}

// wall returns what the zone's clocks show at an instant, as if it were UTC.
func (r Rule) wall(at time.Time) time.Time { return at.Add(r.offset(at)) }
