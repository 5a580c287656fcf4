package interchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// f-puzzles.com writes a puzzle as JSON, compressed in an address. SudokuPad reads the same behind a prefix of its own.
var (
	fpuzzles = Format{Name: "fpuzzles", Recognise: isFpuzzles, Read: readFpuzzles, Write: writeFpuzzles, Own: isFpuzzles}

	sudokuPad = Format{Name: "sudokupad", Recognise: isSudokuPad, Read: readSudokuPad, Write: writeSudokuPad, Own: isSudokuPad}
)

const (
	fpuzzlesSite = "https://f-puzzles.com/?load="
	padSite      = "https://sudokupad.app/fpuz"
	maxUnpacked  = 256 << 10 // characters
)

func isFpuzzles(text string) bool {
	if isAddress(text) {
		return strings.Contains(text, "f-puzzles.com/")
	}
	return isObject(firstLine(text)) && strings.Contains(text, `"grid"`)
}

func readFpuzzles(_, text string) (Record, error) {
	if !isAddress(text) {
		return readBoard(text)
	}
	_, load, found := strings.Cut(strings.TrimSpace(text), "load=")
	if !found {
		return Record{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a short address of f-puzzles, whose puzzle only the site knows: open it, and give the long address"}
	}
	return readPacked(text, load)
}

// isSudokuPad recognises the addresses of the program.
func isSudokuPad(text string) bool {
	return isAddress(text) && (strings.Contains(text, "sudokupad.") || strings.Contains(text, "crackingthecryptic.com/"))
}

func readSudokuPad(_, text string) (Record, error) {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndexAny(strings.TrimRight(text, "/?"), "/?=")+1:]
	for _, param := range []string{"load=", "puzzleid="} {
		if _, value, found := strings.Cut(text, param); found {
			last = value
		}
	}
	if i := strings.Index(text, "/fpuz"); i >= 0 { // base 64 has slashes
		last = text[i+1:]
	} else if i := strings.Index(text, "/scl"); i >= 0 {
		last = text[i+1:]
	}
	reason := "a short address of SudokuPad, whose puzzle only the site knows"
	switch {
	case strings.HasPrefix(last, "scl"):
		reason = "SudokuPad's own form (scl) is not read: export the puzzle to f-puzzles, and give that address"
	case strings.HasPrefix(last, "fpuz"):
		return readPacked(text, strings.TrimPrefix(strings.TrimPrefix(last, "fpuz"), "zles"))
	}
	return Record{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: reason}
}

// readPacked reads what is compressed in an address.
func readPacked(address, packed string) (rec Record, err error) {
	column := 1 + max(0, strings.Index(address, packed))
	packed, _, _ = strings.Cut(packed, "&")
	if plain, err := url.PathUnescape(packed); err == nil {
		packed = plain
	}
	text, err := unpack(strings.ReplaceAll(packed, " ", "+"), maxUnpacked)
	if err != nil {
		return rec, &raters.SyntaxError{Line: 1, Column: column, Reason: err.Error()}
	}
	rec, err = readBoard(text)
	if err != nil {
		err = &raters.SyntaxError{Line: 1, Column: column, Reason: reasonOf(err)}
	}
	return rec, err
}

// reasonOf returns what is wrong, without the place.
func reasonOf(err error) string {
	var syntax *raters.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Reason
	}
	return err.Error()
}

// padCell is a cell of a board.
type padCell struct {
	Value  *int            `json:"value,omitempty"`
	Given  bool            `json:"given,omitempty"`
	Region json.RawMessage `json:"region,omitempty"`
}

// padCage is a cage of a board.
type padCage struct {
	Cells []string        `json:"cells"`
	Value json.RawMessage `json:"value,omitempty"`
}

// padBoard is what of a board is read and written.
type padBoard struct {
	Size   int         `json:"size"`
	Title  string      `json:"title,omitempty"`
	Author string      `json:"author,omitempty"`
	Grid   [][]padCell `json:"grid"`
	Cages  []padCage   `json:"killercage,omitempty"`
	Rising bool        `json:"diagonal+,omitempty"`
	Fallen bool        `json:"diagonal-,omitempty"`
}

// padHarmless are the parts of a board that are no rule of it, beside those that are read.
var padHarmless = []string{
	"size", "title", "author", "ruleset", "grid", "killercage", "diagonal+", "diagonal-", "solution", "highlightConflicts", "disabledlogic",
	"truecandidatesoptions", "successMessage", "metadata",
}

// readBoard reads a board of JSON. A rule that no engine has is refused by its name.
func readBoard(text string) (rec Record, err error) {
	var parts map[string]json.RawMessage
	var board padBoard
	if err = json.Unmarshal([]byte(text), &parts); err == nil {
		err = json.Unmarshal([]byte(text), &board)
	}
	if err != nil {
		return rec, jsonError(text, err)
	}
	var rules []string
	for name, part := range parts {
		if said := strings.TrimSpace(string(part)); !slices.Contains(padHarmless, name) && !slices.Contains([]string{"null", "false", "[]", "{}", `""`}, said) {
			rules = append(rules, name)
		}
	}
	if slices.Sort(rules); len(rules) > 0 {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("rules that no engine here has: %.200s", strings.Join(rules, ", "))}
	}
	parsed, err := board.parts()
	if err != nil {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: err.Error()}
	}
	if !slices.Contains(parsed.Givens, 0) {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a solution and no puzzle: no cell is empty"}
	}
	rec.Along = Along{Name: board.Title, Author: board.Author}
	rec.Puzzle, err = parsed.Puzzle()
	return rec, placed(err)
}

