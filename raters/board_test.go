package raters

import "testing"

// A board has what is printed and what was written, and takes nothing else for one of its literals.
func TestABoardHasItsLiterals(t *testing.T) {
	b := Board{Rows: 1, Columns: 2, Cells: make([]Cell, 2), Values: Symbols([]string{"1", "2"})}
	b.Cells[0].Text = "2"
	for _, l := range []string{"r1c2=1", "r2c1=1", "r1c3=1", "r1c0=1", "r01c1=1", "r1c1x=1", "r1c1-r1c2=1", "=1", ""} {
		b.Write(l)
	}
	for l, want := range map[string]bool{
		"r1c1=2": true, "r1c2=1": true, "r1c1=1": false, "r1c2=2": false, "r2c1=1": false, "r1c3=1": false, "r01c1=2": false, "r1c1=": false, "": false,
	} {
		if b.Has(l) != want {
			t.Errorf("%q: %t", l, !want)
		}
	}
	bridges := Board{Rows: 1, Columns: 2, Cells: make([]Cell, 2), Links: []Link{{Name: "r1c1-r1c2", From: 0, To: 1}}}
	for _, l := range []string{"r1c1-r1c2=0", "r1c1-r1c2=2", "r1c1-r1c3=1", "r1c1=1"} {
		bridges.Write(l)
	}
	if len(bridges.Bridges) != 1 || bridges.Bridges[0] != (Bridge{From: 0, To: 1, Count: 2}) || bridges.Cells[0].Written != "" {
		t.Errorf("%+v", bridges)
	}
}
