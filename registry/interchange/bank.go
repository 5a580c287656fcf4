package interchange

import (
	"regexp"
	"strings"

	"assay/raters/sudoku"
)

// A line of a bank of sudoku-exchange is a hash of 12 hexadecimal digits, the cells and a rating.
var bank = Format{Name: "bank", Recognise: isBank, Read: readBank, Own: isBank}

var bankLine = regexp.MustCompile(`^\s*([0-9a-fA-F]{12})\s+([0-9.]{81})(?:\s+([0-9]{1,3}(?:\.[0-9]{1,3})?))?\s*$`)

func isBank(text string) bool { return len(text) > 93 && bankLine.MatchString(text) }

func readBank(_, text string) (rec Record, err error) {
	found := bankLine.FindStringSubmatch(text)
	cells, err := givens(found[2], 1+strings.Index(text, found[2]))
	if err != nil {
		return rec, err
	}
	rec.Along = Along{Name: strings.ToLower(found[1]), Rating: found[3]}
	rec.Puzzle, err = puzzleOf(sudoku.Variant, cells)
	return rec, err
}
