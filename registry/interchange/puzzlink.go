package interchange

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/kakurasu"
	"assay/raters/sudoku"
	"assay/raters/words"
)

var (
	puzzlink   = Format{Name: "puzzlink", Recognise: isLink, Read: alone(readBox), Write: writeBox, Own: isBoxAddress}
	sudokuLink = Format{Name: "puzzlink", Recognise: isSudokuAddress, Read: readSudokuLink, Write: writeSudokuLink, Own: isSudokuAddress}
)

// isLink reports whether a text is an address, but not one that a file of pzprv3 is in.
func isLink(text string) bool { return isAddress(text) && pzprv3Lines(text) == nil }

// kindOf returns what kind of puzzle an address of the site is of, "" when it is none.
func kindOf(text string) string {
	if _, query, found := strings.Cut(text, "?"); found && isAddress(text) {
		a := address{whole: query, rest: query}
		a.skipMode()
		return strings.TrimSuffix(strings.TrimSuffix(a.segment(), "_edit"), "_play")
	}
	return ""
}

func isBoxAddress(text string) bool {
	kind := kindOf(text)
	return kind == "box" || kind == kakurasu.Name
}

func isSudokuAddress(text string) bool { return kindOf(text) == sudoku.Name }

// skipMode passes over how the page is to be opened.
func (a *address) skipMode() {
	a.rest = strings.TrimPrefix(strings.TrimPrefix(a.rest, "type=player&"), "type=editor&")
}

// An address of puzz.link is "https://puzz.link/p?box/columns/rows/clues". The clues are those of the columns, then
// of the rows: one digit in base 32 (0-9, a-v), or "-" and two of them.

const base32 = "0123456789abcdefghijklmnopqrstuv"

// writeBox writes a kakurasu as an address.
func writeBox(p raters.Puzzle) (string, error) {
	if _, err := kakurasu.Genre().Reader.Read(p.Variant, p.Text); err != nil {
		return "", err
	}
	var numbers []int
	for _, w := range words.Of(p.Text) {
		n, _ := strconv.Atoi(w.Text) // numbers, and the empty word of the end
		numbers = append(numbers, n)
	}
	rows, columns := numbers[0], numbers[1]
	var b strings.Builder
	fmt.Fprintf(&b, "https://puzz.link/p?box/%d/%d/", columns, rows)
	for _, n := range numbers[2 : 2+rows+columns] {
		if n >= 32 {
			b.WriteByte('-')
			b.WriteByte(base32[n/32])
		}
		b.WriteByte(base32[n%32])
	}
	return b.String(), nil
}

// isAddress reports whether a text is meant as an address.
func isAddress(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// address is what is left of an address to read.
type address struct{ whole, rest string }

func (a *address) errorf(format string, args ...any) error {
	before := a.whole[:len(a.whole)-len(a.rest)]
	line := strings.Count(before, "\n")
	last := before[strings.LastIndex(before, "\n")+1:]
	return &raters.SyntaxError{Line: 1 + line, Column: 1 + utf8.RuneCountInString(last), Reason: fmt.Sprintf(format, args...)}
}

// segment takes what stands before the next slash.
func (a *address) segment() string {
	s, _, _ := strings.Cut(a.rest, "/")
	a.rest = a.rest[min(len(a.rest), len(s)+1):]
	return s
}

// readBox reads a kakurasu from an address, and gives it by its canonical text.
func readBox(variant, text string) (p raters.Puzzle, err error) {
	if len(text) > kakurasu.MaxText {
		return p, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(text), kakurasu.MaxText)}
	}
	a := address{whole: strings.TrimRight(text, " \t\r\n")}
	a.rest = a.whole
	if err := a.open("box", kakurasu.Name); err != nil {
		return p, err
	}
	var size [2]int // columns, rows
	for i, name := range [...]string{"column", "row"} {
		if size[i], err = a.side(name + "s"); err != nil {
			return p, err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d", size[1], size[0])
	for i, name := range [...]string{"column", "row"} {
		separator := "\n"
		for n := range size[i] {
			clue, err := a.clue(fmt.Sprintf("%s %d", name, n+1))
			if err != nil {
				return p, err
			}
			fmt.Fprintf(&b, "%s%d", separator, clue)
			separator = " "
		}
	}
	if a.rest != "" {
		return p, a.errorf("more than %d clues", size[0]+size[1])
	}
	return kakurasu.ReadWords(variant, b.String())
}

// open reads an address up to the size of the puzzle, which is to be of a kind that the site calls by one of two names.
func (a *address) open(name, alias string) error {
	_, query, found := strings.Cut(a.whole, "?")
	if !found {
		return a.errorf("an address without a question mark")
	}
	a.rest = query
	a.skipMode()
	kind, _, _ := strings.Cut(a.rest, "/")
	switch strings.TrimSuffix(strings.TrimSuffix(kind, "_edit"), "_play") {
	case name, alias:
	default:
		return a.errorf("an address of another kind than %s", name)
	}
	a.segment()
	if strings.HasPrefix(a.rest, "v:") {
		a.segment()
	}
	return nil
}

func (a *address) side(name string) (int, error) {
	at := *a
	w := words.Word{Text: a.segment(), Line: 1, Column: 1}
	n, err := w.Number("the number of "+name, kakurasu.MinSize, kakurasu.MaxSize)
	if err != nil {
		return 0, at.errorf("%s", err.(*raters.SyntaxError).Reason)
	}
	return n, nil
}

func (a *address) clue(line string) (int, error) {
	at, digits := *a, 1
	if strings.HasPrefix(a.rest, "-") {
		a.rest, digits = a.rest[1:], 2
	}
	n := 0
	for range digits {
		d := -1
		if a.rest != "" {
			d = strings.IndexByte(base32, a.rest[0])
		}
		if d < 0 {
			return 0, at.errorf("wanted the clue of %s: 0-9, a-v, or - and two of them", line)
		}
		n, a.rest = 32*n+d, a.rest[1:]
	}
	if n > kakurasu.MaxClue {
		return 0, at.errorf("the clue of %s, %d, is above %d", line, n, kakurasu.MaxClue)
	}
	return n, nil
}
