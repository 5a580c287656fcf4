package interchange

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/sudoku"
)

// The cells of a puzzle in one line, in all spellings. Empty cells are ". 0 _ * - x"; also blanks, in a line
// without these and with exactly as many characters as cells. Something may stand between all cells, and text behind them.
var (
	sudokuLine = Format{Name: "line81", Own: looksLikeCells, Read: readLine81, Write: canonical}
	sdm        = Format{Name: "sdm", Recognise: never, Read: readLine81, Write: writeSdm}
)

var sudokuReader = sudoku.Genre().Reader

// never is the recogniser of a format that is only written, since another one reads it.
func never(string) bool { return false }

// writeSdm writes a line that has 0 for an empty cell.
func writeSdm(p raters.Puzzle) (string, error) {
	_, err := plainParts(p, "sdm")
	return strings.ReplaceAll(p.Text, ".", "0"), err
}

// plainParts returns the parts of a puzzle; an error when it is more than 81 digits in regular boxes, which is all that a
// format holds.
func plainParts(p raters.Puzzle, format string) (sudoku.Parts, error) {
	parts, err := sudoku.PartsOf(p)
	if err != nil {
		return parts, err
	}
	if plain, err := (sudoku.Parts{Size: parts.Size, Givens: parts.Givens}).Puzzle(); err != nil || plain != p || parts.Size != 9 {
		return parts, &raters.RequestError{Reason: fmt.Sprintf("%s holds 81 cells in regular boxes, and nothing else: not a puzzle of %s/%s", format, p.Genre, p.Variant)}
	}
	return parts, nil
}

// spreadsheet is a number that was a puzzle once.
var spreadsheet = regexp.MustCompile(`^[0-9]([.,][0-9]+)?[eE]\+[0-9]{1,3}$`)

// looksLikeCells reports whether a text of one line is meant as the cells of a grid.
func looksLikeCells(text string) bool {
	if strings.Contains(text, "\n") || text == "" {
		return strings.Contains(text, "\n")
	}
	if isSudoku := strings.HasPrefix(text, sudoku.Name+" "); isSudoku || spreadsheet.MatchString(text) {
		return true
	}
	n := run(text)
	if n < len(text) && strings.IndexByte(" \t,;#\"'|", text[n]) < 0 {
		return n >= 60 && len(text) < 300
	}
	switch n {
	case 16, 36:
		return strings.Trim(text[:n], "123456"+empties) == "" && sizeFor(n) > 0
	}
	if n >= 60 {
		return true
	}
	cells := strings.NewReplacer(" ", "", "\t", "", ",", "", ";", "", "|", "").Replace(text)
	if len(cells) >= 60 && run(cells) == len(cells) {
		return true
	}
	for _, between := range []string{",", ";", "\t"} {
		if sizeFor(strings.Count(text, between)+1) >= 6 {
			return true
		}
	}
	return false
}

// readLine81 reads the cells of a line.
func readLine81(variant, text string) (Record, error) {
	if cells, err := sudoku.CellsOf(variant); variant != "" && (err != nil || !cells.Alone) {
		p, err := readGrid(variant, text)
		return Record{Puzzle: p}, err
	}
	if spreadsheet.MatchString(trimmed(text)) {
		reason := fmt.Sprintf("%.20s is what a spreadsheet made of the digits of a puzzle: make the column one of text, and paste the puzzles again", trimmed(text))
		return Record{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: reason}
	}
	if rec, ok, err := listed(variant, text); ok {
		return rec, err
	}
	if p, ok, err := readBrought(variant, text); ok {
		return Record{Puzzle: p}, err
	}
	if rec, ok, err := readWord(variant, text); ok {
		return rec, err
	}
	if variant == "" {
		variant = sudoku.Variant
	}
	p, err := readGrid(variant, text)
	return Record{Puzzle: p}, err
}

