package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const viennaPolicy = `series = "evening"
effective = "2026-12-01"
zone = "Europe/Vienna"
release = "18:00"
[days]
monday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
tuesday   = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
wednesday = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
thursday  = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
friday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
saturday  = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
sunday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
[labels]
hard = "schwer"
`

// The first start says where its days are, and takes a zone or a policy instead of the one it has.
func TestTheFirstStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.toml")
	writeFile(t, file, viennaPolicy)
	for want, flags := range map[string][]string{
		"daily: policy 1, released 00:00 Asia/Jerusalem":  nil,
		"daily: policy 1, released 00:00 Asia/Tokyo":      {"--zone", "Asia/Tokyo"},
		"evening: policy 1, released 18:00 Europe/Vienna": {"--series", file},
	} {
		r := newRunner(t)
		for range 2 { // the second time it stands
			s := serve(t, r, flags...)
			if !strings.Contains(s.first, "("+want+") on http://") {
				t.Errorf("%v: %s", flags, s.first)
			}
			s.end(t)
		}
		series, _, _ := strings.Cut(want, ":")
		if out := r.done(t, "archive", "--series", series, "--json"); strings.Count(out, "\n") != 31 {
			t.Errorf("%v: %d days", flags, strings.Count(out, "\n"))
		}
		if _, errs, code := r.run(t, "", "serve", "--addr", "127.0.0.1:0", "--zone", "Asia/Kolkata"); code != exitInput || !strings.Contains(errs, "is on record in the zone") {
			t.Errorf("another zone later: exit %d, %s", code, errs)
		}
	}
	r := newRunner(t)
	if _, errs, code := r.run(t, "", "serve", "--addr", "127.0.0.1:0", "--zone", "Europe/Atlantis"); code != exitInput {
		t.Errorf("no such zone: exit %d, %s", code, errs)
	}
}

// Flags that exclude one another are refused, and so are those that need another.
func TestFlagsOfDays(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "3")
	for _, args := range []string{
		"publish --ahead 3 --from 2026-12-01 --to 2026-12-02", "publish --date 2026-12-01 --ahead 3", "publish --again", "publish --puzzle chain-cbdd4rr1b0bsvym2",
		"publish --released", "publish --again --from 2026-12-01 --to 2026-12-02", "withdraw 2026-12-02 --empty --released --reason x",
		"publish --date 2026-12-02 --puzzle chain-cbdd4rr1b0bsvym2", "publish --date 2026-13-02", "withdraw 2026-12-02",
	} {
		if out, errs, code := r.run(t, "", strings.Fields(args)...); code != exitInput {
			t.Errorf("%s: exit %d: %s%s", args, code, out, errs)
		}
	}
	if out := r.done(t, "withdraw", "2026-12-03", "--empty", "--reason", "a holiday"); !strings.Contains(out, "2026-12-03 has no puzzle now") {
		t.Error(out)
	}
	if out := r.done(t, "audit", "2026-12-03"); !strings.Contains(out, "Now empty") || !strings.Contains(out, "stay empty") {
		t.Error(out)
	}
	if out := r.done(t, "withdraw", "2026-12-01", "--reason", "a mistake", "--json"); !strings.Contains(out, `"schema":"unpublished/1"`) {
		t.Error(out)
	}
	if out := r.done(t, "publish", "--date", "2026-12-01", "--released", "--reason", "a mistake"); !strings.Contains(out, "revision 1") {
		t.Error(out)
	}
	if out := r.done(t, "audit", "2026-12-01"); !strings.Contains(strings.Join(strings.Split(out, "\n")[:3], "\n"), "Readers saw") {
		t.Errorf("the first lines of the audit:\n%s", out)
	}
}

// A clock that is given to serve begins there and runs on, and verbs typed beside it go by it.
func TestARehearsal(t *testing.T) {
	r := newRunner(t)
	clock, err := (&app{now: "2027-06-01T00:00:00Z"}).runningClock()
	if err != nil {
		t.Fatal(err)
	}
	first := clock()
	for clock().Equal(first) { // it does not stand still
	}
	r.now = "2027-06-01T00:00:00Z"
	s := serve(t, r)
	beside := r
	beside.now = ""
	if out := beside.done(t, "publish", "--ahead", "31"); !strings.Contains(out, "2027-07-02") {
		t.Errorf("beside it: %s", out)
	}
	s.end(t)
}
