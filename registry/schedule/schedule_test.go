package schedule

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/events"
)

func TestWords(t *testing.T) {
	word := regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	long := strings.Repeat("a", 40)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.StringMatching(`[a-z0-9-]{0,42}`), rapid.StringMatching(`[a-z`+"`"+`{/:A-Z0-9-]{0,4}`), rapid.String(),
			rapid.SampledFrom([]string{"", "-", "a-", "a\n", long, long + "a"})).Draw(t, "name")
		if got := IsWord(s); got != word.MatchString(s) {
			t.Fatalf("%q is a word: %v", s, got)
		}
	})
}

func daily(t *testing.T, change func(*events.Policy)) Rule {
	t.Helper()
	p := Daily(Date{2026, 1, 1}, DailyZone)
	if change != nil {
		change(&p)
	}
	r, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestLabelsFollowTheWeekdayInJerusalem(t *testing.T) {
	r := daily(t, nil)
	for text, want := range map[string]string{
		"2026-09-07": "easy", "2026-09-08": "easy", "2026-09-09": "medium", "2026-09-10": "medium",
		"2026-09-11": "hard", "2026-09-12": "hard", "2026-09-13": "medium",
	} {
		d, err := ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Day(d).Label; got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// Jerusalem's clocks went forward on 2026-03-27 at 02:00 and back on 2026-10-25 at 02:00.
func TestTodayAndRelease(t *testing.T) {
	for _, c := range []struct{ now, today, label, release string }{
		{"2026-09-10T20:59:59Z", "2026-09-10", "medium", "2026-09-09T21:00:00Z"},
		{"2026-09-10T21:30:00Z", "2026-09-11", "hard", "2026-09-10T21:00:00Z"},
		{"2026-03-26T22:00:00Z", "2026-03-27", "hard", "2026-03-26T22:00:00Z"}, // the night the clocks go forward
		{"2026-03-27T20:59:59Z", "2026-03-27", "hard", "2026-03-26T22:00:00Z"},
		{"2026-03-27T21:00:00Z", "2026-03-28", "hard", "2026-03-27T21:00:00Z"},
		{"2026-10-24T21:00:00Z", "2026-10-25", "medium", "2026-10-24T21:00:00Z"}, // the night they go back
		{"2026-10-25T21:59:59Z", "2026-10-25", "medium", "2026-10-24T21:00:00Z"},
		{"2026-10-25T22:00:00Z", "2026-10-26", "easy", "2026-10-25T22:00:00Z"},
		{"2026-12-31T21:59:59Z", "2026-12-31", "medium", "2026-12-30T22:00:00Z"}, // year end
		{"2026-12-31T22:00:00Z", "2027-01-01", "hard", "2026-12-31T22:00:00Z"},
		{"2028-02-28T22:00:00Z", "2028-02-29", "easy", "2028-02-28T22:00:00Z"}, // leap day
	} {
		r := daily(t, nil)
		today := r.Today(instant(t, c.now))
		if today.String() != c.today || r.Day(today).Label != c.label {
			t.Errorf("at %s it is %s, %s; want %s, %s", c.now, today, r.Day(today).Label, c.today, c.label)
		}
		if got := r.Release(today); !got.Equal(instant(t, c.release)) {
			t.Errorf("%s is released %s, want %s", today, got, c.release)
		}
	}
}

// The machine's own zone has no say.
func TestMachineZoneIsIrrelevant(t *testing.T) {
	r := daily(t, nil)
	for _, name := range []string{"Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kathmandu"} {
		zone, err := Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Today(instant(t, "2026-09-10T21:30:00Z").In(zone)); got != (Date{2026, 9, 11}) {
			t.Errorf("seen from %s it is %s", name, got)
		}
	}
}

func TestReleaseWhereTheClocksSkipOrRepeatIt(t *testing.T) {
	for _, c := range []struct {
		zone, release string
		date          Date
		want          string
	}{
		{"Asia/Beirut", "00:00", Date{2026, 3, 29}, "2026-03-28T22:00:00Z"},         // 00:00 became 01:00
		{"Asia/Beirut", "00:30", Date{2026, 3, 29}, "2026-03-28T22:00:00Z"},         // skipped: the moment after the gap
		{"America/New_York", "02:30", Date{2026, 3, 8}, "2026-03-08T07:00:00Z"},     // skipped
		{"America/New_York", "01:30", Date{2026, 11, 1}, "2026-11-01T05:30:00Z"},    // twice: the first
		{"Pacific/Apia", "00:00", Date{2011, 12, 30}, "2011-12-30T10:00:00Z"},       // a whole day skipped
		{"Asia/Kathmandu", "06:15", Date{2026, 7, 1}, "2026-07-01T00:30:00Z"},       // +05:45
		{"Pacific/Kiritimati", "00:00", Date{2026, 7, 1}, "2026-06-30T10:00:00Z"},   // +14
		{"Etc/GMT+12", "23:59", Date{2026, 7, 1}, "2026-07-02T11:59:00Z"},           // −12
		{"Australia/Lord_Howe", "02:15", Date{2026, 10, 4}, "2026-10-03T15:30:00Z"}, // half an hour skipped
	} {
		r := daily(t, func(p *events.Policy) { p.Zone, p.Release = c.zone, c.release })
		if got := r.Release(c.date); !got.Equal(instant(t, c.want)) {
			t.Errorf("%s %s on %s: %s, want %s", c.zone, c.release, c.date, got.Format(time.RFC3339), c.want)
		}
	}
}

// Against the definition, minute by minute: the first instant whose wall clock has reached the release time.
func TestReleaseIsTheFirstInstantThatHasReachedIt(t *testing.T) {
	zones := []string{"Asia/Jerusalem", "America/New_York", "Asia/Beirut", "Australia/Lord_Howe", "America/Havana", "Africa/Cairo", "Pacific/Apia"}
	rapid.Check(t, func(t *rapid.T) {
		p := Daily(Date{2020, 1, 1}, DailyZone)
		p.Zone = rapid.SampledFrom(zones).Draw(t, "zone")
		p.Release = time.Unix(int64(60*rapid.IntRange(0, 24*60-1).Draw(t, "minute")), 0).UTC().Format("15:04")
		r, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		date := Date{2010, 1, 1}.AddDays(rapid.IntRange(0, 33_000).Draw(t, "day")) // a century: also where zones follow a rule, not a list
		got := r.Release(date)
		wall := func(at time.Time) string { return at.In(r.zone).Format("2006-01-02 15:04") }
		wanted := date.String() + " " + p.Release
		if wall(got) < wanted {
			t.Fatalf("released at %s, before %s", wall(got), wanted)
		}
		for at := got.Add(-30 * time.Hour); at.Before(got); at = at.Add(time.Minute) {
			if wall(at) >= wanted {
				t.Fatalf("released at %s, but %s had come at %s", got, wanted, at)
			}
		}
	})
}

func TestNewNamesWhatIsWrong(t *testing.T) {
	for want, change := range map[string]func(*events.Policy){
		"series":    func(p *events.Policy) { p.Series = "Daily!" },
		"effective": func(p *events.Policy) { p.Effective = "2026-02-30" },
		"zone":      func(p *events.Policy) { p.Zone = "Mars/Olympus" },
		"Local":     func(p *events.Policy) { p.Zone = "Local" },
		"release":   func(p *events.Policy) { p.Release = "24:00" },
		"Wednesday": func(p *events.Policy) { p.Days[2].Label = "" },
		"source":    func(p *events.Policy) { p.Days[6].Source = "luck" },
	} {
		p := Daily(Date{2026, 1, 1}, DailyZone)
		change(&p)
		if _, err := New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not tell of %s", err, want)
		}
	}
}

func TestSeriesAtAndCurrent(t *testing.T) {
	first := daily(t, nil)
	second := daily(t, func(p *events.Policy) { p.Revision, p.Effective = 2, "2026-10-01" })
	s := Series{first, second}
	for date, want := range map[Date]int{{2026, 1, 1}: 1, {2026, 9, 30}: 1, {2026, 10, 1}: 2, {2027, 1, 1}: 2} {
		if r, ok := s.At(date); !ok || r.Policy.Revision != want {
			t.Errorf("on %s revision %d rules, want %d", date, r.Policy.Revision, want)
		}
	}
	if _, ok := s.At(Date{2025, 12, 31}); ok {
		t.Error("a rule before the first one's effective date")
	}
	if r := s.Current(instant(t, "2026-09-30T21:00:00Z")); r.Policy.Revision != 2 {
		t.Error("the second rule is not current on its first midnight in its zone")
	}
	if r := s.Current(instant(t, "2025-01-01T00:00:00Z")); r.Policy.Revision != 1 {
		t.Error("before any rule the first one is not current")
	}
}

func TestParseDate(t *testing.T) {
	for _, bad := range []string{"", "2026-9-1", "2026-02-29", "2026-09-11 ", "11-09-2026", "x"} {
		if d, err := ParseDate(bad); err == nil {
			t.Errorf("%q was read as %s", bad, d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := Date{2000, 1, 1}.AddDays(rapid.IntRange(-300000, 300000).Draw(t, "days"))
		back, err := ParseDate(d.String())
		if d.Year < 10000 && d.Year >= 0 && (err != nil || back != d) {
			t.Fatalf("%s came back as %s, %v", d, back, err)
		}
	})
}