// readPlain reads a line of a classic puzzle, as most are.
func readPlain(text string) (Record, error) {
	if strings.IndexByte(text, '0') >= 0 {
		cells := []byte(text)
		for i, ch := range cells {
			if ch == '0' {
				cells[i] = '.'
			}
		}
		text = string(cells)
	}
	if strings.IndexByte(text, '.') < 0 {
		return Record{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a solution and no puzzle: no cell is empty"}
	}
	p, err := sudokuReader.Read(sudoku.Variant, text)
	return Record{Puzzle: p}, err
}

// readBrought reads a canonical text with boxes or cages behind the cells, under the variant that has them; not ok when
// there are none.
func readBrought(variant, text string) (p raters.Puzzle, ok bool, err error) {
	words := strings.Fields(strings.TrimPrefix(trimmed(text), sudoku.Name+" "))
	if variant != "" || len(words) < 2 || len(words[0]) != len(words[1]) || sizeFor(len(words[0])) == 0 || strings.Trim(words[1], groupLetters) != "" {
		return p, false, nil
	}
	for _, v := range sudoku.Genre().Variants {
		if cells, wrong := sudoku.CellsOf(v.Name); wrong != nil || cells.Alone || cells.Size != sizeFor(len(words[0])) {
			continue
		}
		if p, err = readGrid(v.Name, text); err == nil {
			return p, true, nil
		}
	}
	return p, err != nil, err
}

// groupLetters are the names of boxes and cages in canonical texts, and of no cage.
const groupLetters = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// readWord reads a text whose first word is all cells of a grid, and looks at what stands behind it.
func readWord(variant, text string) (rec Record, ok bool, err error) {
	start := len(text) - len(strings.TrimLeft(text, "\ufeff \t"))
	start += len(text[start:]) - len(strings.TrimPrefix(text[start:], sudoku.Name+" "))
	column := 1 + utf8.RuneCountInString(text[:start])
	word := text[start:]
	n := run(word)
	word, rest := word[:n], strings.TrimRight(word[n:], "\r\n")
	size := sizeFor(n)
	if wanted, err := sudoku.CellsOf(variant); err == nil && wanted.Size != size && n != 2*wanted.Size*wanted.Size {
		return rec, false, nil // whatever is wrong is told by the form with blanks
	}
	if n > 0 && n%2 == 0 && sizeFor(n/2) > 9 && strings.Trim(word, "0123456789.") == "" {
		rec.Puzzle, err = readPairs(variant, word)
		return rec, true, err
	}
	if size == 0 || rest != "" && strings.IndexByte(" \t,;#\"'|", rest[0]) < 0 {
		return rec, false, nil
	}
	cells, err := givens(word, column)
	if err == nil {
		err = second(cells, rest, column+n)
	}
	if err != nil {
		return rec, true, err
	}
	rec.Puzzle, err = puzzleOf(variant, cells)
	return rec, true, err
}

// readPairs reads two decimal digits for each cell; whatever is no number from 01 on is an empty cell.
func readPairs(variant, word string) (raters.Puzzle, error) {
	cells := make([]int, len(word)/2)
	for i := range cells {
		if v, known := number(word[2*i:2*i+2], sizeFor(len(cells))); known {
			cells[i] = v
		}
	}
	return puzzleOf(variant, cells)
}

// second looks for another grid behind the cells: their solution may stand there, and no other puzzle. The text stands at a
// column.
func second(cells []int, rest string, column int) error {
	rest, _, _ = strings.Cut(rest, "#")
	for start := 0; start < len(rest); {
		n := run(rest[start:])
		if n != len(cells) {
			start += n + 1
			continue
		}
		other, err := givens(rest[start:start+n], column+start)
		if err != nil {
			return nil // a long word
		}
		for c, v := range other {
			if v == 0 || cells[c] != 0 && cells[c] != v {
				return &raters.SyntaxError{Line: 1, Column: column + start, Reason: "a second puzzle in the line: give each a line of its own"}
			}
		}
		start += n + 1
	}
	return nil
}
