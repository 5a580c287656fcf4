// Package drawing draws boards. A Layout says what is where on a board. A terminal (Text), a page (Lines) and a picture
// (SVG) draw the same Layout.
package drawing

import (
	"slices"

	"assay/raters"
)

// Layout is a board as a table of places. The table includes the clues outside the grid.
type Layout struct {
	Rows, Columns int
	Top, Left     int     // how many rows and columns come before the first cell
	Places        []Place // row by row

	// GapAbove and GapBefore say for each row and column whether a thick line through the whole grid comes before it.
	GapAbove, GapBefore []bool
	Bridges             []Bridge

	Goal *raters.Goal
	Hand []raters.Symbol

	ruled bool // some outlines do not run through the whole grid
}

// Place is one place of a layout.
type Place struct {
	Kind         Kind
	Text         string    // printed in the middle
	Mark         string    // what a step wrote
	Shaded       bool      // the mark fills the place
	Corner       string    // at the top left: the sum of a cage
	Down, Across string    // of a split clue
	Removed      []string  // candidates that steps removed
	Edges        [4]Weight // the line at each side
	Cage         [4]bool   // whether the outline of a cage runs at each side
	Bridges      [4]int    // how many bridges leave at each side
}

// The sides of a place.
const (
	Top = iota
	Right
	Bottom
	Left
)

// Kind says what a place is.
type Kind string

// The kinds of places.
const (
	Outside Kind = "outside" // beside the grid: a clue or nothing
	Plain   Kind = "cell"
	Tinted  Kind = Kind(raters.Tinted)
	Split   Kind = Kind(raters.Split)
	Island  Kind = Kind(raters.Island)
)

// Weight is the thickness of a line at a side of a place.
type Weight int

// The weights of lines.
const (
	None Weight = iota
	Thin
	Thick
)

// Bridge joins two places.
type Bridge struct{ FromRow, FromColumn, ToRow, ToColumn, Count int }

// Of returns the layout of a board.
func Of(b raters.Board) Layout {
	l := Layout{Top: longest(b.Outside.Top), Left: longest(b.Outside.Left), Goal: b.Goal, Hand: b.Hand}
	l.Rows = l.Top + b.Rows + longest(b.Outside.Bottom)
	l.Columns = l.Left + b.Columns + longest(b.Outside.Right)
	l.Places = make([]Place, l.Rows*l.Columns)
	for i := range l.Places {
		l.Places[i].Kind = Outside
	}
	for i := range b.Cells {
		*l.cell(b, i) = place(b, i)
	}
	l.outside(b)
	for _, cage := range b.Cages {
		l.cage(b, cage)
	}
	for _, bridge := range b.Bridges {
		l.bridge(b, bridge)
	}
	l.gaps(b)
	return l
}

func longest(clues [][]string) (n int) {
	for _, line := range clues {
		n = max(n, len(line))
	}
	return n
}

// At returns the place at a row and a column.
func (l Layout) At(row, column int) *Place { return &l.Places[row*l.Columns+column] }

// Lines returns the places of each row.
func (l Layout) Lines() (rows [][]Place) {
	if l.Columns == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(l.Places, l.Columns))
}

// cell returns the place of a cell.
func (l Layout) cell(b raters.Board, i int) *Place {
	return l.At(l.Top+i/b.Columns, l.Left+i%b.Columns)
}

// place returns the layout of a single cell.
func place(b raters.Board, i int) Place {
	c := b.Cells[i]
	p := Place{Kind: Plain, Text: c.Text, Down: c.Down, Across: c.Across}
	if c.Kind != "" {
		p.Kind = Kind(c.Kind)
	}
	if c.Written != "" {
		value := b.Value(c.Written)
		p.Mark, p.Shaded = value.Shown(), value.Shade
	}
	for _, name := range c.Removed {
		p.Removed = append(p.Removed, b.Value(name).Shown())
	}
	for side := range p.Edges {
		next, inside := beside(b, i, side)
		switch {
		case b.Open:
		case !inside, b.Regions != nil && b.Regions[i] != b.Regions[next]:
			p.Edges[side] = Thick
		default:
			p.Edges[side] = Thin
		}
	}
	return p
}

// beside returns the neighbour of a cell at one side, and whether there is one.
func beside(b raters.Board, i, side int) (next int, inside bool) {
	row, column := i/b.Columns, i%b.Columns
	switch side {
	case Top:
		return i - b.Columns, row > 0
	case Right:
		return i + 1, column < b.Columns-1
	case Bottom:
		return i + b.Columns, row < b.Rows-1
	}
	return i - 1, column > 0
}

// outside places the clues, those nearest to the grid next to it.
func (l Layout) outside(b raters.Board) {
	for c, clues := range b.Outside.Top {
		l.clues(clues, l.Top-len(clues), l.Left+c, 1, 0)
	}
	for c, clues := range b.Outside.Bottom {
		l.clues(clues, l.Top+b.Rows, l.Left+c, 1, 0)
	}
	for r, clues := range b.Outside.Left {
		l.clues(clues, l.Top+r, l.Left-len(clues), 0, 1)
	}
	for r, clues := range b.Outside.Right {
		l.clues(clues, l.Top+r, l.Left+b.Columns, 0, 1)
	}
}

// clues places texts one after the other.
func (l Layout) clues(texts []string, row, column, down, across int) {
	for i, text := range texts {
		l.At(row+i*down, column+i*across).Text = text
	}
}

// cage draws the outline of a cage around its cells, and its text into the corner of the first one.
func (l *Layout) cage(b raters.Board, cage raters.Cage) {
	l.ruled = true
	for k, i := range cage.Cells {
		p := l.cell(b, i)
		if k == 0 {
			p.Corner = cage.Text
		}
		for side := range p.Cage {
			next, inside := beside(b, i, side)
			p.Cage[side] = !inside || !slices.Contains(cage.Cells, next)
		}
	}
}

// bridge draws a bridge over the places between its ends.
func (l *Layout) bridge(b raters.Board, bridge raters.Bridge) {
	step, out, in := b.Columns, Bottom, Top
	if bridge.From/b.Columns == bridge.To/b.Columns {
		step, out, in = 1, Right, Left
	}
	for i := bridge.From; i < bridge.To; i += step {
		l.cell(b, i).Bridges[out] = bridge.Count
		l.cell(b, i+step).Bridges[in] = bridge.Count
	}
	l.Bridges = append(l.Bridges, Bridge{
		FromRow: l.Top + bridge.From/b.Columns, FromColumn: l.Left + bridge.From%b.Columns,
		ToRow: l.Top + bridge.To/b.Columns, ToColumn: l.Left + bridge.To%b.Columns, Count: bridge.Count,
	})
}

// gaps finds the thick lines that run through the whole grid.
func (l *Layout) gaps(b raters.Board) {
	l.GapAbove, l.GapBefore = make([]bool, l.Rows), make([]bool, l.Columns)
	thick := func(count, line, side int, cell func(line, i int) int) bool {
		n := 0
		for i := range count {
			if l.cell(b, cell(line, i)).Edges[side] == Thick {
				n++
			}
		}
		l.ruled = l.ruled || n > 0 && n < count
		return n == count
	}
	for row := 1; row < b.Rows; row++ {
		l.GapAbove[l.Top+row] = thick(b.Columns, row, Top, func(row, i int) int { return row*b.Columns + i })
	}
	for column := 1; column < b.Columns; column++ {
		l.GapBefore[l.Left+column] = thick(b.Rows, column, Left, func(column, i int) int { return i*b.Columns + column })
	}
}
