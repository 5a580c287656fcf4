package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/registry"
	"assay/registry/jobs"
)

// liar is a worker that gave wrong results: the object liar/1. Its last results were computed here again. The fields
// say what is wrong in those before.
type liar struct {
	Schema  string        `json:"schema"`
	Worker  string        `json:"worker"`
	Why     string        `json:"why"`
	Earlier int           `json:"earlier"` // results of it that had been taken before
	First   []string      `json:"first"`   // names of the first of these jobs
	Unknown int           `json:"unknown"` // those among them that could not be computed again
	Wrong   []wrongResult `json:"wrong"`   // those among them that were wrong
}

// wrongResult is a wrong result that had been taken.
type wrongResult struct {
	Job    string `json:"job"`
	Record string `json:"record,omitempty"` // the key under which it is on record
}

// tellLiars reports the workers that lied to a command, which has ended with err. If a wrong result was printed or
// recorded, that is a finding. r is nil for commands that record nothing.
func (a *app) tellLiars(ctx context.Context, crew jobs.Crew, r *registry.Registry, err error) error {
	if crew == nil || ctx.Err() != nil {
		return err
	}
	var told []liar
	for _, found := range crew.Liars(ctx) {
		l := liar{Schema: "liar/1", Worker: found.Worker, Why: found.Why, Earlier: found.Earlier, First: found.First, Unknown: found.Unknown, Wrong: []wrongResult{}}
		for _, w := range found.Wrong {
			result, recordErr := onRecord(ctx, r, w)
			if recordErr != nil {
				return errors.Join(err, recordErr)
			}
			l.Wrong = append(l.Wrong, result)
		}
		told = append(told, l)
	}
	if a.json {
		if printErr := printAll(a, told, nil); printErr != nil {
			return errors.Join(err, printErr)
		}
	}
	return a.complainOfLiars(told, r != nil, err)
}

func onRecord(ctx context.Context, r *registry.Registry, w jobs.Wrong) (wrongResult, error) {
	result := wrongResult{Job: w.Name}
	if r == nil {
		return result, nil
	}
	key, is, err := r.OnRecord(ctx, w)
	if is {
		result.Record = string(key)
	}
	return result, err
}

// complainOfLiars prints which wrong results of a liar remain, and makes that a finding.
func (a *app) complainOfLiars(told []liar, records bool, err error) error {
	stays := false
	for _, l := range told {
		var names []string
		for _, w := range l.Wrong {
			switch {
			case w.Record != "":
				names = append(names, w.Record)
			case !records:
				names = append(names, w.Job)
			}
		}
		if len(names) > 0 {
			what := "on record"
			if !records {
				what = "among what was printed"
			}
			a.complain(fmt.Sprintf("%s of %s %s, and wrong: %s", plural(len(names), "result"), l.Worker, what, strings.Join(names, ", ")))
		}
		if l.Unknown > 0 {
			a.complain(fmt.Sprintf("%s of %s could not be done again and may be wrong: assay verify --deep does it", plural(l.Unknown, "earlier result"), l.Worker))
		}
		stays = stays || len(names) > 0 || l.Unknown > 0
	}
	return finding(stays, err)
}
