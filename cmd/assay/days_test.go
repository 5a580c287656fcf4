package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
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
	if _, err := os.Stat(r.dir); !os.IsNotExist(err) {
		t.Errorf("a zone that is none leaves a directory: %v", err)
	}
}

// The zone and the policy are told before the first day is fixed.
func TestThePolicyIsToldBeforeDaysArePublished(t *testing.T) {
	s := serve(t, newRunner(t), "--zone", "Asia/Tokyo")
	s.end(t)
	log := s.errs.String()
	told := strings.Index(log, "msg=publishing series=daily policy=1 release=00:00 zone=Asia/Tokyo")
	if published := strings.Index(log, "msg=published series=daily"); told < 0 || published < told {
		t.Errorf("the log:\n%s", log)
	}
}

// A policy that is adopted a second time stands already, and the days that it leaves alone are told again.
func TestAPolicyThatStandsAlready(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "3")
	file := filepath.Join(t.TempDir(), "policy.toml")
	writeFile(t, file, strings.Replace(viennaPolicy, "evening", "daily", 1))
	first := r.done(t, "series", "adopt", file, "--reason", "one")
	if !strings.Contains(first, "4 days from 2026-12-01 to 2026-12-04") || strings.Contains(first, "stands already") {
		t.Error(first)
	}
	events := r.done(t, "export")
	second := r.done(t, "series", "adopt", file, "--reason", "another")
	if !strings.Contains(second, "it stands already since event #") || !strings.Contains(second, "4 days from 2026-12-01 to 2026-12-04") {
		t.Error(second)
	}
	if out := r.done(t, "series", "adopt", file, "--json"); !strings.Contains(out, `"stood":true`) || !strings.Contains(out, `"reason":"one"`) || !strings.Contains(out, `"untouched":["2026-12-01"`) {
		t.Error(out)
	}
	if r.done(t, "export") != events {
		t.Error("it put something on record")
	}
}

// allOfWeek is a policy with one rule for all days of the week, released at midnight UTC.
func allOfWeek(t *testing.T, series, effective, rule string) (file string) {
	t.Helper()
	text := fmt.Sprintf("series = %q\neffective = %q\nzone = \"UTC\"\nrelease = \"00:00\"\n[days]\n", series, effective)
	for day := range 7 {
		text += strings.ToLower(time.Weekday(day).String()) + " = " + rule + "\n"
	}
	file = filepath.Join(t.TempDir(), "policy.toml")
	writeFile(t, file, text)
	return file
}

const shelfRule = `{ label = "easy", source = "shelf", genre = "kakurasu", variant = "4x4", level = "easy" }`

// What publish --again leaves alone is told, date by date; a shelf that is empty is a finding.
func TestWhatPublishAgainTells(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "4")
	r.done(t, "withdraw", "2026-12-04", "--empty", "--reason", "a holiday")
	r.done(t, "pool", "fill", "kakurasu/4x4", "--per-level", "1")
	r.done(t, "series", "adopt", allOfWeek(t, "daily", "2026-12-02", shelfRule))
	other := subject{runner: r, files: takeImage(t, r.dir)}.restore(t)
	out, errs, code := r.run(t, "", "publish", "--again", "--from", "2026-12-01")
	for _, want := range []string{"\n  2026-12-04 stays empty: assay publish --date 2026-12-04 gives it a puzzle\n", "\ndaily: 1 of 3 days new\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in:\n%s", want, out)
		}
	}
	if want := "daily 2026-12-05 keeps its puzzle of policy 1: shelf kakurasu/4x4/easy is empty: fill it"; code != exitFinding || !strings.Contains(errs, want) || strings.Contains(errs, "gets no puzzle") {
		t.Errorf("exit %d: %s", code, errs)
	}
	out, errs, code = other.run(t, "", "publish", "--again", "--from", "2026-12-01", "--json")
	if code != exitFinding || strings.Count(out, `"schema":"unpublished/1"`) != 3 || strings.Count(out, `"stays_empty":true`) != 1 || strings.Count(out, `"keeps":"chain-`) != 2 || strings.Count(out, `"schema":"day/1"`) != 1 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// named finds the commands that a message names.
var named = regexp.MustCompile(`assay (pool fill [a-z0-9/]+|publish(?: --[a-z]+(?: [a-z0-9…][a-z0-9…-]*)?)*)`)

// What the message of a withdrawal says to do works, and the date has a puzzle then.
func TestTheWayBackThatAWithdrawalNames(t *testing.T) {
	const chainRule = `{ label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }`
	for _, date := range []string{"2026-12-01", "2026-12-02"} { // of which the first is released
		for _, flags := range [][]string{nil, {"--empty"}, {"--released"}} {
			for _, rule := range []string{shelfRule, chainRule} {
				for _, series := range []string{"daily", "evening"} {
					t.Run(fmt.Sprint(date, flags, strings.Contains(rule, "shelf"), series), func(t *testing.T) {
						r := newRunner(t)
						r.done(t, "series", "adopt", allOfWeek(t, series, "2026-12-01", rule))
						if rule == shelfRule {
							r.done(t, "pool", "fill", "kakurasu/4x4", "--per-level", "1")
						}
						r.done(t, "publish", "--series", series, "--from", date, "--to", date)
						r.follow(t, r.done(t, append([]string{"withdraw", date, "--series", series, "--reason", "a test"}, flags...)...))
						r.run(t, "", "publish", "--series", series, "--from", date, "--to", date) // as the next round of a publisher does
						if out := r.done(t, "archive", "--series", series, "--from", date, "--to", date); !strings.Contains(out, "revision 1") {
							t.Errorf("the date has %q", out)
						}
					})
				}
			}
		}
	}
}

// follow says the commands that a message names, in their order. One that names a shelf to fill in its turn is said again
// when that is done.
func (r runner) follow(t *testing.T, message string) {
	t.Helper()
	for _, command := range named.FindAllStringSubmatch(message, -1) {
		args := strings.Fields(strings.Replace(command[1], "…", "test", 1))
		if args[0] == "pool" {
			args = append(args, "--per-level", "1")
		}
		_, errs, code := r.run(t, "", args...)
		if code == exitFinding && strings.Contains(errs, "pool fill") && !strings.Contains(message, "pool fill") {
			r.follow(t, errs)
			_, errs, code = r.run(t, "", args...)
		}
		if code != exitDone {
			t.Errorf("%s says %v: exit %d: %s", message, args, code, errs)
		}
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
	stands, err := readClock("2027-06-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	clock := (&app{now: "2027-06-01T00:00:00Z", clock: stands}).runningClock()
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
