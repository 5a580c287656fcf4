package main

import (
	"strings"
	"testing"
)

// A clock that is wrong by years records nothing, unless it is told to be right; 400 days are no reason to ask.
func TestAClockFarFromTheRecord(t *testing.T) {
	r := newRunner(t)
	r.now = "2001-01-01T00:00:00Z"
	r.done(t, "publish", "--ahead", "1") // an empty log has no newest event
	r.now = "2002-02-05T00:00:00Z"
	r.done(t, "publish", "--ahead", "1")
	days := r.done(t, "archive", "--json")
	for _, now := range []string{"2003-03-13T00:00:01Z", "2026-12-01T09:00:00Z", "1999-12-31T00:00:00Z"} {
		r.now = now
		for _, verb := range [][]string{
			{"publish", "--from", "2002-03-01", "--to", "2002-03-01"}, {"withdraw", "2002-02-05", "--reason", "a test"}, {"generate", "chain"}, {"pool", "fill", "kakurasu/4x4", "--per-level", "1"},
		} {
			_, errs, code := r.run(t, "", verb...)
			if code != exitInput || !strings.Contains(errs, "the clock says "+now) || !strings.Contains(errs, "is of 2002-02-05T00:00:00Z") || !strings.Contains(errs, "--catch-up") {
				t.Errorf("%s: %v: exit %d, %s", now, verb, code, errs)
			}
		}
	}
	r.now = "2003-03-14T00:00:00Z"
	s := serve(t, r) // it serves, and publishes nothing
	if errs := s.errs.String(); !strings.Contains(errs, "not published") || !strings.Contains(errs, "--catch-up") {
		t.Errorf("serving: %s", errs)
	}
	s.end(t)
	if got := r.done(t, "archive", "--json"); got != days {
		t.Error("days were published")
	}
	if out := r.done(t, "publish", "--ahead", "0", "--catch-up"); !strings.Contains(out, "401 of 803 days new") {
		t.Errorf("caught up: %s", out)
	}
	r.done(t, "publish", "--ahead", "2") // its newest event is of now
	r.done(t, "verify")
}
