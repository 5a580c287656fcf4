package interchange

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// A game ID of Simon Tatham's Solo is "parameters:cells", and behind commas the boxes, the cages and their sums where the
// parameters have j or k. A letter is a run of empty cells, "_" stands between two digits. Boxes and cages are written by
// the edges between cells.
var tatham = Format{Name: "tatham", Recognise: isTatham, Read: readTatham, Write: writeTatham, Own: isTatham}

var tathamStart = regexp.MustCompile(`^\s*([0-9]{1,2})(?:x([0-9]{1,2}))?([a-z0-9]*):`)

func isTatham(text string) bool { return tathamStart.MatchString(text) }

// solo is a game ID that is being read.
type solo struct {
	parts sudoku.Parts
	text  string // what is left
	at    int    // its first character
}

func (s *solo) errorf(format string, args ...any) error {
	return &raters.SyntaxError{Line: 1, Column: 1 + s.at, Reason: fmt.Sprintf(format, args...)}
}

func readTatham(_, text string) (rec Record, err error) {
	text = strings.TrimRight(text, " \t\r\n")
	found := tathamStart.FindStringSubmatch(text)
	s := solo{text: text[len(found[0]):], at: len(found[0])}
	columns, _ := strconv.Atoi(found[1])
	rows := 1
	if found[2] != "" {
		rows, _ = strconv.Atoi(found[2])
	}
	kinds := strings.TrimRight(found[3], "0123456789")
	jigsaw, cages := strings.HasPrefix(kinds, "j"), false
	for _, ch := range strings.TrimPrefix(kinds, "j") {
		s.parts.Diagonals = s.parts.Diagonals || ch == 'x'
		cages = cages || ch == 'k'
		if ch != 'x' && ch != 'k' { // symmetry and difficulty
			break
		}
	}
	n := columns * rows
	if s.parts.Size = n; sizeFor(n*n) == 0 || rows == 1 && !jigsaw {
		s.at = 0
		return rec, s.errorf("a game of %d×%d cells in blocks of %d×%d", n, n, columns, rows)
	}
	if s.parts.Givens, err = s.cells(n); err != nil {
		return rec, err
	}
	s.parts.Boxes = blocks(columns, rows)
	if jigsaw {
		if s.parts.Boxes, err = s.groups("blocks"); err != nil {
			return rec, err
		}
	}
	if cages {
		if err = s.cages(); err != nil {
			return rec, err
		}
	}
	if s.text != "" {
		return rec, s.errorf("the game ID goes on after its end")
	}
	if !slices.Contains(s.parts.Givens, 0) {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a solution and no puzzle: no cell is empty"}
	}
	rec.Puzzle, err = s.parts.Puzzle()
	return rec, err
}

// blocks returns the block of each cell: as many rows high as there are columns of blocks.
func blocks(columns, rows int) []int {
	n := columns * rows
	out := make([]int, n*n)
	for c := range out {
		out[c] = c/n/columns*columns + c%n/rows
	}
	return out
}

// maxTathamSum is the highest sum of a cage that is read.
const maxTathamSum = 999

// cells reads the numbers of all cells, at most so high, up to a comma or the end.
func (s *solo) cells(most int) ([]int, error) {
	size := s.parts.Size
	cells := make([]int, 0, size*size)
	for s.text != "" && s.text[0] != ',' {
		here, ch := *s, s.text[0]
		taken := 1
		switch {
		case ch >= 'a' && ch <= 'z':
			cells = append(cells, make([]int, ch-'a'+1)...)
		case ch >= '1' && ch <= '9':
			for taken < len(s.text) && taken < 3 && s.text[taken] >= '0' && s.text[taken] <= '9' {
				taken++
			}
			v, _ := strconv.Atoi(s.text[:taken])
			if v > most {
				return nil, here.errorf("%d is above %d", v, most)
			}
			cells = append(cells, v)
		case ch != '_':
			return nil, here.errorf("%q is no cell of a game", ch)
		}
		if len(cells) > size*size {
			return nil, here.errorf("more than %d cells", size*size)
		}
		s.text, s.at = s.text[taken:], s.at+taken
	}
	if len(cells) < size*size {
		return nil, s.errorf("the cells end after %d of %d", len(cells), size*size)
	}
	return cells, nil
}

// comma takes the comma before the next part.
func (s *solo) comma(part string) error {
	if s.text == "" || s.text[0] != ',' {
		return s.errorf("a comma and the %s come here", part)
	}
	s.text, s.at = s.text[1:], s.at+1
	return nil
}

