package registry_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/public"
)

// weekly is a policy with one rule for all days of the week.
func weekly(series, effective, rule string) []byte {
	text := fmt.Sprintf("series = %q\neffective = %q\nzone = \"UTC\"\nrelease = \"06:00\"\n[days]\n", series, effective)
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		text += day + " = " + rule + "\n"
	}
	return []byte(text)
}

func adopt(t *testing.T, r *registry.Registry, text []byte) registry.Policy {
	t.Helper()
	p, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: text, Actor: "chief"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func withdraw(t *testing.T, r *registry.Registry, req registry.WithdrawRequest) registry.Replacement {
	t.Helper()
	req.Actor = "chief"
	if req.Reason == "" {
		req.Reason = "it is bad"
	}
	became, err := r.Withdraw(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if (became.Day == nil) == (became.Vacant == nil) {
		t.Fatalf("%+v", became)
	}
	return became
}

const allEasy = `{ label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }`

func TestAReplacementKeepsTheLabelAndSourceOfItsDay(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	before, _ := publish(t, r, 20)
	friday := slices.IndexFunc(before, func(d registry.Day) bool { return d.Date == "2026-12-18" })
	p := adopt(t, r, weekly("daily", "2026-12-10", allEasy))
	if len(p.Untouched) != 12 || p.Untouched[0] != "2026-12-10" || p.Untouched[11] != "2026-12-21" {
		t.Errorf("the policy says of days already published: %v", p.Untouched)
	}
	became := withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: date(t, "2026-12-18")})
	if became.Day.Label != "hard" || before[friday].Label != "hard" || became.Day.Release != before[friday].Release || became.Day.ID == before[friday].ID {
		t.Errorf("%+v became %+v", before[friday], became.Day)
	}
	a, err := r.AuditDay(t.Context(), "daily", date(t, "2026-12-18"))
	if err != nil || a.Policy.Revision != 1 || a.Generation.Requested != "hard" || a.Label != "hard" {
		t.Errorf("%+v, %v", a.Policy, err)
	}
}

// What readers saw is taken down at once, and nothing takes its place until somebody says so.
func TestAReleasedDay(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 3)
	today := date(t, "2026-12-01")
	shown, err := seen(t, r).Day(t.Context(), "daily", today)
	if err != nil {
		t.Fatal(err)
	}
	if became := withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: today}); became.Vacant == nil || !strings.Contains(became.Vacant.Reason, "--released") {
		t.Errorf("%+v", became)
	}
	var gone *public.WithdrawnError
	if _, err := seen(t, r).Day(t.Context(), "daily", today); !errors.As(err, &gone) {
		t.Errorf("readers are shown: %v", err)
	}
	if days, added := publish(t, r, 3); added != 0 || len(days) != 3 {
		t.Errorf("a publisher fills it: %d days, %d new", len(days), added)
	}
	req := registry.DateRequest{Series: "daily", Date: today, Actor: "chief", Reason: "another one"}
	if _, _, err := r.PublishDate(t.Context(), req); !isInput(err) {
		t.Errorf("replaced without a word: %v", err)
	}
	req.Released, req.Reason = true, ""
	if _, _, err := r.PublishDate(t.Context(), req); !isInput(err) {
		t.Errorf("replaced without a reason: %v", err)
	}
	req.Reason = "the first had two answers"
	day, added, err := r.PublishDate(t.Context(), req)
	if err != nil || !added || day.ID == shown.ID || day.Label != shown.Label || day.Revision != 1 {
		t.Errorf("%+v, %v", day, err)
	}
	a, err := r.AuditDay(t.Context(), "daily", today)
	if err != nil || len(a.Seen) != 1 || a.Seen[0].ID != shown.ID || a.LabelChanged {
		t.Errorf("the audit says that readers saw %+v, %v", a.Seen, err)
	}
	both := withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: today, Released: true})
	if both.Day == nil || both.Day.Revision != 2 {
		t.Errorf("withdrawn and replaced at once: %+v", both)
	}
	if a, err = r.AuditDay(t.Context(), "daily", today); err != nil || len(a.Seen) != 2 {
		t.Errorf("%+v, %v", a.Seen, err)
	}
}

