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

// askers has an asker for each genre and variant of which there may be puzzles.
type askers map[[2]string]asker

// askers gives those of an engine as each variant has it.
func (r *Registry) askers(variants []raters.Variant, e engine) askers {
	all := askers{}
	for _, v := range variants {
		e.Genre, e.Variant = v.Genre, v.Name
		all.add(r, e)
	}
	return all
}

func (all askers) add(r *Registry, e engine) {
	var a asker
	if _, a.rater, a.err = e.find(r.Genres); a.err == nil {
		a.work, a.err = verdicts(r.Genres).Under(e)
	}
	all[[2]string{e.Genre, e.Variant}] = a
}

// of gives the asker for a puzzle.
func (all askers) of(p raters.Puzzle) (asker, error) {
	a, ok := all[[2]string{p.Genre, p.Variant}]
	if !ok {
		return a, fmt.Errorf("this program has no variant %s/%s", p.Genre, p.Variant)
	}
	return a, a.err
}

// ask asks about puzzles, in a pool, those of one variant that follow one another at a time.
func (all askers) ask(ctx context.Context, pool jobs.Pool, questions []question) ([]verdict, error) {
	var answers []verdict
	for begin := 0; begin < len(questions); {
		end := begin + 1
		for end < len(questions) && questions[end].Variant == questions[begin].Variant && questions[end].Genre == questions[begin].Genre {
			end++
		}
		a, err := all.of(questions[begin].puzzle())
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
