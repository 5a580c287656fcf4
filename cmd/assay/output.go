package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/events/plain"
	"assay/raters"
	"assay/registry"
)

// printer writes results to stdout: JSON, one object a line, or text for people. Whatever it writes is escaped: what a
// log or a file holds controls no terminal.
type printer struct {
	out    *bufio.Writer
	json   *json.Encoder
	colour bool
}

func (a *app) printer() *printer { return a.printerOf(4096) }

// printerOf gives a printer that writes so many bytes at a time.
func (a *app) printerOf(size int) *printer {
	w := bufio.NewWriterSize(a.env.Stdout, size)
	p := &printer{out: w, colour: a.env.Terminal && a.env.Getenv("NO_COLOR") == ""}
	p.json = json.NewEncoder(p)
	p.json.SetEscapeHTML(false)
	return p
}

// Write writes whole characters.
func (p *printer) Write(b []byte) (int, error) {
	if _, err := p.WriteString(string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// WriteString writes whole characters, and all of them or an error.
func (p *printer) WriteString(s string) (int, error) {
	if _, err := p.out.WriteString(plain.EscapeLines(s)); err != nil {
		return 0, err
	}
	return len(s), nil
}

// Flush writes out what is buffered.
func (p *printer) Flush() error { return p.out.Flush() }

// result writes one result: the object when JSON is asked for, else what text writes.
func (p *printer) result(asJSON bool, object any, text func()) error {
	if asJSON {
		return p.json.Encode(object)
	}
	text()
	return nil
}

// print writes one result, and nothing else.
func (a *app) print(object any, text func(p *printer)) error {
	p := a.printer()
	if err := p.result(a.json, object, func() { text(p) }); err != nil {
		return err
	}
	return p.Flush()
}

// printAll writes results of one kind, an object or a text each.
func printAll[T any](a *app, results []T, text func(p *printer, result T)) error {
	p := a.printer()
	for _, r := range results {
		if err := p.result(a.json, r, func() { text(p, r) }); err != nil {
			return err
		}
	}
	return p.Flush()
}

// linef writes a line, or several when the format says so. A text among the arguments stays in its line unless it is
// lines.
func (p *printer) linef(format string, args ...any) {
	p.WriteString(inLine(format, args) + "\n")
}

// lines is text of several lines that is meant to be: a puzzle, a profile.
type lines string

func inLine(format string, args []any) string {
	args = slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = plain.Escape(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

// boldf writes a line that is to be seen first, on a terminal.
func (p *printer) boldf(format string, args ...any) {
	begin, end := "", ""
	if p.colour {
		begin, end = "\x1b[1m", "\x1b[0m"
	}
	p.out.WriteString(begin)
	p.WriteString(inLine(format, args))
	p.out.WriteString(end + "\n")
}

// evidence writes a line of an audit: what, the statement, and at the right the event it comes from. A reason
// that somebody gave stays on its line and moves no cursor, so that it cannot pass for other lines.
func (p *printer) evidence(name, statement string, event any) {
	line := fmt.Sprintf("  %-14s %s", name, plain.Escape(statement))
	if text := fmt.Sprint(event); text != "" && text != "0" {
		line = fmt.Sprintf("%s%s #%s", line, strings.Repeat(" ", max(0, 92-len([]rune(line)))), text)
	}
	p.linef("%s", line)
}

// number writes a number with a comma at the thousands.
func number[N ~int | ~uint64](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural writes a count of things: "1 attempt", "3 attempts".
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return number(n) + " " + thing
}

// tile writes a tile of a chain for people.
func tile(t string) string {
	return strings.NewReplacer("-", "−", "*", "×", "/", "÷").Replace(t)
}

func tiles(list []string) string {
	shown := make([]string, len(list))
	for i, t := range list {
		shown[i] = tile(t)
	}
	return strings.Join(shown, "  ")
}

// numberWords are the small numbers that read better as words.
var numberWords = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func smallNumber(n int) string {
	if n >= 0 && n < len(numberWords) {
		return numberWords[n]
	}
	return strconv.Itoa(n)
}

// boardText prints a puzzle for people.
func (a *app) boardText(p *printer, genre, variant, text string) {
	for _, line := range a.boardLines(genre, variant, text) {
		p.linef("%s", strings.TrimRight("  "+line, " "))
	}
}

// boardLines draws a puzzle for people.
func (a *app) boardLines(genre, variant, text string) []string {
	g, err := registry.FindGenre(a.genres(), genre)
	if err != nil {
		return []string{text}
	}
	board, err := g.Reader.Draw(raters.Puzzle{Genre: genre, Variant: variant, Text: text})
	if err == nil && board.Grid != nil {
		return gridLines(board.Grid)
	}
	if err != nil || board.Chain == nil {
		return []string{text}
	}
	c := board.Chain
	return []string{fmt.Sprintf("%d → %d in %s moves      %s", c.Start, c.Target, smallNumber(c.Moves), tiles(c.Hand))}
}

// gridLines draws a grid, its boxes set apart.
func gridLines(b *raters.GridBoard) []string {
	var lines []string
	width := 1
	for _, cell := range b.Cells {
		width = max(width, utf8.RuneCountInString(cell))
	}
	for row := range b.Rows {
		if b.BoxRows > 0 && row > 0 && row%b.BoxRows == 0 {
			lines = append(lines, "")
		}
		var line strings.Builder
		for column := range b.Columns {
			if b.BoxColumns > 0 && column > 0 && column%b.BoxColumns == 0 {
				line.WriteString("  ")
			}
			cell := b.Cells[row*b.Columns+column]
			if cell == "" && (row >= b.Top || column >= b.Left) {
				cell = "·"
			}
			if width > 1 {
				line.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(cell)))
			}
			line.WriteString(cell + " ")
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}
