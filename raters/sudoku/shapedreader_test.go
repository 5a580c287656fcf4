package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
)

// refusal is a text of a variant, and where and why it is refused; no reason for one that is read.
type refusal struct {
	variant, text string
	column        int
	reason        string
}

var emptyCells, rowBoxes = strings.Repeat(".", 81), "aaaaaaaaabbbbbbbbbcccccccccdddddddddeeeeeeeeefffffffffggggggggghhhhhhhhhiiiiiiiii"

func refusalsOfCells() []refusal {
	empty, jigsaw := emptyCells, rowBoxes
	return []refusal{
		{"mini4", "1234", 5, "the text ends after 4 of 16 cells"},
		{"mini4", "5" + strings.Repeat(".", 15), 1, "not a digit from 1 to 4 nor ."},
		{"mini4", strings.Repeat(".", 17), 17, "more than 16 cells"},
		{"mini6", strings.Repeat(".", 35) + "7", 36, "not a digit from 1 to 6 nor ."},
		{"giant16", strings.Repeat(".", 255) + "g", 256, "not a digit from 1 to G nor ."},
		{"giant16", strings.Repeat(".", 255) + "H", 256, "not a digit from 1 to G nor ."},
		{"diagonal", empty + " ", 82, "more than 81 cells"},
		{"classic", empty + " " + jigsaw, 82, "more than 81 cells"},
		{"jigsaw", empty, 82, "a blank and the box of each cell come here"},
		{"jigsaw", empty + "a", 82, "a blank and the box of each cell come here"},
		{"jigsaw", empty + " " + jigsaw[:80], 163, "the text ends after the box of 80 of 81 cells"},
		{"jigsaw", empty + " b" + jigsaw[1:], 83, "the next new box is a: letters go by first appearance"},
		{"jigsaw", empty + " " + jigsaw[:80] + "j", 163, "not a letter of a box"},
		{"jigsaw", empty + " " + jigsaw[:9] + "a" + jigsaw[10:], 92, "box a has more than 9 cells"},
		{"jigsaw", empty + " " + "aaaaaaaab" + "abbbbbbbb" + jigsaw[18:], 0, ""},
		{"jigsaw", empty + " " + "aaaaaaaab" + "babbbbbbb" + jigsaw[18:], 92, "box b is in two parts"},
		{"jigsaw", empty + " " + jigsaw + ".", 164, "the text goes on after its end"},
	}
}

func refusalsOfCages() []refusal {
	empty, none := emptyCells, emptyCells+" "
	return []refusal{
		{"killer", empty, 82, "a blank and the cage of each cell come here"},
		{"killer", none + empty, 164, "a blank and the sums of the cages come here"},
		{"killer", none + empty + " ", 0, ""},
		{"killer", none + empty + " 3", 165, "the text goes on after its end"},
		{"killer", none + "b" + empty[1:] + " 3", 83, "the next new cage is a: letters go by first appearance"},
		{"killer", none + "aac" + empty[3:] + " 3,3", 85, "the next new cage is b: letters go by first appearance"},
		{"killer", none + "?" + empty[1:] + " 3", 83, "not a letter of a cage"},
		{"killer", none + strings.Repeat("a", 10) + empty[10:] + " 45", 92, "cage a has more than 9 cells"},
		{"killer", none + "aa" + empty[2:] + " 18", 165, "no cage of 2 cells adds up to 18"},
		{"killer", none + "aab" + empty[3:] + " 17,10", 168, "no cage of 1 cell adds up to 10"},
		{"killer", none + "aa" + empty[2:] + " 2", 165, "no cage of 2 cells adds up to 2"},
		{"killer", none + "aa" + empty[2:] + " 0", 165, "no cage of 2 cells adds up to 0"},
		{"killer", none + "aa" + empty[2:] + " 07", 165, "no cage of 2 cells adds up to 07"},
		{"killer", none + "aa" + empty[2:] + " 99999999999999999999", 165, "no cage of 2 cells adds up to 999999999…"},
		{"killer", none + "aab" + empty[3:] + " -8", 165, "'-' is neither a digit of a sum nor a comma"},
		{"killer", none + "aab" + empty[3:] + " 3;4", 166, "';' is neither a digit of a sum nor a comma"},
		{"killer", none + "aab" + empty[3:] + " 3", 166, "1 sum for 2 cages"},
		{"killer", none + "aab" + empty[3:] + " 3,5,7", 168, "more sums than 2 cages"},
		{"killer", none + "aab" + empty[3:] + " 3,x", 167, "the text goes on after its end"},
		{"killer", none + "aab" + empty[3:] + " 3,5 ", 168, "the text goes on after its end"},
		{"killer", none + "aab" + empty[3:] + " ,", 0, ""},
		{"killer", none + "aab" + empty[3:] + " 3,", 0, ""},
		{"killer", "x" + none[1:] + empty + " ", 1, "not a digit from 1 to 9 nor ."},
	}
}

