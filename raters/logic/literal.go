// Package logic is what a deduction is made of: literals, which a deduction removes or writes, the names that make
// them readable, and steps. Engines take steps, events record them, and this package depends on neither.
package logic

import (
	"fmt"
	"slices"
)

// Literal is one value of one variable of a puzzle: the variable's index times 16 plus the index of the
// value, so that a puzzle has at most 4,096 variables of at most 16 values. Deduction removes literals.
type Literal uint16

// Lit returns the literal of a variable and one of its values, both counted from 0.
func Lit(variable, value int) Literal { return Literal(variable<<4 | value) }

// Variable returns the index of the literal's variable.
func (l Literal) Variable() int { return int(l >> 4) }

// Value returns the index of the literal's value.
func (l Literal) Value() int { return int(l & 15) }

// IsSo reports whether a solution, the index of the value of each variable, has the literal.
func (l Literal) IsSo(solution []uint8) bool {
	return l.Variable() < len(solution) && int(solution[l.Variable()]) == l.Value()
}

// Naming turns literals into text. It is kept with the steps, so that they can be read when the engine
// that made them is gone.
type Naming struct {
	Columns   int      // of a grid, whose variable v is the cell r<v/Columns+1>c<v%Columns+1>; else 0
	Variables []string // names of variables, when they are not the cells of a grid
	Values    []string // names of values
}

// Text writes a literal: "r1c2=5". What the naming does not know is written as a number in brackets.
func (n Naming) Text(l Literal) string {
	return n.Variable(l.Variable()) + "=" + n.Value(l)
}

// Value names the value of a literal: "5".
func (n Naming) Value(l Literal) string { return name(n.Values, l.Value()) }

// Equal reports whether two namings give every literal the same name.
func (n Naming) Equal(m Naming) bool {
	return n.Columns == m.Columns && slices.Equal(n.Variables, m.Variables) && slices.Equal(n.Values, m.Values)
}

// Variable names a variable: "r1c2".
func (n Naming) Variable(v int) string {
	if n.Columns > 0 {
		return fmt.Sprintf("r%dc%d", v/n.Columns+1, v%n.Columns+1)
	}
	return name(n.Variables, v)
}

func name(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("[%d]", i)
}
