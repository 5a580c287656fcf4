package interchange

import (
	"fmt"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// An address of sudokuwiki.org has the cells behind "bd=". Any other address is of no site that is known.
var sudokuWiki = Format{Name: "sudokuwiki", Recognise: isAddress, Read: readWiki, Own: isAddress}

func readWiki(_, text string) (rec Record, err error) {
	text = trimmed(text)
	_, query, found := strings.Cut(text, "?")
	_, board, hasBoard := strings.Cut(query, "bd=")
	if !found || !hasBoard {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("%.120q is an address of no site that is known", text)}
	}
	board, _, _ = strings.Cut(board, "&")
	if len(board) != 81 || strings.Trim(board, "0123456789.") != "" {
		reason := fmt.Sprintf("wanted 81 digits behind bd=, not %d characters: the site has other forms of its own", len(board))
		return rec, &raters.SyntaxError{Line: 1, Column: 1 + strings.Index(text, "bd=") + 3, Reason: reason}
	}
	cells, err := givens(board, 1+strings.Index(text, "bd=")+3)
	if err == nil {
		rec.Puzzle, err = puzzleOf(sudoku.Variant, cells)
	}
	return rec, err
}
