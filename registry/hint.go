package registry

import (
	"context"
	"strings"

	"assay/raters"
)

// Hint helps a player on: the object hint/1.
type Hint struct {
	Schema    string `json:"schema"`
	Kind      string `json:"kind"`                // step, mistake or none
	Area      string `json:"area,omitempty"`      // where to look
	Technique string `json:"technique,omitempty"` // what to look for
	Move      string `json:"move,omitempty"`      // what to do
	Text      string `json:"text"`                // what is shown of these, in words
}

// The levels of a hint: each shows more.
const (
	RevealArea      = 1
	RevealTechnique = 2
	RevealMove      = 3
)

// HintFor gives the next step from a board, of which reveal says how much is shown. The board is the
// puzzle's givens and what the player wrote, in the form of the puzzle's text; "" is the givens alone.
func HintFor(ctx context.Context, g raters.Genre, p raters.Puzzle, board string, reveal int) (Hint, error) {
	if g.Hinter == nil {
		return Hint{}, badInput("%s gives no hints", g.Name)
	}
	if reveal < RevealArea || reveal > RevealMove {
		return Hint{}, badInput("reveal %d is not 1 (area), 2 (technique) or 3 (move)", reveal)
	}
	if board == "" {
		board = p.Text
	}
	h, err := g.Hinter.Hint(ctx, p, board)
	if err != nil {
		return Hint{}, err
	}
	return shown(h, reveal), nil
}

// HintOnRecord is HintFor, for a puzzle on record.
func (r *Registry) HintOnRecord(ctx context.Context, id, board string, reveal int) (Hint, error) {
	k, err := r.lookUp(ctx, id)
	if err != nil {
		return Hint{}, err
	}
	g, err := Find(r.Genres, k.Puzzle.Genre)
	if err != nil {
		return Hint{}, err
	}
	return HintFor(ctx, g, k.Puzzle, board, reveal)
}

// shown takes off what is not to be revealed.
func shown(h raters.Hint, reveal int) Hint {
	out := Hint{Schema: "hint/1", Kind: string(h.Kind), Area: h.Area}
	if reveal >= RevealTechnique {
		out.Technique = h.Technique
	}
	if reveal >= RevealMove {
		out.Move = h.Move
	}
	var parts []string
	for _, part := range []string{out.Area, out.Technique, out.Move} {
		told := part == out.Technique && strings.HasPrefix(out.Move, part) // the move begins with it
		if part != "" && !told {
			parts = append(parts, part)
		}
	}
	out.Text = strings.Join(parts, " · ")
	switch {
	case out.Kind == string(raters.HintNone) && out.Text == "":
		out.Text = "no technique applies here"
	case out.Kind == string(raters.HintMistake):
		out.Text = strings.TrimSuffix("something on the board is wrong · "+out.Text, " · ")
	}
	return out
}
