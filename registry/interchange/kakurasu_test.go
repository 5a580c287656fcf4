package interchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/kakurasu"
)

const (
	clues = "5 5\n7 10 9 9 7\n9 6 7 2 15"
	link  = "https://puzz.link/p?box/5/5/7a9979672f"
)

// clueForms are ways to write the clues.
func clueForms() []string {
	return []string{
		clues,
		clues + "\n",
		"kakurasu\n" + clues,
		"kakurasu " + strings.ReplaceAll(clues, "\n", " "),
		"\ufeff" + strings.ReplaceAll(clues, "\n", "\r\n") + "\r\n",
		"05\t005\n\n 7 10 9 9 7 \n  9 6 7 2\n15",
		link,
		" http://pzv.jp/p.html?box/5/5/7a9979672f\n",
		"https://puzz.link/p?type=editor&kakurasu_edit/v:x/5/5/7-0a9979672f",
	}
}

func badClues() []badGrid {
	return []badGrid{
		{"too few", "5 5\n7 10 9 9", 2, 9, "^wanted the clue of column 5, not the end$"},
		{"of another size", "4 4\n1 1 1 1\n1 1 1 1", 1, 1, "^the text is of size 4x4, not 5x5$"},
		{"address of another size", "https://puzz.link/p?box/4/4/11111111", 1, 1, "^the text is of size 4x4, not 5x5$"},
		{"long address", "https://" + strings.Repeat(" ", 4097), 1, 1, "^a text of 4105 bytes is longer than 4096$"},
		{"address", "https://puzz.link/p", 1, 1, "question mark"},
		{"address", "https://puzz.link/p?sudoku/5/5/", 1, 21, "another kind than box"},
		{"address", "https://puzz.link/p?box/3/5/", 1, 25, "number of columns"},
		{"address", "https://puzz.link/p?box/5", 1, 26, "^wanted the number of rows, not the end$"},
		{"address", "https://puzz.link/p?box/5/5/7a997967", 1, 37, "clue of row 4"},
		{"address", "https://puzz.link/p?box/5/5/7a99-7", 1, 33, "clue of column 5"},
		{"address", "https://puzz.link/p?box/5/5/7w", 1, 30, "clue of column 2"},
		{"address", "https://puzz.link/p?box/5/5/-vv", 1, 29, "1023, is above 999"},
		{"address", link + "1", 1, 39, "^more than 10 clues$"},
	}
}

func TestThePageOfKakurasuShowsAnAddress(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "genres", "kakurasu.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), link) {
		t.Errorf("the page does not show %s", link)
	}
}

// The first two are addresses as the site writes them.
func TestAddresses(t *testing.T) {
	for address, text := range map[string]string{
		link:                                     clues,
		"https://puzz.link/p?box/5/5/bc46373657": "5 5\n11 12 4 6 3\n7 3 6 5 7",
		"https://puzz.link/p?box/5/4/-10v009-v7123": "4 5\n32 31 0 0 9\n999 1 2 3",
	} {
		p, err := readBox(kakurasu.DefaultVariant, address)
		if err != nil || p.Text != text || p.Genre != kakurasu.Name {
			t.Errorf("%s reads as %+v, error %v", address, p, err)
		}
		if back, err := writeBox(p); err != nil || back != address {
			t.Errorf("%q is written as %s, error %v", text, back, err)
		}
	}
	if _, err := writeBox(raters.Puzzle{Genre: kakurasu.Name, Variant: "5x5", Text: "no"}); err == nil {
		t.Error("no puzzle is written as an address")
	}
}

// The lines of a form of several are of it, each after those before it, and a form of one line is not. Nor is the next text.
func TestSplittingClues(t *testing.T) {
	for _, form := range clueForms() {
		var lines []string
		for line := range strings.Lines(strings.TrimPrefix(form, "\ufeff")) {
			if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
				lines = append(lines, line)
			}
		}
		before := ""
		for _, line := range lines {
			if got := splitKakurasu(before, line); got != (len(lines) > 1) {
				t.Errorf("%q after %q is one of several: %t", line, before, got)
			}
			if len(lines) > 1 {
				before = strings.TrimPrefix(before+"\n"+line, "\n")
			}
		}
		if before == "" {
			continue
		}
		for _, next := range []string{"4 4", "kakurasu", link, strings.ReplaceAll(clues, "\n", " ")} {
			if splitKakurasu(before, next) {
				t.Errorf("%q after %q is one of several", next, before)
			}
		}
	}
	for line, want := range map[string]bool{
		"4 13": true, "kakurasu 3 5": true, "5 5 7 10 9 9 7": true, // of a text that is wrong, or wrong so far
		"hello world": false, "5 5 7 10 9 9 7 9 6 7 2": false, "hello": false,
	} {
		if got := splitKakurasu("", line); got != want {
			t.Errorf("%q is one of several: %t", line, got)
		}
	}
	for before, want := range map[string]bool{
		"kakurasu": true, "4 13": true, "10 10": true, "10 10\n4 4 1 1 1 1 1 1 1 1": true, "5 5\n7 10 9 9 7 9 6 7 2": true, clues: false,
	} {
		if got := splitKakurasu(before, "4 4 1 1 1 1 1 1 1 1"); got != want {
			t.Errorf("after %q a line is one of several: %t", before, got)
		}
	}
}
