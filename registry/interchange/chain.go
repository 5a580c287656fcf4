package interchange

import (
	"strconv"
	"strings"

	"assay/raters/chain"
)

var chainWords = Format{Name: "chain", Split: inAny(splitChain), Read: alone(chain.ReadWords), Write: canonical, Own: prefixed(chain.Name)}

// splitChain takes for the first of several lines one that a chain may begin with and that is none yet; and then each line
// that may go on with it.
func splitChain(before, line string) bool {
	fits, whole := beginsChain(before + "\n" + line)
	return fits && (before != "" || !whole)
}

// beginsChain reports whether a chain may begin with a text, and whether it may be one: numbers, and at least as many tiles as
// the third one says.
func beginsChain(text string) (fits, whole bool) {
	words := strings.Fields(text)
	if len(words) > 0 && words[0] == chain.Name {
		words = words[1:]
	}
	moves := 0
	for i, w := range words {
		var err error
		if i < 3 {
			moves, err = strconv.Atoi(strings.Replace(w, "−", "-", 1))
		} else {
			err = isTile(w)
		}
		if err != nil {
			return false, false
		}
	}
	return true, len(words) >= 3+max(0, moves)
}

// isTile returns an error for what is no tile.
func isTile(word string) error {
	if word == "swap" {
		return nil
	}
	number := strings.TrimLeft(word, "+-−*×/÷")
	if number == word {
		return strconv.ErrSyntax
	}
	_, err := strconv.Atoi(number)
	return err
}
