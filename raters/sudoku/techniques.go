package sudoku

// technique is one way to find a step. find looks for its first instance that removes a candidate or
// places a digit, in the order its comment states, and notes it in the state's finding.
type technique struct {
	name string
	tier int
	find func(*state) bool
}

// tiers is the order of rater sudoku.tiers: a rating tries the techniques from the top after each step.
// Instances within one technique go by house (rows, columns, boxes), then by cells, then by digits.
var tiers = []technique{
	{"naked-single", 1, nakedSingle},
	{"hidden-single", 1, hiddenSingle},
	{"pointing", 2, pointing},
	{"box-line-reduction", 2, boxLine},
	{"naked-pair", 2, nakedPair},
	{"hidden-pair", 2, hiddenPair},
	{"naked-triple", 3, nakedTriple},
	{"x-wing", 3, xWing},
	{"swordfish", 4, swordfish},
	{"xy-wing", 4, xyWing},
	{"simple-coloring", 4, simpleColoring},
	{"unique-rectangle", 5, uniqueRectangle},
}

// levels names the tiers, from 1.
var levels = [evil + 1]string{1: "easy", 2: "medium", 3: "hard", 4: "expert", evil: "evil"}

// evil is the tier of unique rectangles, which are sound only where the solution is unique, and of what is
// stuck.
const evil = 5

// nakedSingle: a cell has one candidate left. By cell.
func nakedSingle(s *state) bool {
	first := s.naked().first()
	if first < 0 {
		return false
	}
	c := uint8(first)
	s.found.single = single{at: c, cell: c, digit: uint8(lowest(s.candidates(c)) + 1)}
	return true
}

// hiddenSingle: a digit has one place left in a house. By house, cell.
func hiddenSingle(s *state) bool {
	for kind := range 3 {
		if single := s.countSingles(kind); single != 0 {
			s.placeSingle(kind, uint8(lowest(single)))
			return true
		}
	}
	return false
}

// placeSingle notes the first hidden single of a house.
func (s *state) placeSingle(kind int, n uint8) {
	digit, at := 0, uint16(1<<9)
	for m := having(&s.once[kind], n); m != 0; m &= m - 1 {
		if p := s.where[kind][lowest(m)].row(n); p < at {
			digit, at = lowest(m), p
		}
	}
	h := uint8(9*kind) + n
	s.found.single = single{at: 81 + h, cell: houses[h][lowest(at)], digit: uint8(digit + 1)}
}
