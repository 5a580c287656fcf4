package kakurasu

import (
	"fmt"
	"strings"
	"sync"

	"assay/raters"
)

// maxLines is the largest number of rows and columns together.
const maxLines = 2 * MaxSize

// grid is a puzzle. Its lines are the rows, then the columns.
type grid struct {
	rows, columns int
	clue          [maxLines]int // line: the sum of its shaded cells
}

func (g *grid) lines() int { return g.rows + g.columns }

// size returns the cells of a line.
func (g *grid) size(line int) int {
	if line < g.rows {
		return g.columns
	}
	return g.rows
}

// cell returns the i-th cell of a line, which weighs i+1 there.
func (g *grid) cell(line, i int) int {
	if line < g.rows {
		return line*g.columns + i
	}
	return i*g.columns + line - g.rows
}

// linesOf returns the row and the column of a cell.
func (g *grid) linesOf(cell int) (row, column int) {
	return cell / g.columns, g.rows + cell%g.columns
}

// lineName returns "row 3" or "column 4".
func (g *grid) lineName(line int) string {
	if line < g.rows {
		return fmt.Sprintf("row %d", line+1)
	}
	return fmt.Sprintf("column %d", line-g.rows+1)
}

func (g *grid) variant() string { return variant(g.rows, g.columns) }

func (g *grid) puzzle() raters.Puzzle {
	return raters.Puzzle{Genre: Name, Variant: g.variant(), Text: g.text()}
}

// text returns the canonical text.
func (g *grid) text() string {
	numbers := func(all []int) string { return strings.Trim(fmt.Sprint(all), "[]") }
	return fmt.Sprintf("%d %d\n%s\n%s", g.rows, g.columns, numbers(g.clue[g.rows:g.lines()]), numbers(g.clue[:g.rows]))
}

// shading is a mask of the shaded cells of each row, bit i for column i.
type shading [MaxSize]uint16

// text writes a shading row by row.
func (s *shading) text(rows, columns int) string {
	out := make([]byte, 0, 2*rows*columns)
	for r := range rows {
		for c := range columns {
			out = append(out, ".#"[s[r]>>c&1], ' ')
		}
		out[len(out)-1] = '\n'
	}
	return string(out[:len(out)-1])
}

// clued returns the puzzle that a shading solves.
func (s *shading) clued(rows, columns int) grid {
	g := grid{rows: rows, columns: columns}
	for r := range rows {
		for c := range columns {
			if s[r]>>c&1 != 0 {
				g.clue[r] += c + 1
				g.clue[rows+c] += r + 1
			}
		}
	}
	return g
}

// fits lists for a number of cells and a sum the ways to shade a line: bit i for the cell with weight i+1, ascending.
// It is computed at first use, because most runs of the program need none. It takes 0.6 to 1.1 ms
// (GODEBUG=inittrace=1).
var fits = sync.OnceValue(func() *[MaxSize + 1][][]uint16 {
	all := new([MaxSize + 1][][]uint16)
	for n := range all {
		all[n] = make([][]uint16, n*(n+1)/2+1)
		for m := range 1 << n {
			sum := 0
			for i := range n {
				sum += (m >> i & 1) * (i + 1)
			}
			all[n][sum] = append(all[n][sum], uint16(m))
		}
	}
	return all
})

// fitsOf returns the ways to shade a line, none when its clue is beyond it.
func (g *grid) fitsOf(line int) []uint16 {
	of := fits()[g.size(line)]
	if g.clue[line] >= len(of) {
		return nil
	}
	return of[g.clue[line]]
}
