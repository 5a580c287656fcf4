package sudoku

import (
	"assay/raters/seedrand"
)

// outlineSwaps is how many times two boxes of an outline exchange cells.
const outlineSwaps = 60

// outline is a partition of the 9×9 grid: the box of each cell, from 0.
type outline [81]uint8

// plainOutline is that of boxes of 3×3.
var plainOutline = func() (o outline) {
	for c := range o {
		o[c] = uint8(c/27*3 + c%9/3)
	}
	return o
}()

// besides gives the cells to the left, to the right, above and below.
var besides = func() (all [81]boardSet) {
	for c := range 81 {
		for _, x := range []struct {
			is bool
			at int
		}{{c%9 > 0, c - 1}, {c%9 < 8, c + 1}, {c > 8, c - 9}, {c < 72, c + 9}} {
			if x.is {
				all[c].add(x.at)
			}
		}
	}
	return all
}()

// randomOutline draws one whose boxes are of nine connected cells, none a row or a column, and which is not the plain one.
// Box after box in order of its first cell.
func randomOutline(r *seedrand.Rand) outline {
	for {
		o := plainOutline
		var boxes [9]boardSet
		for c, b := range o {
			boxes[b].add(c)
		}
		for n := 0; n < outlineSwaps; {
			if o.exchange(r, &boxes) {
				n++
			}
		}
		if o.isIrregular(&boxes) {
			return o.inOrder()
		}
	}
}

// exchange draws two boxes that touch, and a cell of each, and reports whether these could change places.
func (o *outline) exchange(r *seedrand.Rand, boxes *[9]boardSet) bool {
	a := r.IntN(81)
	near := besides[a].less(boxes[o[a]])
	if near.empty() {
		return false
	}
	mine, other := o[a], o[drawn(r, near)]
	b := drawn(r, touching(boxes[mine]).and(boxes[other]))
	x := boxes[mine].less(oneCell[a]).or(oneCell[b])
	y := boxes[other].less(oneCell[b]).or(oneCell[a])
	if !connected(x) || !connected(y) {
		return false
	}
	boxes[mine], boxes[other] = x, y
	o[a], o[b] = other, mine
	return true
}

// drawn draws a cell of a set that is not empty.
func drawn(r *seedrand.Rand, set boardSet) int {
	for n := r.IntN(set.count()); n > 0; n-- {
		set = set.less(oneCell[set.first()&255])
	}
	return set.first()
}

// touching gives the cells beside those of a set, and perhaps some of these.
func touching(set boardSet) (all boardSet) {
	for c := range set.all {
		all = all.or(besides[c])
	}
	return all
}

// connected reports whether one can walk from each cell of a set to each other one.
func connected(set boardSet) bool {
	reached := oneCell[set.first()&255]
	for {
		next := reached.or(touching(reached)).and(set)
		if next == reached {
			return reached == set
		}
		reached = next
	}
}

// isIrregular reports whether no box is a row or a column, and the outline is not the plain one.
func (o *outline) isIrregular(boxes *[9]boardSet) bool {
	for i := range 9 {
		for _, b := range boxes {
			if b == classicShape.cellsIn[i] || b == classicShape.cellsIn[9+i] {
				return false
			}
		}
	}
	return o.inOrder() != plainOutline
}

// inOrder numbers the boxes by their first cells.
func (o *outline) inOrder() (to outline) {
	var number [9]uint8
	n := uint8(0)
	for c, b := range o {
		if number[b] == 0 {
			n++
			number[b] = n
		}
		to[c] = number[b] - 1
	}
	return to
}

// shape gives the grid of rows, columns and the boxes of the outline.
func (o *outline) shape() *shape { return newShapeOf(o[:]) }
