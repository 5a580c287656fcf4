package logic_test

import (
	"testing"

	"pgregory.net/rapid"

	"assay/raters/logic"
)

func TestALiteralIsItsVariableAndItsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		variable, value := rapid.IntRange(0, 4095).Draw(t, "variable"), rapid.IntRange(0, 15).Draw(t, "value")
		l := logic.Lit(variable, value)
		if l.Variable() != variable || l.Value() != value {
			t.Fatalf("%d of %d became %d of %d", value, variable, l.Value(), l.Variable())
		}
		solution := make([]uint8, variable+1)
		solution[variable] = uint8(value)
		if !l.IsSo(solution) || logic.Lit(variable, (value+1)%16).IsSo(solution) || l.IsSo(solution[:variable]) {
			t.Fatal("a solution has another value, or a variable beyond it")
		}
	})
}

func TestNamesOfLiterals(t *testing.T) {
	grid := logic.Naming{Columns: 9, Values: []string{"1", "2"}}
	named := logic.Naming{Variables: []string{"left", "right"}, Values: []string{"on", "off"}}
	for want, got := range map[string]string{
		"r3c5=2":    grid.Text(logic.Lit(22, 1)),
		"r3c5=[7]":  grid.Text(logic.Lit(22, 7)),
		"right=off": named.Text(logic.Lit(1, 1)),
		"[2]=on":    named.Text(logic.Lit(2, 0)),
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	if grid.Equal(named) || !grid.Equal(logic.Naming{Columns: 9, Values: []string{"1", "2"}}) {
		t.Error("other names are taken for equal, or equal ones for others")
	}
}

func TestAStepSaysWhatItDoesAndWhatRefutesIt(t *testing.T) {
	n := logic.Naming{Columns: 2, Values: []string{"1", "2"}}
	removes := logic.Step{Technique: "x-wing", Instance: "rows 1 and 2", Removed: []logic.Literal{logic.Lit(0, 1), logic.Lit(3, 1)}}
	writes := logic.Step{Technique: "naked-single", Instance: "r1c1", Placed: []logic.Literal{logic.Lit(0, 0)}, Removed: []logic.Literal{logic.Lit(0, 1)}}
	broken := logic.Step{Technique: "no-place", Instance: "row 1"}
	for want, step := range map[string]logic.Step{
		"x-wing, rows 1 and 2: not r1c1=2, not r2c2=2": removes,
		"naked-single, r1c1: r1c1=1":                   writes,
		"no-place, row 1":                              broken,
	} {
		if got := step.Text(n); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	solution := []uint8{0, 1, 1, 1}
	if l, is := removes.Contradicted(solution); !is || l != logic.Lit(3, 1) {
		t.Error("a step that removes what is so is not contradicted")
	}
	if _, is := writes.Contradicted(solution); is {
		t.Error("a step that agrees with the solution is contradicted")
	}
	if l, is := writes.Contradicted([]uint8{1, 0, 0, 0}); !is || l != logic.Lit(0, 1) {
		t.Error("a step that writes what is not so is not contradicted")
	}
}
