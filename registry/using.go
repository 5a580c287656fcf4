package registry

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/frequency"
)

// Using names a puzzle that uses a technique: the object using/1.
type Using struct {
	Schema    string `json:"schema"`
	ID        string `json:"id"`
	Level     string `json:"level"`
	Technique string `json:"technique"`
	Text      string `json:"text"`
	Next      string `json:"next,omitempty"` // set on the last of a page when there may be more: continue after it
}

// UsingQuery asks for a page of the puzzles that use a technique.
type UsingQuery struct {
	FrequencyQuery
	Technique string
	After     string // the Next of the page before, or ""
	Limit     int    // puzzles a page, from 1
}

// Using lists the puzzles that use a technique, shelf by shelf from the lowest level, each in log order.
func (r *Registry) Using(ctx context.Context, q UsingQuery) ([]Using, error) {
	if q.Limit < 1 {
		return nil, badInput("a page of %d puzzles is less than 1", q.Limit)
	}
	if q.AsOf != 0 {
		return nil, badInput("a list of puzzles is of the present: it goes without a position in the log")
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	c, err := r.counted(ctx, q.FrequencyQuery)
	if err != nil {
		return nil, err
	}
	if len(c.order) > 0 && !slices.ContainsFunc(c.order, func(t events.Technique) bool { return t.Name == q.Technique }) {
		return nil, badInput("%s has no technique %q; it has %s", c.rater, q.Technique, strings.Join(c.frequency(tally{}).Order, ", "))
	}
	level, after, err := parseAfter(q.After)
	if err != nil {
		return nil, err
	}
	return r.page(c, q, level, after)
}

// parseAfter reads where a page goes on: <level>:<event>.
func parseAfter(text string) (level string, after events.Seq, err error) {
	if text == "" {
		return "", 0, nil
	}
	level, seq, _ := strings.Cut(text, ":")
	n, err := strconv.ParseUint(seq, 10, 64)
	if err != nil || level == "" {
		return "", 0, badInput("%q is not where a page ended, such as hard:1234", text)
	}
	return level, events.Seq(n), nil
}

func (r *Registry) page(c counted, q UsingQuery, level string, after events.Seq) (list []Using, err error) {
	err = r.Store.View(frequency.Table.Name(), func(tx *projections.Tx) error {
		for _, shelf := range c.shelves() {
			if level != "" && shelf.Level != level {
				continue
			}
			level = ""
			ids, last, err := shelf.Using(tx, q.Technique, after, q.Limit-len(list))
			if err != nil {
				return err
			}
			for _, id := range ids {
				list = append(list, Using{Schema: "using/1", ID: id, Level: shelf.Level, Technique: q.Technique})
			}
			if len(list) == q.Limit {
				list[len(list)-1].Next = fmt.Sprintf("%s:%d", shelf.Level, last)
				return nil
			}
			after = 0
		}
		return nil
	})
	for i := range list {
		k, _, err := r.find(list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i].Text = k.Puzzle.Text
	}
	return list, err
}