// edge returns the cells on both sides of an edge: first those between columns, row by row, then those between rows, column by
// column.
func edge(i, size int) (a, b int) {
	if i < size*(size-1) {
		a = i/(size-1)*size + i%(size-1)
		return a, a + 1
	}
	i -= size * (size - 1)
	a = i%(size-1)*size + i/(size-1)
	return a, a + size
}

// groups reads which cells hang together.
func (s *solo) groups(part string) ([]int, error) {
	if err := s.comma(part); err != nil {
		return nil, err
	}
	n := s.parts.Size
	of, edges, at := make([]int, n*n), 2*n*(n-1), 0
	for c := range of {
		of[c] = c
	}
	for ; s.text != "" && s.text[0] != ','; s.text, s.at = s.text[1:], s.at+1 {
		none, ch := 0, s.text[0]
		switch {
		case ch == 'z':
			none = 25
		case ch >= 'a' && ch < 'z':
			none = int(ch-'a') + 1
		case ch != '_':
			return nil, s.errorf("%q is no edge", ch)
		}
		for ; none > 0 && at < edges; none, at = none-1, at+1 {
			join(of, at, n)
		}
		if ch != 'z' {
			at++
		}
		if none > 0 || at > edges+1 {
			return nil, s.errorf("more than %d edges", edges)
		}
	}
	if at != edges+1 {
		return nil, s.errorf("the edges end after %d of %d", max(0, at-1), edges)
	}
	return of, nil
}

// join makes one group of those on both sides of an edge.
func join(of []int, at, size int) {
	a, b := edge(at, size)
	from, to := of[b], of[a]
	for c := range of {
		if of[c] == from {
			of[c] = to
		}
	}
}

// cages reads the cages and their sums.
func (s *solo) cages() error {
	groups, err := s.groups("cages")
	if err != nil {
		return err
	}
	if err := s.comma("sums of the cages"); err != nil {
		return err
	}
	sums, err := s.cells(maxTathamSum)
	if err != nil {
		return err
	}
	at := map[int]int{}
	for c, g := range groups {
		if _, known := at[g]; !known {
			at[g] = len(s.parts.Cages)
			s.parts.Cages = append(s.parts.Cages, sudoku.Cage{})
		}
		cage := &s.parts.Cages[at[g]]
		cage.Cells = append(cage.Cells, c)
		cage.Sum = max(cage.Sum, sums[c])
	}
	return nil
}

// writeTatham writes a game ID. One that is read as another puzzle cannot be written: the form has no cell without a cage.
func writeTatham(p raters.Puzzle) (string, error) {
	parts, err := sudoku.PartsOf(p)
	if err != nil {
		return "", err
	}
	n := parts.Size
	columns := squareRoot(n)
	kinds, rest := "", ""
	if !slices.Equal(parts.Boxes, sudoku.RegularBoxes(n)) {
		kinds, rest = "j", ","+edges(parts.Boxes, n)
	}
	if parts.Diagonals {
		kinds += "x"
	}
	if len(parts.Cages) > 0 {
		groups, sums := make([]int, n*n), make([]int, n*n)
		for i, cage := range parts.Cages {
			sums[slices.Min(cage.Cells)] = cage.Sum
			for _, c := range cage.Cells {
				groups[c] = i + 1
			}
		}
		kinds, rest = kinds+"k", rest+","+edges(groups, n)+","+numbers(sums)
	}
	text := fmt.Sprintf("%dx%d%s:%s%s", columns, n/columns, kinds, numbers(parts.Givens), rest)
	if back, err := readTatham("", text); err != nil || back.Puzzle != p {
		return "", &raters.RequestError{Reason: "a game ID of Solo holds no such cages: each cell is in one of them, and its cells hang together"}
	}
	return text, nil
}

// numbers writes cells.
func numbers(cells []int) string {
	var b strings.Builder
	empty := 0
	skip := func() {
		for ; empty > 0; empty -= min(empty, 26) {
			b.WriteByte('a' + byte(min(empty, 26)-1))
		}
	}
	for c, v := range cells {
		if v == 0 {
			empty++
			continue
		}
		if empty == 0 && c > 0 {
			b.WriteByte('_')
		}
		skip()
		b.WriteString(strconv.Itoa(v))
	}
	skip()
	return b.String()
}

// edges writes which cells hang together.
func edges(groups []int, size int) string {
	var b strings.Builder
	none := 0
	for i := range 2*size*(size-1) + 1 {
		if i < 2*size*(size-1) {
			if a, c := edge(i, size); groups[a] == groups[c] {
				none++
				continue
			}
		}
		for ; none > 25; none -= 25 {
			b.WriteByte('z')
		}
		if none == 0 {
			b.WriteByte('_')
		} else {
			b.WriteByte('a' + byte(none-1))
		}
		none = 0
	}
	return b.String()
}
