package sudoku

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// text returns the canonical text of a classic grid: 81 characters row by row, "." for an empty cell.
func text(cells *[81]uint8) string {
	var out [81]byte
	for i, v := range cells {
		out[i] = symbols[v]
	}
	return string(out[:])
}

// cellValues holds the value of each character of a canonical text; noCell for all others. With a table, what a cell
// holds is no branch, which could not be predicted.
var cellValues = func() (values [256]uint8) {
	for ch := range values {
		values[ch] = noCell
	}
	for v, ch := range []byte(symbols) {
		values[ch] = uint8(v)
	}
	return values
}()

const noCell = 1 << 7

// parse reads the canonical text of a classic puzzle; 0 is an empty cell.
func parse(p raters.Puzzle) (cells [81]uint8, err error) {
	if p.Genre != Name || p.Variant != Variant {
		return cells, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s/%s: %s/%s", Name, Variant, p.Genre, p.Variant)}
	}
	if !isCanonical(p.Text) {
		return cells, variants[0].wrongCell(p.Text)
	}
	for i := range cells {
		cells[i] = cellValues[p.Text[i]]
	}
	return cells, nil
}

// isCanonical reports whether a text is one of 81 cells. What is more than 9 sets the bit of noCell, without a branch.
func isCanonical(s string) bool {
	if len(s) != 81 {
		return false
	}
	var wrong uint8
	for i := range len(s) {
		wrong |= (cellValues[s[i]] + noCell - 10) & noCell
	}
	return wrong == 0
}

// reader reads canonical texts.
type reader struct{}

// Read takes a canonical text.
func (reader) Read(name, s string) (raters.Puzzle, error) {
	v, err := variantOf(name)
	if err != nil {
		return raters.Puzzle{}, err
	}
	p := raters.Puzzle{Genre: Name, Variant: v.name, Text: s}
	if v.classic && isCanonical(s) {
		return p, nil
	}
	if _, err := v.parse(s); err != nil {
		return raters.Puzzle{}, err
	}
	return p, nil
}

// parse reads a canonical text of the variant. What is none is a *raters.SyntaxError.
func (v *variant) parse(s string) (*parsed, error) {
	q := &parsed{of: v, shape: v.base()}
	rest, err := v.cellsOf(q, s)
	if err != nil {
		return nil, err
	}
	switch v.brings {
	case ownBoxes:
		rest, err = rest.boxes(q)
	case ownCages:
		rest, err = rest.cages(q)
	}
	if err != nil {
		return nil, err
	}
	if rest.text != "" {
		return nil, rest.wrong(0, "the text goes on after its end")
	}
	return q, nil
}

// cellsOf reads the cells, and gives what follows.
func (v *variant) cellsOf(q *parsed, s string) (part, error) {
	n := v.base().cells()
	if err := v.wrongCell(s); err != nil {
		return part{}, err
	}
	q.givens = make([]uint8, n)
	for i := range n {
		q.givens[i] = cellValues[s[i]]
	}
	return part{at: n, text: s[n:]}, nil
}

// wrongCell says where the cells of a text stop being canonical.
func (v *variant) wrongCell(s string) error {
	n, whole := v.base().cells(), part{text: s}
	for i := range n {
		if i >= len(s) {
			return whole.wrong(i, fmt.Sprintf("the text ends after %d of %d cells", i, n))
		}
		if value := cellValues[s[i]]; value > uint8(v.size()) {
			return whole.wrong(i, fmt.Sprintf("not a digit from 1 to %s nor .", v.base().naming.Values[v.size()-1]))
		}
	}
	if len(s) > n && v.brings == digitsAlone {
		return whole.wrong(n, fmt.Sprintf("more than %d cells", n))
	}
	return nil
}

// part is what is left of a text, all of it ASCII before.
type part struct {
	at   int // of its first character
	text string
}

func (p part) wrong(at int, reason string) error {
	return &raters.SyntaxError{Line: 1, Column: p.at + at + 1, Reason: reason}
}

func (p part) from(at int) part { return part{p.at + at, p.text[at:]} }

// blank takes the blank before the next part, which has what is missing if there is none.
func (p part) blank(missing string) (part, error) {
	if p.text == "" || p.text[0] != ' ' {
		return p, p.wrong(0, "a blank and "+missing+" come here")
	}
	return p.from(1), nil
}

// groups reads the letter of each cell: names by first appearance, "." for none if that may be. At most so many cells go by
// one letter.
func (p part) groups(n, most int, names, of string, none bool) (groups [][]uint8, rest part, err error) {
	for c := range n {
		if c >= len(p.text) {
			return nil, p, p.wrong(c, fmt.Sprintf("the text ends after the %s of %d of %d cells", of, c, n))
		}
		if none && p.text[c] == '.' {
			continue
		}
		g := strings.IndexByte(names, p.text[c])
		switch {
		case g < 0:
			return nil, p, p.wrong(c, fmt.Sprintf("not a letter of a %s", of))
		case g > len(groups):
			return nil, p, p.wrong(c, fmt.Sprintf("the next new %s is %c: letters go by first appearance", of, names[len(groups)]))
		case g == len(groups):
			groups = append(groups, nil)
		case len(groups[g]) == most:
			return nil, p, p.wrong(c, fmt.Sprintf("%s %c has more than %d cells", of, p.text[c], most))
		}
		groups[g] = append(groups[g], uint8(c))
	}
	return groups, p.from(n), nil
}

