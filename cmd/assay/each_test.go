package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/kakurasu"
	"assay/registry/interchange"
	"assay/registry/jobs"
)

// A text that has no answer within the budget has that in its place, as has one that is no puzzle, and the rest goes on.
func TestRunsGoOnAfterATextWithoutAnAnswer(t *testing.T) {
	answer := func(_ context.Context, asked interchange.Text) (string, error) {
		switch text := asked.Text; text {
		case "endless":
			return "", fmt.Errorf("solving: %w", raters.ErrBudget)
		case "wrong":
			return "", &raters.SyntaxError{Line: 1, Column: 3, Reason: "no puzzle"}
		}
		return "found " + asked.Text, nil
	}
	for _, c := range []struct {
		in, out string
		code    int
		json    bool
	}{
		{"one\nendless\nwrong\n\nendless\ntwo\n", "found one\nline 2, column 1: solving: work budget exhausted\nline 3, column 3: no puzzle\n" +
			"line 5, column 1: solving: work budget exhausted\nfound two\n", exitInput, false},
		{"endless\nodd\n", `{"schema":"error/1","line":1,"column":1,"error":"solving: work budget exhausted"}` + "\n\"found odd\"\n", exitInput, true},
		{"one\nodd\n", "found one\nfound odd\n", exitFinding, false},
		{"one\ntwo\n", "found one\nfound two\n", exitDone, false},
	} {
		var out bytes.Buffer
		a := &app{json: c.json, env: Env{Stdin: strings.NewReader(c.in), Stdout: &out, Getenv: func(string) string { return "" }}}
		err := each(t.Context(), a, jobs.Local{}, "-", question[string]{
			do: oneByOne(answer), ok: func(s string) bool { return s != "found odd" },
			text: func(s string) string { return s },
		})
		code := exitDone
		if exit, ok := err.(*exitError); ok {
			code, err = exit.code, nil
		}
		if out.String() != c.out || code != c.code || err != nil {
			t.Errorf("%q: exit %d, error %v, output %q", c.in, code, err, out.String())
		}
	}
}

// A file may mix puzzles of several lines with puzzles of one, with a blank line or --- between or nothing: each has its
// answer, in order.
func TestSolvingAFileOfPuzzlesOfSeveralLines(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	variants, address := kakurasu.Genre().Variants, interchange.Formats(kakurasu.Name)[0]
	var file strings.Builder
	var want, got []string
	for seed := range uint64(120) {
		v := variants[random.IntN(len(variants))]
		made, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Level: "easy", Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		link, err := address.Write(made.Puzzle)
		if err != nil {
			t.Fatal(err)
		}
		text := made.Puzzle.Text
		first, rest, _ := strings.Cut(text, "\n")
		forms := []string{text, strings.ReplaceAll(text, "\n", " "), "kakurasu\n" + text, first + " " + rest, link}
		file.WriteString(forms[random.IntN(len(forms))] + []string{"\n", "\n\n", "\n---\n"}[random.IntN(3)])
		want = append(want, made.Puzzle.ID()+"  unique")
	}
	out, errs, code := newRunner(t).run(t, file.String(), "solve", "--genre", "kakurasu", "--in", "-")
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, kakurasu.Name) {
			found, _, _ := strings.Cut(line, ",")
			got = append(got, strings.TrimSpace(found))
		}
	}
	if code != exitDone || !slices.Equal(got, want) {
		t.Errorf("exit %d %s: %q, want %q", code, errs, got, want)
	}
}

// A text of several lines that is wrong has one error, where it stands in the file.
func TestAWrongTextOfSeveralLinesHasOneError(t *testing.T) {
	file := "4 13\n1 1\n2 2\n\n4 4\n4 6 3 1\n3 2 x 5\n---\n4 4\n4 6 3 1\n3 2 4 5\n"
	out, _, code := newRunner(t).run(t, file, "solve", "--genre", "kakurasu", "--in", "-")
	lines := strings.Split(out, "\n")
	if code != exitInput || !strings.HasPrefix(lines[0], "line 1, column 3:") || !strings.HasPrefix(lines[1], "line 7, column 5:") ||
		!strings.HasPrefix(lines[2], "kakurasu-") {
		t.Errorf("exit %d: %q", code, out)
	}
}
