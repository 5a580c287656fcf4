package sudoku

import "strings"

// pattern is the instance of a rule: kind says what its numbers are.
type pattern struct {
	kind byte // 'h' houses, 'c' cells, 't' the type of a rectangle and its cells
	n    uint8
	at   [5]uint8
}

// onePattern is the commonest: one house, or one cell.
func onePattern(kind byte, at uint8) pattern {
	return pattern{kind: kind, n: 1, at: [5]uint8{at}}
}

func newPattern(kind byte, at []uint8) pattern {
	p := pattern{kind: kind, n: uint8(len(at))}
	copy(p.at[:], at)
	return p
}

// String names the instance: "row 3", "rows 2 and 7", "r5c5 r5c8 r4c4", "type 1 r1c1 r1c4 r2c1 r2c4".
func (p pattern) String() string {
	switch {
	case p.kind == 'h' && p.n == 1:
		return houseNames[p.at[0]]
	case p.kind == 'h':
		return lineNames(p.at[:p.n])
	case p.kind == 'c' && p.n == 1:
		return cellNames[p.at[0]]
	case p.kind == 'c':
		return joinCells(p.at[:p.n])
	}
	return "type " + string('0'+rune(p.at[0])) + " " + joinCells(p.at[1:p.n])
}

func joinCells(cells []uint8) string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = cellNames[c]
	}
	return strings.Join(names, " ")
}

func lineNames(lines []uint8) string {
	kind := "rows "
	if lines[0] >= colHouse {
		kind = "columns "
	}
	last := len(lines) - 1
	names := make([]string, last)
	for i := range names {
		names[i] = lineDigit(lines[i])
	}
	return kind + strings.Join(names, ", ") + " and " + lineDigit(lines[last])
}

func lineDigit(line uint8) string { return string('1' + rune(line%9)) }
