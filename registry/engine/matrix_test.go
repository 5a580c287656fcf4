package engine

import (
	"encoding/json"
	"slices"
	"testing"
)

// Each puzzle that is counted has its row and its column, whatever levels the shelves have.
func TestAMatrixHasAllPuzzles(t *testing.T) {
	m := NewMatrix([]string{"easy", "medium", "hard"})
	for _, pair := range [][2]string{{"easy", "easy"}, {"hard", "evil"}, {"hard", "evil"}, {"evil", "hard"}, {NoLevel, "easy"}, {"easy", unrated}} {
		m.Add(pair[0], pair[1])
	}
	levels := m.Levels()
	if want := []string{"easy", "medium", "hard", "evil", "unrated", "none"}; !slices.Equal(levels, want) {
		t.Errorf("%v, want %v", levels, want)
	}
	all := 0
	for _, from := range levels {
		for _, to := range levels {
			all += m.At(from, to)
		}
	}
	text, err := json.Marshal(m)
	if want := `{"easy":{"easy":1,"unrated":1},"hard":{"evil":2},"evil":{"hard":1},"none":{"easy":1}}`; err != nil || string(text) != want || all != 6 {
		t.Errorf("%d puzzles, %s, want %s", all, text, want)
	}
}
