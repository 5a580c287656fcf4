package registry

import (
	"context"
	"fmt"

	"assay/raters"
	"assay/registry/jobs"
)

// asker asks a rater version about puzzles of one variant.
type asker struct {
	rater raters.Rater
	work  jobs.Work[question, verdict]
	err   error // why this program cannot
}

// askers has an asker for each variant, by name, of which a selection may have puzzles.
type askers map[string]asker

func (r *Registry) askers(variants []raters.Variant, e engine) askers {
	all := askers{}
	for _, v := range variants {
		var a asker
		e.Variant = v.Name
		if _, a.rater, a.err = e.find(r.Genres); a.err == nil {
			a.work, a.err = verdicts(r.Genres).Under(e)
		}
		all[v.Name] = a
	}
	return all
}

// of gives the asker for a variant.
func (all askers) of(variant string) (asker, error) {
	a, ok := all[variant]
	if !ok {
		return a, fmt.Errorf("this program has no variant %q", variant)
	}
	return a, a.err
}

// ask asks about puzzles, in a pool, those of one variant that follow one another at a time.
func (all askers) ask(ctx context.Context, pool jobs.Pool, questions []question) ([]verdict, error) {
	var answers []verdict
	for begin := 0; begin < len(questions); {
		end := begin + 1
		for end < len(questions) && questions[end].Variant == questions[begin].Variant {
			end++
		}
		a, err := all.of(questions[begin].Variant)
		if err != nil {
			return nil, err
		}
		part, err := jobs.Do(ctx, pool, a.work, questions[begin:end]...)
		if err != nil {
			return nil, err
		}
		if begin = end; answers == nil {
			answers = part
		} else {
			answers = append(answers, part...)
		}
	}
	return answers, nil
}