// What is no text of a variant is refused with its place and the reason.
func TestTextsOfVariantsThatAreRefused(t *testing.T) {
	for _, c := range append(refusalsOfCells(), refusalsOfCages()...) {
		p, err := reader{}.Read(c.variant, c.text)
		if c.reason == "" {
			if err != nil || p.Text != c.text || p.Variant != c.variant {
				t.Errorf("%s %q: %+v, error %v", c.variant, c.text, p, err)
			}
			continue
		}
		var syntax *raters.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != 1 || syntax.Column != c.column || syntax.Reason != c.reason {
			t.Errorf("%s %q: %v, want column %d: %s", c.variant, c.text, err, c.column, c.reason)
		}
	}
}

// A board shows boxes and cages with their sums, and tints the lines that have a rule of their own.
func TestDrawsVariants(t *testing.T) {
	for _, v := range shaped() {
		m := v.candidate(3, 1)
		if m.puzzle == nil {
			t.Fatalf("%s: no candidate", v.name)
		}
		q := m.puzzle
		b, err := reader{}.Draw(raters.Puzzle{Genre: Name, Variant: v.name, Text: q.text()})
		if err != nil || b.Rows != q.size || b.Columns != q.size || len(b.Cells) != q.cells() || len(b.Values) != q.size || len(b.Cages) != len(q.cages()) {
			t.Fatalf("%s: %+v, error %v", v.name, b, err)
		}
		for c, cell := range b.Cells {
			r, k := c/q.size, c%q.size
			tinted := len(v.base().lines) > 2*q.size && (r == k || r+k == q.size-1)
			if cell.Text != strings.Trim(symbols[q.givens[c]:q.givens[c]+1], ".") || (cell.Kind == raters.Tinted) != tinted || b.Regions[c] != int(q.boxOf[c]-q.boxes[0]) {
				t.Fatalf("%s: cell %d is %+v, in box %d", v.name, c, cell, b.Regions[c])
			}
		}
		for i, cage := range q.cages() {
			if sum := b.Cages[i].Text; sum == "" || len(b.Cages[i].Cells) != len(cage.cells) || b.Cages[i].Cells[0] != int(cage.cells[0]) {
				t.Errorf("cage %d is drawn as %+v", i, b.Cages[i])
			}
		}
	}
}

// What cells are written with is known of every variant, and of no other.
func TestCellsOfVariants(t *testing.T) {
	for _, v := range variants {
		c, err := CellsOf(v.name)
		if err != nil || c.Size != v.size() || len(c.Digits) != c.Size || c.Alone != (v.brings == digitsAlone) {
			t.Errorf("%s: %+v, error %v", v.name, c, err)
		}
	}
	var r *raters.RequestError
	if _, err := CellsOf("jumbo"); !errors.As(err, &r) || !strings.Contains(r.Reason, "classic, mini4, mini6, giant16, killer, diagonal, jigsaw") {
		t.Error(err)
	}
}
