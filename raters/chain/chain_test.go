package chain

import (
	"testing"

	"assay/raters"
	"assay/raters/ratertest"
)

// These are the three days of docs/genres/chain.md.
const (
	monday = "79 160 3 +65 -28 +55 +54 -36"
	sunday = "41 386 4 +15 swap +92 +40 +14"
	friday = "21 200 5 -37 +70 /3 +82 +84 +76"
)

func TestConformance(t *testing.T) {
	s := ratertest.Suite{
		Genre:             Genre(),
		Texts:             []ratertest.Text{{Variant: Variant, Text: monday}, {Variant: Variant, Text: sunday}, {Variant: Variant, Text: "-3 12 2 *4 +24"}},
		Bad:               badBoards,
		Requests:          requests(),
		GeneratorConstant: "chain.GeneratorVersion (generate.go)",
		RaterConstants:    map[string]string{ScoreName: "chain.ScoreVersion (score.go)"},
	}
	for _, text := range []string{
		monday, sunday, friday,
		"12 30 2 swap +9 -9",
		"-5 9 3 +10 *2 +7 -3",
		"1000000000 521 2 swap /8 *3 /5",
		"24 1 8 +1 -2 *3 /4 swap +11 -12 *13",
	} {
		s.Puzzles = append(s.Puzzles, puzzle(text))
	}
	s.Run(t)
}

func requests() []raters.Request {
	var all []raters.Request
	for _, level := range []string{"easy", "medium", "hard", ""} {
		for _, seed := range []uint64{0, 1, 2, 42, 1<<64 - 1} {
			all = append(all, raters.Request{Variant: Variant, Level: level, Seed: seed})
		}
	}
	return append(all, raters.Request{Variant: Variant, Rater: ScoreName, Level: "hard", Seed: 7})
}

func puzzle(text string) raters.Puzzle {
	return raters.Puzzle{Genre: Name, Variant: Variant, Text: text}
}

func mustSolve(t testing.TB, text string) raters.Solution {
	t.Helper()
	s, err := solver{}.Solve(t.Context(), puzzle(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bad(text string, line, column int, reason string) ratertest.Bad {
	return ratertest.Bad{Variant: Variant, Text: text, Line: line, Column: column, Reason: reason}
}

// inputForms are texts that people write, and the canonical text of each.
var inputForms = [][2]string{
	{monday, monday},
	{sunday, sunday},
	{friday, friday},
	{"chain " + friday, friday},
	{"chain\r\n" + friday + "\r\n", friday},
	{"79 160 3 +65 −28 +55 +54 −36\n", monday},
	{"  21\t200  5 −37 +70 ÷3\u00a0+82 +84 +76  ", friday},
	{"3 24 2 ×4 ×2 swap", "3 24 2 *4 *2 swap"},
	{"−3 0012 2 ×4 +024", "-3 12 2 *4 +24"},
	{"-0 1 2 +3 -2", "0 1 2 +3 -2"},
	{"-1000000000 1000000000 2 +1000000000 *1000000000", "-1000000000 1000000000 2 +1000000000 *1000000000"},
}

var badBoards = []ratertest.Bad{
	bad("", 1, 1, "^wanted the start, a number from -1000000000 to 1000000000, not the end$"),
	bad("x", 1, 1, `^wanted the start, .*, not "x"$`),
	bad("chain", 1, 6, "^wanted the start, .*, not the end$"),
	bad("chain chain 1 2 2 +1 +2", 1, 7, `^wanted the start, .*, not "chain"$`),
	bad("sudoku 1 2 2 +1 +2", 1, 1, `^wanted the start, .*, not "sudoku"$`),
	bad("+5 6 2 +1 +2", 1, 1, `^wanted the start, .*, not "\+5"$`),
	bad("79", 1, 3, "^wanted the target, .*, not the end$"),
	bad("79 160", 1, 7, "^wanted the moves, a number from 2 to 8, not the end$"),
	bad("79 160 3", 1, 9, "^3 moves need at least 3 tiles, not 0$"),
	bad("79 160 3 +65", 1, 13, "^3 moves need at least 3 tiles, not 1$"),
	bad("79 160 6 +65 -28 +55 +54 -36  \n ", 1, 29, "^6 moves need at least 6 tiles, not 5$"),
	bad("1 2 3 /0", 1, 7, `^wanted a number from 2 to 1000000000 after /, not "/0"$`),
	bad("1 2 3 ÷1", 1, 7, `^wanted a number from 2 to 1000000000 after ÷, not "÷1"$`),
	bad("1 2 3 *1", 1, 7, `^wanted a number from 2 .*, not "\*1"$`),
	bad("1 2 3 +0", 1, 7, `^wanted a number from 1 .*, not "\+0"$`),
	bad("1 2 3 −0", 1, 7, `^wanted a number from 1 .* after −, not "−0"$`),
	bad("1 2 3 +", 1, 7, `^wanted a number from 1 .*, not "\+"$`),
	bad("1 2 3 +-5", 1, 7, `^wanted a number from 1 .*, not "\+-5"$`),
	bad("1 2 3 +1.5", 1, 7, `^wanted a number`),
	bad("1 2 3 +٣", 1, 7, `^wanted a number`),
	bad("1 2 3 5", 1, 7, `^wanted a tile such as \+5, -5, \*5, /5 or swap, not "5"$`),
	bad("1 2 3 SWAP", 1, 7, `^wanted a tile .*, not "SWAP"$`),
	bad("1 2 3 swap2", 1, 7, `^wanted a tile .*, not "swap2"$`),
	bad("79 160 3 +65 -28 +65", 1, 18, `^the tile \+65 stands twice$`),
	bad("79 160 3 swap -28 swap", 1, 19, `^the tile swap stands twice$`),
	bad("79 160 3 −28 +65\r\n  -028", 2, 3, `^the tile -28 stands twice$`),
	bad("5 5 2 +1 -1", 1, 3, "^the target equals the start$"),
	bad("1000000001 1 2 +1 +2", 1, 1, `^wanted the start, .*, not "1000000001"$`),
	bad("1 -1000000001 2 +1 +2", 1, 3, `^wanted the target, .*, not "-1000000001"$`),
	bad("1 2 2 +1 +1000000001", 1, 10, `^wanted a number from 1 to 1000000000 after \+, not "\+1000000001"$`),
	bad("1 2 2 +1 +99999999999999999999999999", 1, 10, `^wanted .*, not "\+9999999999999999999"…$`),
	bad("1 2 1 +1 +2", 1, 5, `^wanted the moves, a number from 2 to 8, not "1"$`),
	bad("1 2 9 +1 +2", 1, 5, `^wanted the moves, .*, not "9"$`),
	bad("1 2 -3 +1 +2 +3", 1, 5, `^wanted the moves, .*, not "-3"$`),
	bad("1 2 3 +1 +2 +3 +4 +5 +6 +7 +8 +9", 1, 31, "^more than 8 tiles$"),
	bad(monday+"\n"+friday, 2, 1, `^wanted a tile .*, not "21"$`),
	bad("1 2 2 +1 \xff", 1, 10, "^wanted text in UTF-8$"),
	bad("− 5 2 +1 +2", 1, 1, `^wanted the start, .*, not "−"$`),
}
