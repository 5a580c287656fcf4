package interchange

import (
	"strings"

	"assay/raters/kakurasu"
	"assay/raters/words"
)

var kakurasuWords = Format{Name: "kakurasu", Split: inAny(splitKakurasu), Read: alone(kakurasu.ReadWords), Write: canonical, Own: prefixed(kakurasu.Name)}

// splitKakurasu takes for one of several a line of the name alone, of two numbers, or of a size and the clues of one side;
// and any line but an address while clues are missing.
func splitKakurasu(before, line string) bool {
	if isAddress(line) {
		return false
	}
	if before != "" {
		rows, columns, numbers := sizeAndCount(before)
		return rows == 0 || numbers < 2+rows+columns
	}
	switch rows, columns, numbers := sizeAndCount(line); numbers {
	case 0:
		return true
	case 2:
		return strings.Trim(strings.TrimPrefix(line, kakurasu.Name), "0123456789 \t") == ""
	default:
		return rows > 0 && numbers == 2+columns
	}
}

// sizeAndCount returns the size that a text begins with, 0 when it begins with none, and how many words there are but the
// genre's name.
func sizeAndCount(text string) (rows, columns, count int) {
	w := words.Of(text)
	if w[0].Text == kakurasu.Name {
		w = w[1:]
	}
	count = len(w) - 1
	rows, err := w[0].Number("rows", kakurasu.MinSize, kakurasu.MaxSize)
	if err != nil {
		return 0, 0, count
	}
	if columns, err = w[1].Number("columns", kakurasu.MinSize, kakurasu.MaxSize); err != nil {
		return 0, 0, count
	}
	return rows, columns, count
}