// jsonError returns what is wrong with JSON its place.
func jsonError(text string, err error) error {
	at := 0
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at = int(kind.Offset)
	}
	before := text[:min(max(at-1, 0), len(text))]
	line := strings.Count(before, "\n")
	column := len([]rune(before[strings.LastIndex(before, "\n")+1:]))
	return &raters.SyntaxError{Line: 1 + line, Column: 1 + column, Reason: err.Error()}
}

// parts returns the parts of the puzzle.
func (b padBoard) parts() (sudoku.Parts, error) {
	p := sudoku.Parts{Size: b.Size, Diagonals: b.Rising && b.Fallen, Boxes: sudoku.RegularBoxes(b.Size)}
	switch {
	case b.Rising != b.Fallen:
		return p, errors.New("one diagonal alone is a rule that no engine here has")
	case sizeFor(b.Size*b.Size) == 0 || len(b.Grid) != b.Size:
		return p, fmt.Errorf("a grid of size %d with %d rows", b.Size, len(b.Grid))
	}
	for r, row := range b.Grid {
		if len(row) != b.Size {
			return p, fmt.Errorf("row %d has %d cells, not %d", r+1, len(row), b.Size)
		}
		for k, cell := range row {
			v := 0
			if cell.Given && cell.Value != nil {
				v = *cell.Value
			}
			p.Givens = append(p.Givens, v)
			if region, err := strconv.Atoi(string(cell.Region)); err == nil {
				p.Boxes[r*b.Size+k] = region
			} else if cell.Region != nil {
				return p, fmt.Errorf("r%dc%d is of no region, which is a rule that no engine here has", r+1, k+1)
			}
		}
	}
	return p, b.cages(&p)
}

// cages reads the cages.
func (b padBoard) cages(p *sudoku.Parts) error {
	for _, c := range b.Cages {
		cage := sudoku.Cage{}
		for _, name := range c.Cells {
			cell, err := b.cell(name)
			if err != nil {
				return err
			}
			cage.Cells = append(cage.Cells, cell)
		}
		if said := strings.Trim(string(c.Value), `"`); said != "" && said != "null" {
			sum, err := strconv.Atoi(said)
			if err != nil || sum < 1 {
				return fmt.Errorf("a killer cage with %.40q for its sum", said)
			}
			cage.Sum = sum
		}
		p.Cages = append(p.Cages, cage)
	}
	return nil
}

// cell reads the name of a cell, such as R1C10.
func (b padBoard) cell(name string) (int, error) {
	row, column, found := strings.Cut(strings.TrimPrefix(strings.ToUpper(name), "R"), "C")
	r, err := strconv.Atoi(row)
	c, err2 := strconv.Atoi(column)
	if !found || err != nil || err2 != nil || r < 1 || c < 1 || r > b.Size || c > b.Size {
		return 0, fmt.Errorf("%.20q is no cell", name)
	}
	return (r-1)*b.Size + c - 1, nil
}

// boardOf returns the JSON of a puzzle.
func boardOf(p raters.Puzzle) (string, error) {
	parts, err := sudoku.PartsOf(p)
	if err != nil {
		return "", err
	}
	n := parts.Size
	b := padBoard{Size: n, Grid: make([][]padCell, n), Rising: parts.Diagonals, Fallen: parts.Diagonals}
	irregular := !slices.Equal(parts.Boxes, sudoku.RegularBoxes(n))
	for c, v := range parts.Givens {
		var cell padCell
		if v > 0 {
			cell = padCell{Value: &v, Given: true}
		}
		if irregular {
			cell.Region = json.RawMessage(strconv.Itoa(parts.Boxes[c]))
		}
		b.Grid[c/n] = append(b.Grid[c/n], cell)
	}
	for _, cage := range parts.Cages {
		var c padCage
		for _, cell := range cage.Cells {
			c.Cells = append(c.Cells, fmt.Sprintf("R%dC%d", cell/n+1, cell%n+1))
		}
		if cage.Sum > 0 {
			c.Value = json.RawMessage(strconv.Quote(strconv.Itoa(cage.Sum)))
		}
		b.Cages = append(b.Cages, c)
	}
	text, err := json.Marshal(b)
	return string(text), err
}

func writeFpuzzles(p raters.Puzzle) (string, error) {
	text, err := boardOf(p)
	return fpuzzlesSite + pack(text), err
}

func writeSudokuPad(p raters.Puzzle) (string, error) {
	text, err := boardOf(p)
	return padSite + pack(text), err
}
