package engine

import (
	"context"
	"fmt"
	"strings"

	"assay/raters"
	"assay/registry/input"
)

// HintRequest asks for a hint.
type HintRequest struct {
	// Board is the puzzle's givens with the player's entries, in the form of the puzzle's text; "" is only the givens.
	Board  string
	Reveal int // how much is shown: RevealArea to RevealMove
	// Skip skips this many steps from the board. A step that only removes candidates does not change the board, so
	// without Skip the same question would always have the same answer.
	Skip int
}

// The levels of a hint. Each shows more than the one before.
const (
	RevealArea      = 1
	RevealTechnique = 2
	RevealMove      = 3
)

// Hint is a hint for a player: the object hint/1.
type Hint struct {
	Schema    string   `json:"schema"`
	Kind      string   `json:"kind"`                // step, mistake or none
	Area      string   `json:"area,omitempty"`      // where to look
	Technique string   `json:"technique,omitempty"` // what to look for
	Move      string   `json:"move,omitempty"`      // what to do
	Removed   []string `json:"removed,omitempty"`   // the candidates that the move removes
	LeadsTo   string   `json:"leads_to,omitempty"`  // the next value that the techniques write, if the move writes none
	InSteps   int      `json:"in_steps,omitempty"`  // how many steps after the move
	Skip      int      `json:"skip,omitempty"`      // how many steps from the board were skipped
	Text      string   `json:"text"`                // all of this in words, as far as it is shown
}

// HintFor returns the cheapest step that applies to a board.
func HintFor(ctx context.Context, v raters.Variant, p raters.Puzzle, ask HintRequest) (Hint, error) {
	switch {
	case v.Hinter == nil:
		return Hint{}, input.Errorf("%s gives no hints", v.Genre)
	case ask.Reveal < RevealArea || ask.Reveal > RevealMove:
		return Hint{}, input.Errorf("reveal %d is not 1 (area), 2 (technique) or 3 (move)", ask.Reveal)
	case ask.Skip < 0:
		return Hint{}, input.Errorf("skip %d: wanted how many steps to pass over, 0 or more", ask.Skip)
	case ask.Board == "":
		ask.Board = p.Text
	}
	h, err := v.Hinter.Hint(ctx, p, ask.Board, ask.Skip)
	if err != nil {
		return Hint{}, err
	}
	return shown(h, ask), nil
}

// shown removes what must not be revealed.
func shown(h raters.Hint, ask HintRequest) Hint {
	out := Hint{Schema: "hint/1", Kind: string(h.Kind), Area: h.Area, Skip: ask.Skip}
	if ask.Reveal >= RevealTechnique {
		out.Technique = h.Technique
	}
	if ask.Reveal >= RevealMove {
		out.Move, out.Removed, out.LeadsTo, out.InSteps = h.Move, h.Removed, h.LeadsTo, h.InSteps
	}
	var parts []string
	for _, part := range []string{out.Area, out.Technique, out.Move, out.outlook(h)} {
		told := part == out.Technique && strings.HasPrefix(out.Move, part) // the move begins with it
		if part != "" && !told {
			parts = append(parts, part)
		}
	}
	out.Text = strings.Join(parts, " · ")
	switch {
	case h.Kind == raters.HintNone && out.Text == "":
		out.Text = "no technique applies here"
	case h.Kind == raters.HintMistake:
		out.Text = strings.TrimSuffix("something on the board is wrong · "+out.Text, " · ")
	}
	return out
}

// outlook describes the use of a move that writes no value.
func (h Hint) outlook(of raters.Hint) string {
	switch {
	case h.Move == "" || of.Kind != raters.HintStep || of.Writes:
		return ""
	case h.LeadsTo == "":
		return "no technique writes a value after it"
	case h.InSteps == 1:
		return "leads to " + h.LeadsTo + " in 1 step"
	}
	return fmt.Sprintf("leads to %s in %d steps", h.LeadsTo, h.InSteps)
}