// boxes reads the boxes of a puzzle: as many as the grid has rows, each of as many cells, which hang together.
func (p part) boxes(q *parsed) (part, error) {
	p, err := p.blank("the box of each cell")
	if err != nil {
		return p, err
	}
	size, n := q.size, q.cells()
	groups, rest, err := p.groups(n, size, letters[:size], "box", false)
	if err != nil {
		return p, err
	}
	boxes := make([]uint8, n)
	for g, cells := range groups {
		if c := detached(cells, size); c >= 0 {
			return p, p.wrong(c, fmt.Sprintf("box %c is in two parts", letters[g]))
		}
		for _, c := range cells {
			boxes[c] = uint8(g)
		}
	}
	q.shape = irregular.of(p.text[:n], boxes)
	return rest, nil
}

// detached returns the first of some cells that does not hang together with the first one by sides, or −1.
func detached(cells []uint8, size int) int {
	reached := boardSet{}
	reached.add(int(cells[0]))
	for more := true; more; {
		more = false
		for _, c := range cells {
			if at := int(c); !reached.has(at) && beside(at, size, reached.has) {
				reached.add(at)
				more = true
			}
		}
	}
	for _, c := range cells {
		if !reached.has(int(c)) {
			return int(c)
		}
	}
	return -1
}

// beside reports whether a cell that shares a side with one is in a set.
func beside(cell, size int, in func(int) bool) bool {
	r, k := cell/size, cell%size
	return r > 0 && in(cell-size) || r < size-1 && in(cell+size) || k > 0 && in(cell-1) || k < size-1 && in(cell+1)
}

// cages reads the cages of a puzzle and their sums.
func (p part) cages(q *parsed) (part, error) {
	p, err := p.blank("the cage of each cell")
	if err != nil {
		return p, err
	}
	groups, p, err := p.groups(q.cells(), q.size, letters, "cage", true)
	if err == nil {
		p, err = p.blank("the sums of the cages")
	}
	if err != nil {
		return p, err
	}
	cages := make([]house, len(groups))
	for g, cells := range groups {
		cages[g] = house{kind: cageKind, cells: cells}
	}
	rest, err := p.sums(cages)
	if err == nil {
		q.shape = q.withCages(cages)
	}
	return rest, err
}

// sums reads the sum of each cage, nothing for one without, with commas between.
func (p part) sums(cages []house) (part, error) {
	if len(cages) == 0 {
		return p, nil
	}
	for k := range cages {
		if k > 0 {
			if p.text != "" && p.text[0] != ',' {
				return p, p.noSum()
			}
			if p.text == "" {
				return p, p.wrong(0, fmt.Sprintf("%s for %s", amount(k, "sum"), amount(len(cages), "cage")))
			}
			p = p.from(1)
		}
		digits := len(p.text) - len(strings.TrimLeft(p.text, "0123456789"))
		if digits == 0 {
			continue
		}
		n := len(cages[k].cells)
		sum, err := strconv.Atoi(p.text[:digits])
		if err != nil || sum > maxSum || p.text[0] == '0' || within[n][sum] == 0 {
			return p, p.wrong(0, fmt.Sprintf("no cage of %s adds up to %s", amount(n, "cell"), shortened(p.text[:digits])))
		}
		cages[k].sum, p = sum, p.from(digits)
	}
	if strings.HasPrefix(p.text, ",") {
		return p, p.wrong(0, "more sums than "+amount(len(cages), "cage"))
	}
	return p, nil
}

// noSum is the error for what stands where a sum or a comma should.
func (p part) noSum() error {
	r, _ := utf8.DecodeRuneInString(p.text)
	return p.wrong(0, fmt.Sprintf("%q is neither a digit of a sum nor a comma", r))
}

// shortened cuts off what no sum has.
func shortened(digits string) string {
	if len(digits) > 9 {
		return digits[:9] + "…"
	}
	return digits
}

// amount returns "1 cell" or "2 cells".
func amount(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// sums writes the sums of the cages.
func (q *parsed) sums() string {
	var sums []string
	for _, cage := range q.cages() {
		sums = append(sums, cage.sumText())
	}
	return strings.Join(sums, ",")
}

// sumText writes the sum of a cage, nothing for none.
func (h *house) sumText() string {
	if h.sum == 0 {
		return ""
	}
	return strconv.Itoa(h.sum)
}

// Draw returns the grid.
func (reader) Draw(p raters.Puzzle) (raters.Board, error) {
	q, err := parsePuzzle(p)
	if err != nil {
		return raters.Board{}, err
	}
	n := q.cells()
	out := raters.Board{Rows: q.size, Columns: q.size, Cells: make([]raters.Cell, n), Regions: make([]int, n), Values: raters.Symbols(q.naming.Values)}
	for c, v := range q.givens {
		out.Regions[c] = q.houses[q.boxOf[c]].number - 1
		if v != 0 {
			out.Cells[c].Text = q.naming.Values[v-1]
		}
	}
	for _, h := range q.houses[3*q.size : q.full] {
		for _, c := range h.cells {
			out.Cells[c].Kind = raters.Tinted
		}
	}
	for i, cage := range q.cages() {
		out.Cages = append(out.Cages, raters.Cage{Text: cage.sumText()})
		for _, c := range cage.cells {
			out.Cages[i].Cells = append(out.Cages[i].Cells, int(c))
		}
	}
	return out, nil
}
