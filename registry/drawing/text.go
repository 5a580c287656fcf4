package drawing

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// Text draws a layout for a terminal, as lines. A thick line through the whole grid is a gap. Other outlines are drawn.
func (l Layout) Text() []string {
	switch {
	case l.Goal != nil:
		return []string{goalLine(*l.Goal, l.Hand)}
	case l.ruled:
		return l.drawn()
	}
	var lines []string
	width := l.width()
	for row := range l.Rows {
		if l.GapAbove[row] {
			lines = append(lines, "")
		}
		var line strings.Builder
		for column := range l.Columns {
			if l.GapBefore[column] {
				line.WriteString("  ")
			}
			p := l.At(row, column)
			line.WriteString(p.padded(width) + across(p.Bridges[Right]))
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// goalLine writes the board of a puzzle with tiles.
func goalLine(g raters.Goal, hand []raters.Symbol) string {
	tiles := make([]string, len(hand))
	for i, tile := range hand {
		tiles[i] = tile.Shown()
	}
	return fmt.Sprintf("%d → %d in %s moves      %s", g.Start, g.Target, smallNumber(g.Moves), strings.Join(tiles, "  "))
}

// numberWords are the small numbers that read better as words.
var numberWords = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func smallNumber(n int) string {
	if n >= 0 && n < len(numberWords) {
		return numberWords[n]
	}
	return strconv.Itoa(n)
}

// width returns the length of the longest text of a place, at least 1.
func (l Layout) width() int {
	width := 1
	for _, p := range l.Places {
		width = max(width, utf8.RuneCountInString(p.text()))
	}
	return width
}

// Sign returns the text in the middle of a place when it has only one text, "" for none.
func (p Place) Sign() string {
	switch {
	case p.Kind == Split:
		return p.Down + `\` + p.Across
	case p.Mark != "" && (p.Text == "" || p.Shaded):
		return p.Mark
	case p.Text != "":
		return p.Text
	case p.Bridges[Left] > 0:
		return across(p.Bridges[Left])
	case p.Bridges[Top] > 0:
		return [...]string{"", "│", "║"}[min(p.Bridges[Top], 2)]
	}
	return ""
}

// text is Sign, but an empty cell gets a visible character.
func (p Place) text() string {
	switch p.Kind {
	case Outside:
		return p.Sign()
	case Tinted:
		return cmp.Or(p.Sign(), "×")
	}
	return cmp.Or(p.Sign(), "·")
}

// padded returns the text of a place, padded on the left.
func (p Place) padded(width int) string {
	text := p.text()
	return strings.Repeat(across(p.Bridges[Left]), width-utf8.RuneCountInString(text)) + text
}

// across returns the character for this many horizontal bridges.
func across(bridges int) string { return [...]string{" ", "─", "═"}[min(bridges, 2)] }

// crossings are the characters where lines meet, by the weight of the line up, right, down and left: none, thin or
// thick.
var crossings = []rune(" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// drawn draws outlines of boxes and cages. It leaves out the lines between other cells. The corner text of a place is
// in the line above it.
func (l Layout) drawn() []string {
	width := l.width() + 2
	for _, p := range l.Places {
		width = max(width, utf8.RuneCountInString(p.Corner))
	}
	c := canvas{Layout: l, width: width}
	for row := range l.Rows + 1 {
		c.rule(row)
		if row == l.Rows {
			break
		}
		var line strings.Builder
		for column := range l.Columns {
			p := l.At(row, column)
			line.WriteRune(crossing(c.down(row, column), 0, c.down(row, column), 0))
			line.WriteString(across(p.Bridges[Left]) + p.padded(width-2) + across(p.Bridges[Right]))
		}
		end := c.down(row, l.Columns)
		line.WriteRune(crossing(end, 0, end, 0))
		c.lines = append(c.lines, strings.TrimRight(line.String(), " "))
	}
	return c.lines
}

// canvas is a drawing of outlines.
type canvas struct {
	Layout
	width int // of a place
	lines []string
}

// rule writes the line above a row.
func (c *canvas) rule(row int) {
	var line []rune
	for column := range c.Columns + 1 {
		line = append(line, crossing(c.down(row-1, column), c.right(row, column), c.down(row, column), c.right(row, column-1)))
		if column == c.Columns {
			break
		}
		at := len(line)
		along := c.right(row, column)
		line = append(line, []rune(strings.Repeat(string(crossing(0, along, 0, along)), c.width))...)
		if row < c.Rows {
			copy(line[at:], []rune(c.At(row, column).Corner))
		}
	}
	c.lines = append(c.lines, strings.TrimRight(string(line), " "))
}

func crossing(up, right, down, left Weight) rune { return crossings[27*up+9*right+3*down+left] }

// right returns the weight of the line above a place, down that of the line to its left.
func (c *canvas) right(row, column int) Weight {
	if column < 0 || column >= c.Columns {
		return None
	}
	return max(c.side(row, column, Top), c.side(row-1, column, Bottom))
}

func (c *canvas) down(row, column int) Weight {
	if row < 0 || row >= c.Rows {
		return None
	}
	return max(c.side(row, column, Left), c.side(row, column-1, Right))
}

// side returns the weight of a side of a place, if it is an outline.
func (c *canvas) side(row, column, side int) Weight {
	if row < 0 || row >= c.Rows || column < 0 || column >= c.Columns {
		return None
	}
	p := c.At(row, column)
	switch {
	case p.Edges[side] == Thick:
		return Thick
	case p.Cage[side]:
		return Thin
	}
	return None
}
