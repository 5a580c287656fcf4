package registry

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/registry/input"
)

// Using is a puzzle that uses techniques: the object using/1.
type Using struct {
	Schema    string `json:"schema"`
	ID        string `json:"id"`
	Level     string `json:"level"`     // by the rater
	Technique string `json:"technique"` // the techniques of the query, separated by ","
	Text      string `json:"text"`
	Next      string `json:"next,omitempty"` // set on the last of a page when there may be more: continue after it
}

// UsingQuery asks for a page of the puzzles that use every one of some techniques.
type UsingQuery struct {
	FrequencyQuery
	Techniques []string
	After      string // the Next of the page before, or ""
	Limit      int    // puzzles a page, from 1
}

// Using lists the puzzles that use every one of some techniques, shelf by shelf from the lowest level. On a shelf they
// are in the sequence in which they were recorded.
func (r *Registry) Using(ctx context.Context, q UsingQuery) (list []Using, err error) {
	if q.Limit < 1 {
		return nil, input.Errorf("a page of %d puzzles is less than 1", q.Limit)
	}
	if q.AsOf != nil {
		return nil, input.Errorf("a list of puzzles is of the present: it goes without a position in the log")
	}
	list, err = read(ctx, r, pools.Table, func(tx *projections.Tx) ([]Using, error) {
		c, err := r.counted(ctx, tx, q.FrequencyQuery)
		if err == nil {
			err = c.checkTechniques(q.Techniques)
		}
		if err != nil {
			return nil, err
		}
		return c.page(tx, q)
	})
	if err != nil {
		return nil, err
	}
	for i := range list {
		k, _, err := r.find(list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i].Text = k.Puzzle.Text
	}
	return list, nil
}

// checkTechniques refuses names that are not techniques of the rater.
func (c frequencyScope) checkTechniques(names []string) error {
	if len(names) == 0 {
		return input.Errorf("name the techniques that puzzles are to use")
	}
	order := make([]string, len(c.order))
	for i, t := range c.order {
		order[i] = t.Name
	}
	for _, name := range names {
		if len(order) > 0 && !slices.Contains(order, name) {
			return input.Errorf("%s has no technique %q; it has %s", c.by.Rater, name, strings.Join(order, ", "))
		}
	}
	return nil
}

// parseAfter reads where a page begins: <level>:<event>.
func parseAfter(text string) (level string, after events.Seq, err error) {
	if text == "" {
		return "", 0, nil
	}
	level, seq, _ := strings.Cut(text, ":")
	n, err := strconv.ParseUint(seq, 10, 64)
	if err != nil {
		return "", 0, input.Errorf("%q is not where a page ended, such as hard:1234", text)
	}
	return level, events.Seq(n), nil
}

// page lists a page of a query.
func (c frequencyScope) page(tx *projections.Tx, q UsingQuery) (list []Using, err error) {
	level, after, err := parseAfter(q.After)
	if err != nil {
		return nil, err
	}
	start := 0
	if q.After != "" {
		start = slices.Index(c.choice.Levels, level)
	}
	if start < 0 {
		return nil, input.Errorf("no page of this list ended at %s", q.After)
	}
	for _, shelf := range c.choice.Levels[start:] {
		found, err := c.choice.Using(tx, c.by.key(), shelf, q.Techniques, after, q.Limit-len(list))
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			list = append(list, Using{Schema: "using/1", ID: p.ID, Level: p.Level, Technique: strings.Join(q.Techniques, ",")})
		}
		if len(list) == q.Limit {
			list[len(list)-1].Next = fmt.Sprintf("%s:%d", shelf, found[len(found)-1].First)
			return list, nil
		}
		after = 0
	}
	return list, nil
}