func TestADateThatIsToStayEmpty(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 5)
	day := date(t, "2026-12-04")
	withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: day, Empty: true, Reason: "a public holiday"})
	if _, added := publish(t, r, 5); added != 0 {
		t.Error("a publisher fills it")
	}
	again, err := r.PublishAgain(t.Context(), registry.AgainRequest{Series: "daily", From: day, Actor: "chief"})
	if err != nil || again.Due != 0 || len(again.Passed) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	a, err := r.AuditDay(t.Context(), "daily", day)
	if err != nil || !strings.Contains(a.Empty, "stay empty") || len(a.Later) == 0 || len(a.Seen) != 0 {
		t.Errorf("the audit: %q, %v", a.Empty, err)
	}
	got, added, err := r.PublishDate(t.Context(), registry.DateRequest{Series: "daily", Date: day, Actor: "chief"})
	if err != nil || !added || got.Revision != 1 || got.Label != "hard" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "daily", Date: day, Empty: true, Released: true, Actor: "chief", Reason: "x"}); !isInput(err) {
		t.Errorf("empty and replaced: %v", err)
	}
}

// A bad puzzle comes down although its shelf is empty, and the date is filled when there is stock.
func TestADateEmptyForWantOfStock(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	adopt(t, r, []byte(shelfPolicy))
	fillToy(t, r, 1, 3)
	if days, _ := publishToys(t, r, 2); len(days) != 2 { // one gentle, one tough on the 3rd
		t.Fatal(days)
	}
	day := date(t, "2026-12-03")
	became := withdraw(t, r, registry.WithdrawRequest{Series: "toys", Date: day})
	if became.Vacant == nil || became.Vacant.Shelf != "toy/flat/hard" || became.Vacant.Label != "tough" {
		t.Fatalf("%+v", became)
	}
	if days, _ := publishToys(t, r, 2); len(days) != 1 {
		t.Fatal(days)
	}
	fillToy(t, r, 2, 3)
	days, _ := publishToys(t, r, 2)
	if len(days) != 3 || days[2].Label != "tough" || days[2].Revision != 1 {
		t.Error(days)
	}
}

func TestAChosenPuzzle(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	adopt(t, r, []byte(shelfPolicy))
	fillToy(t, r, 3, 3)
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{toyPuzzle(toyText(0, 800)), toyPuzzle(toyText(2, 700))}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	easy, hard := toyPuzzle(toyText(0, 800)).ID(), toyPuzzle(toyText(2, 700)).ID()
	choose := func(id, reason string, day string) (registry.Day, error) {
		d, _, err := r.PublishDate(t.Context(), registry.DateRequest{Series: "toys", Date: date(t, day), Puzzle: id, Actor: "chief", Reason: reason})
		return d, err
	}
	chain, err := generateRecorded(t.Context(), r, r.Genres[0].Variants[0], raters.Request{Variant: "daily", Level: "easy", Seed: 5}, "editor")
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]string{"not on record": "toy-0000000000000000", "another genre": chain.ID, "another level, without a reason": hard} {
		if _, err := choose(id, "", "2026-12-08"); !isInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := choose(easy, "", "2026-12-08")
	if err != nil || got.ID != easy || got.Label != "gentle" || got.Level != "easy" {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, err := choose(easy, "", "2026-12-08"); err != nil || again != got {
		t.Errorf("once more: %+v, %v", again, err)
	}
	if _, err := choose(hard, "why not", "2026-12-08"); !isInput(err) || !strings.Contains(err.Error(), "withdraw it first") {
		t.Errorf("on a day that has one: %v", err)
	}
	if _, err := choose(easy, "", "2026-12-09"); !isInput(err) {
		t.Errorf("published before: %v", err)
	}
	if got, err = choose(hard, "for the anniversary", "2026-12-09"); err != nil || got.Level != "hard" || got.Label != "gentle" {
		t.Errorf("%+v, %v", got, err)
	}
	for d, err := range r.Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := d.Body.(events.Published); ok && !p.Chosen {
			t.Errorf("event %d does not say that the puzzle was chosen", d.Seq)
		}
	}
}

