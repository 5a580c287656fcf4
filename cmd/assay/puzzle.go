package main

import (
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry"
)

// genres gives the engines of this program.
func (a *app) genres() []raters.Genre { return catalog.Genres() }

// puzzleFlags are the flags of verbs that take puzzles: an ID, a text with its genre, or a file of texts.
type puzzleFlags struct{ genre, variant, in string }

func (f *puzzleFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.genre, "genre", "", "the genre of a puzzle given as text")
	cmd.Flags().StringVar(&f.variant, "variant", "", "its variant, else the genre's first")
	cmd.Flags().StringVar(&f.in, "in", "", "a file of puzzles, one a line or as grids with a blank line or --- between, or - for standard input")
}

// check refuses a command line that names no puzzle, or both a puzzle and a file of them.
func (f *puzzleFlags) check(args []string) error {
	switch {
	case len(args) == 0 && f.in == "":
		return &registry.InputError{Reason: "give a puzzle, or a file of puzzles with --in"}
	case len(args) > 0 && f.in != "":
		return &registry.InputError{Reason: "a puzzle and --in do not go together"}
	}
	return nil
}

// find gives the genre and variant that the flags name.
func (f *puzzleFlags) find(genres []raters.Genre) (raters.Genre, string, error) {
	if f.genre == "" {
		return raters.Genre{}, "", &registry.InputError{Reason: "a puzzle given as text needs --genre"}
	}
	g, err := registry.Find(genres, f.genre)
	if err != nil {
		return g, "", err
	}
	variant, err := registry.Variant(g, f.variant)
	return g, variant, err
}

// isID tells whether an argument is a puzzle ID rather than a text.
func (a *app) isID(arg string) bool {
	genre, rest, ok := strings.Cut(arg, "-")
	_, err := registry.Find(a.genres(), genre)
	return ok && err == nil && len(rest) == 16
}
