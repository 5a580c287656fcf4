package engine

import (
	"context"
	"fmt"

	"assay/raters"
	"assay/registry/jobs"
)

// asker asks a rater version about puzzles of one variant.
type asker struct {
	rater raters.Rater
	work  jobs.Work[Question, Verdict]
	err   error // why this program cannot ask it
}

// Askers has an asker for each genre and variant that may have puzzles.
type Askers map[[2]string]asker

// AskersOf returns the askers of an engine, one for each variant.
func AskersOf(genres []raters.Genre, variants []raters.Variant, e Name) Askers {
	all := Askers{}
	for _, v := range variants {
		e.Genre, e.Variant = v.Genre, v.Name
		all.Add(genres, e)
	}
	return all
}

// Add adds the asker of an engine.
func (all Askers) Add(genres []raters.Genre, e Name) {
	var a asker
	if _, a.rater, a.err = e.Find(genres); a.err == nil {
		a.work, a.err = Verdicts(genres).Under(e)
	}
	all[[2]string{e.Genre, e.Variant}] = a
}

// Rater returns the rater that is asked about a puzzle.
func (all Askers) Rater(p raters.Puzzle) (raters.Rater, error) {
	a, err := all.of(p)
	return a.rater, err
}

func (all Askers) of(p raters.Puzzle) (asker, error) {
	a, ok := all[[2]string{p.Genre, p.Variant}]
	if !ok {
		return a, fmt.Errorf("this program has no variant %s/%s", p.Genre, p.Variant)
	}
	return a, a.err
}

// Ask lets a crew rate puzzles. It asks about consecutive puzzles of one variant together.
func (all Askers) Ask(ctx context.Context, crew jobs.Crew, questions []Question) ([]Verdict, error) {
	var answers []Verdict
	for begin := 0; begin < len(questions); {
		end := begin + 1
		for end < len(questions) && questions[end].Variant == questions[begin].Variant && questions[end].Genre == questions[begin].Genre {
			end++
		}
		a, err := all.of(questions[begin].Puzzle())
		if err != nil {
			return nil, err
		}
		part, err := jobs.Do(ctx, crew, a.work, questions[begin:end]...)
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
