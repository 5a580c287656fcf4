package sudoku

import "math/bits"

// nakedTriples looks for three cells of a house with three candidates between them.
func (s *sheet) nakedTriples() bool {
	for s.triples != 0 {
		h := lowest64(s.triples)
		s.work++
		if s.nakedTriple(h) {
			return true
		}
		s.triples &^= 1 << h
	}
	return false
}

func (s *sheet) nakedTriple(h int) bool {
	var cells [maxSize]uint8
	n := 0
	for _, c := range s.houses[h].cells {
		if k := bits.OnesCount16(s.cand[c]); k == 2 || k == 3 {
			cells[n] = c
			n++
		}
	}
	for i, a := range cells[:n] {
		for j := i + 1; j < n; j++ {
			two := s.cand[a] | s.cand[cells[j]]
			if bits.OnesCount16(two) > 3 {
				continue
			}
			for _, c := range cells[j+1 : n] {
				three := two | s.cand[c]
				if bits.OnesCount16(three) != 3 {
					continue
				}
				set := oneCell[a].or(oneCell[cells[j]]).or(oneCell[c])
				s.leaveRest(set, three, s.in[a]&s.in[cells[j]]&s.in[c])
				if s.stirred() {
					return true
				}
			}
		}
	}
	return false
}

// spread tells each rule that looks at digits which of them moved.
func (s *sheet) spread() {
	s.fish[0] |= s.moved
	s.fish[1] |= s.moved
	s.colors |= s.moved
	s.moved = 0
}

// catchFish looks for X-wings, of two lines, or for swordfish, of three.
func (s *sheet) catchFish(size int) bool {
	s.spread()
	for left := &s.fish[size-2]; *left != 0; *left &= *left - 1 {
		s.work++
		if d := lowest(*left); s.fishOf(rowKind, d, size) || s.fishOf(columnKind, d, size) {
			return true
		}
	}
	return false
}

// fishOf looks for so many rows, or columns, where a digit has as many places between them.
func (s *sheet) fishOf(of kind, d, size int) bool {
	var lines, along [maxSize]uint16 // lines: their number, as a set, and places
	n, first := 0, s.line(of, 0)
	for i := range s.size {
		m := s.where[first+i][d]
		if k := bits.OnesCount16(m); k >= 2 && k <= size {
			lines[n], along[n] = 1<<i, m
			n++
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			two, pair := along[i]|along[j], lines[i]|lines[j]
			if bits.OnesCount16(two) > size {
				continue
			}
			if size == 2 && s.catchIn(of, d, pair, two) {
				return true
			}
			for k := j + 1; size == 3 && k < n; k++ {
				if three := two | along[k]; bits.OnesCount16(three) == 3 && s.catchIn(of, d, pair|lines[k], three) {
					return true
				}
			}
		}
	}
	return false
}

// catchIn takes a digit from lines across, but for those of a fish.
func (s *sheet) catchIn(of kind, d int, lines, across uint16) bool {
	var gone boardSet
	for m := across; m != 0; m &= m - 1 {
		h := s.line(acrossOf(of), lowest(m))
		for rest := s.where[h][d] &^ lines; rest != 0; rest &= rest - 1 {
			gone.add(s.cell(h, lowest(rest)))
		}
	}
	if gone.empty() {
		return false
	}
	s.remove(gone, d)
	return true
}

// xyWings looks for a pivot xy that sees a cell xz and a cell yz: what sees both is not z.
func (s *sheet) xyWings() bool {
	var two boardSet
	for c := range s.open.all {
		if isPair(s.cand[c]) {
			two.add(c)
		}
	}
	if two.less(s.wings).empty() {
		return false
	}
	s.work++
	for p := range two.all {
		m := s.cand[p]
		x, y := lowest(m), lowest(m&(m-1))
		near := two.and(s.peers[p])
		ends := near.and(s.at[y]).less(s.at[x])
		for a := range near.and(s.at[x]).less(s.at[y]).all {
			z := s.cand[a] &^ m
			for b := range ends.and(s.at[lowest(z)]).all {
				if gone := s.peers[a].and(s.peers[b]).and(s.at[lowest(z)]); !gone.empty() {
					s.remove(gone, lowest(z))
					return true
				}
			}
		}
	}
	s.wings = two
	return false
}

// color looks for what the colors of the strong links of a digit remove.
func (s *sheet) color() bool {
	s.spread()
	for s.colors != 0 {
		d := lowest(s.colors)
		s.work++
		var ends boardSet
		for h := range s.full {
			if m := s.where[h][d]; isPair(m) {
				x, y := s.twoCells(h, m)
				ends = ends.or(oneCell[x&255]).or(oneCell[y&255])
			}
		}
		for !ends.empty() {
			color, seen := s.colorsFrom(ends.first(), d)
			if s.paint(d, color, seen) {
				return true
			}
			ends = ends.less(color[0]).less(color[1])
		}
		s.colors &= s.colors - 1
	}
	return false
}

// colorsFrom gives the two colors of the component of a cell, and what sees each.
func (s *sheet) colorsFrom(first, d int) (color, seen [2]boardSet) {
	ends := oneCell[first&255]
	for k := 0; !ends.empty(); k = 1 - k {
		color[k] = color[k].or(ends)
		var next boardSet
		for c := range ends.all {
			seen[k] = seen[k].or(s.peers[c])
			for _, m := range s.fullOf[c] {
				if isPair(s.where[m.house][d]) {
					next = next.or(s.cellsIn[m.house])
				}
			}
		}
		ends = next.and(s.at[d]).less(color[0]).less(color[1])
	}
	return color, seen
}

// paint removes a color of which two cells see each other, or what sees both colors.
func (s *sheet) paint(d int, color, seen [2]boardSet) bool {
	gone := seen[0].and(seen[1]).and(s.at[d]).less(color[0]).less(color[1])
	for k := range color {
		if !color[k].and(seen[k]).empty() {
			gone = color[k]
		}
	}
	if gone.empty() {
		return false
	}
	s.remove(gone, d)
	return true
}
