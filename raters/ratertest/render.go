package ratertest

import (
	"context"
	"fmt"
	"strings"

	"assay/raters"
	"assay/raters/logic"
)

// generations writes what a generator makes of the requests, a paragraph each.
func generations(ctx context.Context, g raters.Generator, requests []raters.Request) (string, error) {
	var b strings.Builder
	for _, r := range requests {
		made, err := g.Generate(ctx, r)
		if err != nil {
			return "", fmt.Errorf("generating %+v: %w", r, err)
		}
		wanted := fmt.Sprintf("level %q", r.Level)
		if r.Cap != "" {
			wanted = fmt.Sprintf("cap %q", r.Cap)
		}
		fmt.Fprintf(&b, "# variant %s, rater %q, %s, seed %d\n", r.Variant, r.Rater, wanted, r.Seed)
		writeGenerated(&b, made)
	}
	return b.String(), nil
}

func writeGenerated(b *strings.Builder, g raters.Generated) {
	writeBlock(b, "puzzle", g.Puzzle.Text)
	writeBlock(b, "solution", g.Solution)
	fmt.Fprintf(b, "level %q\nnodes %d\n", g.Level, g.Nodes)
	for _, a := range g.Attempts {
		fmt.Fprintf(b, "attempt %d %s%s\n", a.N, a.Outcome, number(" ", a.Score))
	}
	b.WriteString("\n")
}

// ratings writes what a rater says of the puzzles, a paragraph each.
func ratings(ctx context.Context, r raters.Rater, puzzles []raters.Puzzle) string {
	var b strings.Builder
	for _, p := range puzzles {
		writeBlock(&b, "# variant "+p.Variant+"\npuzzle", p.Text)
		rating, err := r.Rate(ctx, p)
		if err != nil {
			fmt.Fprintf(&b, "error %s\n\n", err)
			continue
		}
		writeRating(&b, rating)
	}
	return b.String()
}

func writeRating(b *strings.Builder, r raters.Rating) {
	fmt.Fprintf(b, "outcome %s\nlevel %q\ntier %d\n%shardest %q\nclues %d\n",
		r.Outcome, r.Level, r.Tier, number("score ", r.Score, "\n"), r.Hardest, r.Clues)
	for _, u := range r.Techniques {
		fmt.Fprintf(b, "technique %s level %s uses %d removed %d placed %d\n", u.Name, u.Level, u.Uses, u.Removed, u.Placed)
	}
	for _, t := range r.Terms {
		fmt.Fprintf(b, "term %s %d\n", t.Name, t.Value)
	}
	for i, step := range r.Steps() {
		fmt.Fprintf(b, "step %d %s level %s, %s: placed %s removed %s because %s from %v\n", i+1, step.Technique, step.Level,
			step.Instance, literals(r.Naming, step.Placed), literals(r.Naming, step.Removed), literals(r.Naming, step.Because), step.From)
	}
	b.WriteString("\n")
}

func literals(n logic.Naming, all []logic.Literal) []string {
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = n.Text(l)
	}
	return texts
}

// writeBlock writes a text of one line after its name, and indents a longer one below it.
func writeBlock(b *strings.Builder, name, text string) {
	if !strings.Contains(text, "\n") {
		fmt.Fprintf(b, "%s %s\n", name, text)
		return
	}
	fmt.Fprintf(b, "%s\n", name)
	for line := range strings.Lines(text) {
		fmt.Fprintf(b, "  %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// number writes a number between two texts, or nothing if it is absent.
func number(before string, n *int, after ...string) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(before, *n, strings.Join(after, ""))
}
