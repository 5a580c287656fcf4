package schedule

import (
	"fmt"
	"regexp"
	"time"
)

// Date is a day of the calendar, without a zone. The zero Date is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

const dateForm = "2006-01-02"

// ParseDate reads YYYY-MM-DD.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(dateForm, text)
	if err != nil {
		if IsDateLike(text) {
			return Date{}, fmt.Errorf("%q is not a date of the calendar: write YYYY-MM-DD", text)
		}
		return Date{}, fmt.Errorf("%q is not a date of the form YYYY-MM-DD", text)
	}
	return dateOf(t), nil
}

var dateLike = regexp.MustCompile(`^[0-9]+-[0-9]+-[0-9]+$`)

// IsDateLike reports whether a text looks like a date, valid or not.
func IsDateLike(text string) bool { return dateLike.MatchString(text) }

// DateIn returns the date at an instant in a zone.
func DateIn(t time.Time, zone *time.Location) Date { return dateOf(t.In(zone)) }

func dateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// String writes YYYY-MM-DD.
func (d Date) String() string { return d.noon().Format(dateForm) }

// Long writes the date for people: Friday 11 September 2026.
func (d Date) Long() string { return d.noon().Format("Monday 2 January 2006") }

// AddDays returns the date n days later.
func (d Date) AddDays(n int) Date { return dateOf(d.noon().AddDate(0, 0, n)) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.noon().Weekday() }

// Compare orders dates: negative, zero or positive as d is before, the same as or after other.
func (d Date) Compare(other Date) int { return d.noon().Compare(other.noon()) }

// noon returns an instant that represents the date in computations without a zone.
func (d Date) noon() time.Time { return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC) }