func TestPublishingAgainUnderANewPolicy(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	before, _ := publish(t, r, 10)
	adopt(t, r, weekly("daily", "2026-12-01", allEasy)) // today, which is released
	done, err := r.PublishAgain(t.Context(), registry.AgainRequest{Series: "daily", From: date(t, "2026-12-01"), Actor: "chief", Reason: "easier"})
	if err != nil || len(done.Days) != 10 || done.Due != 10 {
		t.Fatalf("%+v, %v", done, err)
	}
	for i, d := range archive(t, r) {
		switch {
		case i == 0 && d != before[0]:
			t.Errorf("the released day changed: %+v", d)
		case i > 0 && (d.Label != "easy" || d.Revision != 1 || d != done.Days[i-1]):
			t.Errorf("%+v", d)
		}
	}
	n := length(t, r.Log)
	if done, err := r.PublishAgain(t.Context(), registry.AgainRequest{Series: "daily", From: date(t, "2026-12-01"), Actor: "chief"}); err != nil || done.Due != 0 || length(t, r.Log) != n {
		t.Errorf("once more: %+v, %v", done, err)
	}
	a, err := r.AuditDay(t.Context(), "daily", date(t, "2026-12-04"))
	if err != nil || !a.LabelChanged || len(a.Seen) != 0 {
		t.Errorf("label changed %v, seen %v, %v", a.LabelChanged, a.Seen, err)
	}
	if a, err = r.AuditDay(t.Context(), "daily", date(t, "2026-12-07")); err != nil || a.LabelChanged { // a Monday was easy before
		t.Errorf("label changed %v, %v", a.LabelChanged, err)
	}
}

func TestAPolicyOfThePast(t *testing.T) {
	r := open(t, logtest.NewMemory(), at("2026-12-01T23:30:00Z")) // 1:30 on the 2nd in Jerusalem
	text := weekly("late", "2026-12-01", allEasy)
	jerusalem := []byte(strings.Replace(string(text), "UTC", "Asia/Jerusalem", 1))
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: jerusalem, Actor: "chief"}); !isInput(err) || !strings.Contains(err.Error(), "--backdate") {
		t.Errorf("yesterday in its zone: %v", err)
	}
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: jerusalem, Actor: "chief", Backdate: true}); err != nil {
		t.Errorf("asked for: %v", err)
	}
	adopt(t, r, weekly("early", "2026-12-01", allEasy)) // today in UTC
}

func TestNamesOfLabels(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	text := append(weekly("daily", "2026-12-01", allEasy), "[labels]\neasy = \"קל\"\n"...)
	p := adopt(t, r, text)
	days, _ := publish(t, r, 0)
	if p.Days[0].LabelName != "קל" || days[0].Label != "easy" || days[0].LabelName != "קל" {
		t.Errorf("%+v, %+v", p.Days[0], days)
	}
	day, err := seen(t, r).Day(t.Context(), "daily", date(t, "2026-12-01"))
	if err != nil || day.LabelName != "קל" {
		t.Errorf("%+v, %v", day, err)
	}
	for want, labels := range map[string]string{
		"no day has the label": "hard = \"x\"", "0 characters": "easy = \"\"", "1 characters": "easy = \" \"",
		"101 characters": "easy = \"" + strings.Repeat("x", 101) + "\"", "U+202E": "easy = \"a\u202eb\"",
	} {
		bad := append(weekly("other", "2026-12-01", allEasy), "[labels]\n"+labels+"\n"...)
		if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: bad, Actor: "chief"}); !isInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// A server fills a date that was emptied for want of stock as soon as there is some, also on the same day.
func TestAServerFillsADateWhenThereIsStock(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	adopt(t, r, weekly("toys", "2026-12-02", `{ label = "tough", source = "shelf", genre = "toy", variant = "flat", level = "hard" }`))
	fillToy(t, r, 30, 3)
	k := registry.NewDailyPublisher(r, slog.New(slog.DiscardHandler))
	k.Round(t.Context())
	day := date(t, "2026-12-20")
	if became := withdraw(t, r, registry.WithdrawRequest{Series: "toys", Date: day}); became.Vacant == nil {
		t.Fatalf("%+v", became.Day)
	}
	k.Round(t.Context())
	fillToy(t, r, 1, 3)
	k.Round(t.Context())
	a, err := r.AuditDay(t.Context(), "toys", day)
	if err != nil || a.Empty != "" || len(a.Revisions) != 2 {
		t.Errorf("%q, %d revisions, %v", a.Empty, len(a.Revisions), err)
	}
	n := length(t, r.Log)
	if k.Round(t.Context()); length(t, r.Log) != n {
		t.Error("a round without need records something")
	}
}
