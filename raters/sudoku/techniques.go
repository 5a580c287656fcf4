package sudoku

import "math/bits"

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
	c := s.naked.first()
	if c < 0 || s.cand[c] == 0 {
		return false
	}
	f, d := &s.found, lowest(s.cand[c])
	f.places, f.placed = true, literal(uint8(c), d)
	f.only(uint8(c), 1<<d)
	f.pattern = onePattern('c', uint8(c))
	return true
}

// hiddenSingle: a digit has one place left in a house. By house, cell.
func hiddenSingle(s *state) bool {
	first := s.firstSingle()
	if first < 0 {
		return false
	}
	h, at := uint8(first), 0
	for s.cand[houses[h][at]]&s.once[h] == 0 {
		at++
	}
	f, c := &s.found, houses[h][at]
	digit := lowest(s.cand[c] & s.once[h])
	f.places, f.placed = true, literal(c, digit)
	f.dropFrom(c, s.cand[c]&^(1<<digit))
	f.confined(h, digit, 1<<at)
	f.pattern = onePattern('h', h)
	return true
}

// crossing says where the places of a house lie: all in one of its three segments, which is then shared
// with another house. A box has six segments, its rows and its columns; a line has three, its boxes.
var (
	boxSegment  [512]int8 // places of a box: 0–2 its rows, 3–5 its columns, −1 none of them
	lineSegment [512]int8 // places of a line: 0–2 its boxes, −1 none of them
)

func init() {
	for m := range 512 {
		boxSegment[m], lineSegment[m] = -1, -1
		for i := range 3 {
			row, col := 7<<(3*i), 0o111<<i
			if m != 0 && m&^row == 0 {
				boxSegment[m], lineSegment[m] = int8(i), int8(i)
			} else if m != 0 && m&^col == 0 {
				boxSegment[m] = int8(i + 3)
			}
		}
	}
}

// pointing: the places of a digit in a box lie in one line, so that it leaves the rest of the line. By
// box, digit.
func pointing(s *state) bool {
	s.count()
	news := &s.news[ofPointing]
	for news.houses &= boxes; news.houses != 0; news.houses &= news.houses - 1 {
		b := uint8(bits.TrailingZeros32(news.houses)) - boxHouse
		for m := news.digits; m != 0; m &= m - 1 {
			d := lowest(m)
			seg := boxSegment[s.places[boxHouse+b][d]]
			if seg < 0 {
				continue
			}
			line, own, part := b/3*3+uint8(seg), uint16(7)<<(3*seg), uint16(7)<<(b%3*3)
			if seg >= 3 {
				line, own, part = colHouse+b%3*3+uint8(seg-3), 0o111<<(seg-3), 7<<(b/3*3)
			}
			if s.locked(boxHouse+b, line, d, own, part) {
				return true
			}
		}
	}
	news.digits = 0
	return false
}

// boxLine: the places of a digit in a line lie in one box, so that it leaves the rest of the box. By
// line, digit.
func boxLine(s *state) bool {
	s.count()
	news := &s.news[ofBoxLine]
	for news.houses &^= boxes; news.houses != 0; news.houses &= news.houses - 1 {
		h := uint8(bits.TrailingZeros32(news.houses))
		for m := news.digits; m != 0; m &= m - 1 {
			d := lowest(m)
			seg := lineSegment[s.places[h][d]]
			if seg < 0 {
				continue
			}
			box, part := h/3*3+uint8(seg), uint16(7)<<(h%3*3)
			if h >= colHouse {
				box, part = uint8(seg)*3+(h-colHouse)/3, 0o111<<(h%3)
			}
			if s.locked(h, boxHouse+box, d, 7<<(3*seg), part) {
				return true
			}
		}
	}
	news.digits = 0
	return false
}

// locked finds what a digit removes from another house when all its places in a house are among the cells
// the two share: own as places of the house, part as places of the other.
func (s *state) locked(house, other uint8, digit int, own, part uint16) bool {
	rest := s.places[other][digit] &^ part
	if rest == 0 {
		return false
	}
	f := &s.found
	f.drop(other, digit, rest)
	f.confined(house, digit, own)
	f.pattern = onePattern('h', house)
	return true
}

