package raters

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Board is a puzzle as a player sees it: nothing of its solution or rating. A genre says what there is. How it looks in a
// terminal, on a page and in a picture, the layout says that all of them share.
type Board struct {
	Rows    int      `json:"rows,omitempty"`
	Columns int      `json:"columns,omitempty"`
	Cells   []Cell   `json:"cells,omitempty"`   // row by row
	Open    bool     `json:"open,omitempty"`    // there are no lines between the cells
	Regions []int    `json:"regions,omitempty"` // the box of each cell; a thick line stands between two boxes
	Cages   []Cage   `json:"cages,omitempty"`
	Outside Outside  `json:"outside,omitzero"`
	Bridges []Bridge `json:"bridges,omitempty"`

	Goal *Goal    `json:"goal,omitempty"` // of a puzzle of tiles
	Hand []Symbol `json:"hand,omitempty"` // its tiles

	// What the literals of steps look like: their values, and their variables where these are no cells.
	Values []Symbol `json:"values,omitempty"`
	Links  []Link   `json:"links,omitempty"`
}

// Cell is a cell of a board.
type Cell struct {
	Kind    CellKind `json:"kind,omitempty"`
	Text    string   `json:"text,omitempty"`    // what is printed in it
	Down    string   `json:"down,omitempty"`    // of a split clue: for the cells below
	Across  string   `json:"across,omitempty"`  // of a split clue: for the cells to the right
	Written string   `json:"written,omitempty"` // the name of the value that a step wrote
	Removed []string `json:"removed,omitempty"` // the names of the values that steps removed
}

// CellKind says what a cell is; "" is one to be filled.
type CellKind string

// The other kinds of cells.
const (
	Tinted CellKind = "tinted" // to be filled, and one of a line that has a rule of its own
	Split  CellKind = "split"  // holds a clue in two parts, of which either may be missing
	Island CellKind = "island" // bridges end here
)

// Cage is a group of cells with an outline of its own.
type Cage struct {
	Cells []int  `json:"cells"`          // ascending
	Text  string `json:"text,omitempty"` // printed in the corner of its first cell
}

// Outside are the clues beside the grid: of each column at the top and bottom, of each row at the right and left, in
// reading order. A side without clues has none.
type Outside struct {
	Top    [][]string `json:"top,omitempty"`
	Right  [][]string `json:"right,omitempty"`
	Bottom [][]string `json:"bottom,omitempty"`
	Left   [][]string `json:"left,omitempty"`
}

// Bridge joins two cells of a row or a column.
type Bridge struct {
	From  int `json:"from"` // the upper or left one
	To    int `json:"to"`
	Count int `json:"count"` // 1 or 2
}

// Link is a variable that stands for the bridges between two cells: its values are named by their number.
type Link struct {
	Name string `json:"name"` // "r1c2-r1c5"
	From int    `json:"from"` // the upper or left cell
	To   int    `json:"to"`
}

// Goal is what a puzzle of tiles asks for: to come from a number to another one in so many moves.
type Goal struct {
	Start  int `json:"start"`
	Target int `json:"target"`
	Moves  int `json:"moves"`
}

// Symbol is what stands on a board for a value or a tile.
type Symbol struct {
	Name  string `json:"name"`            // in texts: "shaded", "-37"
	Glyph string `json:"glyph,omitempty"` // on a board: "■", "−37"; "" is the name
	Plain string `json:"plain,omitempty"` // in a grid of one ASCII character a cell: "#"; "" is the glyph
	Words string `json:"words,omitempty"` // where there is room; "" is the glyph
	Shade bool   `json:"shade,omitempty"` // it fills its cell
}

// Shown returns what stands on a board.
func (s Symbol) Shown() string { return cmp.Or(s.Glyph, s.Name) }

// Compact returns the character of a grid of characters.
func (s Symbol) Compact() string { return cmp.Or(s.Plain, s.Shown()) }

// Told returns what stands where there is room.
func (s Symbol) Told() string { return cmp.Or(s.Words, s.Shown()) }

// Symbols returns a symbol for each name, which looks like its name.
func Symbols(names []string) []Symbol {
	all := make([]Symbol, len(names))
	for i, name := range names {
		all[i].Name = name
	}
	return all
}

// Value returns the symbol of a value; one that the board does not know looks like its name.
func (b *Board) Value(name string) Symbol {
	for _, s := range b.Values {
		if s.Name == name {
			return s
		}
	}
	return Symbol{Name: name}
}

// Write puts on the board what a literal says that a step placed: "r1c2=5", or "r1c2-r1c5=2". One that is not of the board
// changes nothing.
func (b *Board) Write(literal string) {
	variable, value, _ := strings.Cut(literal, "=")
	if link, is := b.link(variable); is {
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			b.Bridges = append(b.Bridges, Bridge{link.From, link.To, n})
		}
	} else if cell := b.cell(variable); cell != nil {
		cell.Written = value
	}
}

// Remove puts on the board that a step removed a literal: its cell shows the candidate as gone. One that is not of a cell of
// the board changes nothing.
func (b *Board) Remove(literal string) {
	variable, value, _ := strings.Cut(literal, "=")
	if cell := b.cell(variable); cell != nil {
		cell.Removed = append(cell.Removed, value)
	}
}

// Has reports whether the board shows a literal, as given or as written.
func (b *Board) Has(literal string) bool {
	variable, value, _ := strings.Cut(literal, "=")
	cell := b.cell(variable)
	return cell != nil && value != "" && (cell.Text == value || cell.Written == value)
}

func (b *Board) link(name string) (Link, bool) {
	for _, l := range b.Links {
		if l.Name == name {
			return l, true
		}
	}
	return Link{}, false
}

// cell returns the cell that a variable is, nil when it is none.
func (b *Board) cell(variable string) *Cell {
	var row, column int
	if _, err := fmt.Sscanf(variable, "r%dc%d", &row, &column); err != nil || variable != fmt.Sprintf("r%dc%d", row, column) {
		return nil
	}
	if len(b.Links) > 0 || row < 1 || column < 1 || row > b.Rows || column > b.Columns {
		return nil
	}
	return &b.Cells[(row-1)*b.Columns+column-1]
}
