package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/raters"
	"assay/registry/input"
)

// IsStopped reports whether an error is that of a context that ended.
func IsStopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// SolutionsText describes a verdict other than one solution.
func SolutionsText(s raters.Solution) string {
	if s.Verdict == raters.None {
		return "no solution"
	}
	return "more than one solution"
}

// FindGenre returns a genre by name.
func FindGenre(genres []raters.Genre, name string) (raters.Genre, error) {
	names := make([]string, 0, len(genres))
	for _, g := range genres {
		if g.Name == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return raters.Genre{}, input.Errorf("genre %q is not one of %s", name, strings.Join(names, ", "))
}

// Find returns a variant by the name of its genre and its own; "" is the genre's default.
func Find(genres []raters.Genre, genre, variant string) (raters.Variant, error) {
	g, err := FindGenre(genres, genre)
	if err != nil {
		return raters.Variant{}, err
	}
	v, ok := g.Variant(variant)
	if !ok {
		names := make([]string, len(g.Variants))
		for i, v := range g.Variants {
			names[i] = v.Name
		}
		err = input.Errorf("%s has no variant %q; it has %s", g.Name, variant, Few(names))
	}
	return v, err
}

// Few shortens a long list of words.
func Few(list []string) string {
	if len(list) > 12 {
		list = append(slices.Clone(list[:4]), fmt.Sprintf("… %s, %d in all", list[len(list)-1], len(list)))
	}
	return strings.Join(list, ", ")
}

// Rater returns a built-in rater of the variant by name; "" is the default.
func Rater(v raters.Variant, name string) (raters.Rater, error) {
	scale, ok := v.Scale(name)
	if !ok {
		names := make([]string, len(v.Scales))
		for i, s := range v.Scales {
			names[i] = s.Rater.Name()
		}
		return nil, input.Errorf("%s has no rater %q; it has %s", v, name, strings.Join(names, ", "))
	}
	return scale.Rater, nil
}