// nakedPair: two cells of a house have the same two candidates, which leave the house's other cells; both
// houses', when they share two. By house, cells.
func nakedPair(s *state) bool {
	s.sizes()
	alike, news := s.alike(), &s.news[ofNakedPair]
	if alike.empty() {
		news.houses = 0
	}
	for ; news.houses != 0; news.houses &= news.houses - 1 {
		h := uint8(bits.TrailingZeros32(news.houses))
		var in [9]uint8
		n := alike.and(cellsOf[h]).list(in[:])
		for i, a := range in[:n] {
			for _, b := range in[i+1 : n] {
				if s.cand[a] == s.cand[b] && s.nakedSet(h, s.cand[a], a, b) {
					return true
				}
			}
		}
	}
	return false
}

// alike gives the cells with two candidates that another cell has as well.
func (s *state) alike() (out cellSet) {
	var first [512]uint8
	for i, w := range s.size2 {
		for ; w != 0; w &= w - 1 {
			c := uint8(64*i + bits.TrailingZeros64(w))
			f := &first[s.cand[c]&nine]
			if *f == 0 {
				*f = c + 1
				continue
			}
			out.add(int(c))
			out.add(int(*f - 1))
		}
	}
	return out
}

// nakedTriple: three cells of a house have, together, three candidates. By house, cells.
func nakedTriple(s *state) bool {
	s.sizes()
	news := &s.news[ofNakedTriple]
	for ; news.houses != 0; news.houses &= news.houses - 1 {
		h := uint8(bits.TrailingZeros32(news.houses))
		var in [9]uint8
		n := s.size23.and(cellsOf[h]).list(in[:])
		for i, a := range in[:n] {
			for j, b := range in[i+1 : n] {
				ab := s.cand[a] | s.cand[b]
				if bits.OnesCount16(ab) <= 3 && s.thirdOf(h, a, b, in[i+j+2:n]) {
					return true
				}
			}
		}
	}
	return false
}

func (s *state) thirdOf(h, a, b uint8, rest []uint8) bool {
	for _, c := range rest {
		abc := s.cand[a] | s.cand[b] | s.cand[c]
		if bits.OnesCount16(abc) == 3 && s.nakedSet(h, abc, a, b, c) {
			return true
		}
	}
	return false
}

// nakedSet finds what the digits of as many cells of a house remove from the cells that see all of them:
// the rest of the house and, if the cells share another one, of that.
func (s *state) nakedSet(h uint8, digits uint16, cells ...uint8) bool {
	f := &s.found
	seen := sees[cells[0]]
	for _, c := range cells[1:] {
		seen = seen.and(sees[c])
	}
	for c := range seen.all {
		f.dropFrom(c, s.cand[c]&digits)
	}
	if len(f.removed) == 0 {
		return false
	}
	for _, c := range cells {
		f.only(c, digits)
	}
	f.pattern = onePattern('h', h)
	return true
}

// hiddenPair: two digits have the same two places in a house, so that these cells lose all others. By
// house, cells; two pairs of one house share no cell.
func hiddenPair(s *state) bool {
	s.count()
	news := &s.news[ofHiddenPair]
	for ; news.houses != 0; news.houses &= news.houses - 1 {
		h := uint8(bits.TrailingZeros32(news.houses))
		first, pair := 9, uint16(0)
		for m := s.twice[h]; !lone(m); m &= m - 1 {
			d := lowest(m)
			p := s.places[h][d]
			for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
				e := lowest(rest)
				both := uint16(1<<d | 1<<e)
				if s.places[h][e] == p && lowest(p) < first && s.others(h, p, both) {
					first, pair = lowest(p), both
				}
			}
		}
		if pair != 0 {
			s.hiddenSet(h, s.places[h][lowest(pair)], pair)
			return true
		}
	}
	return false
}

// others tells whether cells of a house have candidates beside these digits.
func (s *state) others(h uint8, cells, digits uint16) bool {
	var all uint16
	for m := cells; m != 0; m &= m - 1 {
		all |= s.cand[houses[h][lowest(m)]]
	}
	return all&^digits != 0
}

func (s *state) hiddenSet(h uint8, cells, digits uint16) {
	f := &s.found
	for m := cells; m != 0; m &= m - 1 {
		c := houses[h][lowest(m)]
		f.dropFrom(c, s.cand[c]&^digits)
	}
	for m := digits; m != 0; m &= m - 1 {
		f.confined(h, lowest(m), cells)
	}
	f.pattern = onePattern('h', h)
}
