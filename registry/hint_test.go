package registry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/events/logtest"
	"assay/registry/engine"
)

func TestHints(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	p := toyPuzzle(toyText(0, 5))
	forge(t, r, p.Text, "easy")
	for _, c := range []struct {
		ask  engine.HintRequest
		want engine.Hint
	}{
		{engine.HintRequest{Reveal: 1}, engine.Hint{Kind: "step", Area: "row 1", Text: "row 1"}},
		{engine.HintRequest{Reveal: 2}, engine.Hint{Kind: "step", Area: "row 1", Technique: "rule-easy", Text: "row 1 · rule-easy"}},
		{engine.HintRequest{Reveal: 3}, engine.Hint{Kind: "step", Area: "row 1", Technique: "rule-easy", Move: "not r1c1=2",
			Removed: []string{"r1c1=2"}, LeadsTo: "r1c1=1", InSteps: 1, Text: "row 1 · rule-easy · not r1c1=2 · leads to r1c1=1 in 1 step"}},
		{engine.HintRequest{Reveal: 2, Skip: 1}, engine.Hint{Kind: "step", Area: "row 1", Technique: "rule-easy", Text: "row 1 · rule-easy"}},
		{engine.HintRequest{Reveal: 3, Skip: 1}, engine.Hint{Kind: "step", Area: "row 1", Technique: "rule-easy", Move: "r1c1=1",
			Text: "row 1 · rule-easy · r1c1=1"}},
		{engine.HintRequest{Reveal: 2, Skip: 2}, engine.Hint{Kind: "step", Area: "row 2", Technique: "rule-medium", Text: "row 2 · rule-medium"}},
		{engine.HintRequest{Reveal: 3, Skip: 2}, engine.Hint{Kind: "step", Area: "row 2", Technique: "rule-medium", Move: "not r2c1=2",
			Removed: []string{"r2c1=2"}, Text: "row 2 · rule-medium · not r2c1=2 · no technique writes a value after it"}},
		{engine.HintRequest{Reveal: 3, Skip: 3}, engine.Hint{Kind: "none", Text: "no technique applies here"}},
		{engine.HintRequest{Reveal: 1, Skip: 1 << 62}, engine.Hint{Kind: "none", Text: "no technique applies here"}},
	} {
		c.want.Schema, c.want.Skip = "hint/1", c.ask.Skip
		got, err := r.HintOnRecord(t.Context(), p.ID(), c.ask)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%+v: %s, error %v", c.ask, diff, err)
		}
	}
	mistake := engine.HintRequest{Board: "1 5", Reveal: 1}
	if got, err := engine.HintFor(t.Context(), toy().Variants[0], p, mistake); err != nil || got.Kind != "mistake" || got.Move != "" || got.Text == "" {
		t.Errorf("a mistake: %+v, %v", got, err)
	}
}

func TestHintsThatCannotBeAskedFor(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	p := toyPuzzle(toyText(0, 5))
	area := engine.HintRequest{Reveal: 1}
	for name, err := range map[string]error{
		"reveal 4": second(engine.HintFor(t.Context(), toy().Variants[0], p, engine.HintRequest{Reveal: 4})),
		"reveal 0": second(engine.HintFor(t.Context(), toy().Variants[0], p, engine.HintRequest{})),
		"skip":     second(engine.HintFor(t.Context(), toy().Variants[0], p, engine.HintRequest{Reveal: 1, Skip: -1})),
		"chain":    second(engine.HintFor(t.Context(), r.Genres[0].Variants[0], p, area)),
		"unknown":  second(r.HintOnRecord(t.Context(), "toy-0000000000000000", area)),
	} {
		if !isInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
