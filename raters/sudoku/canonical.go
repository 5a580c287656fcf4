package sudoku

import (
	"sync"

	"assay/raters"
)

// Two grids are the same up to symmetry when exchanging digits, transposing, and permuting bands, stacks,
// rows within bands and columns within stacks turns one into the other. The canonical form is the least
// of all such grids, read row by row with empty cells below digits.
//
// It is built row by row: of all ways to go on, those that give the least next row are kept. Columns that
// have been empty so far are interchangeable, and so are stacks; which is which stays open until a row
// tells them apart, so that only real ties are followed separately.

// maxArrangements bounds the ties followed at once. A full grid starts with 23,328 (2·9 rows, 1,296 ways
// to order the columns); grids of many clues soon have few, and sparse ones have few orders to tell apart.
const maxArrangements = 1 << 17

// arrangement is a way to lay out the rows so far.
type arrangement struct {
	flip       uint8     // 1: of the transposed grid
	band       uint8     // of the last row
	rows       uint16    // rows of the grid that are laid out
	col        [9]uint8  // position: column of the grid
	free       [3]uint8  // stack: how many of its columns, at its left, are interchangeable
	freeStacks uint8     // how many stacks, at the left, are interchangeable
	label      [10]uint8 // digit: what it is called, 0 for nothing yet
	labels     uint8     // how many digits have been called something
}

// canonizer implements raters.Canonizer.
type canonizer struct{}

// Canonical gives the least of the grids that are the same as the puzzle's up to symmetry. It may give
// raters.ErrBudget for a grid that is so symmetric that no unique puzzle is. A grid with a digit twice in a house is a
// *raters.NoSolutionError.
func (canonizer) Canonical(p raters.Puzzle) (string, error) {
	cells, err := parse(p)
	if err != nil {
		return "", err
	}
	if reason := clash(&cells); reason != "" {
		return "", &raters.NoSolutionError{Reason: reason}
	}
	a := arrangers.Get().(*arranger)
	defer arrangers.Put(a)
	least, err := a.least(&cells)
	if err != nil {
		return "", err
	}
	return text(&least), nil
}

// arranger is the work space of a canonical form.
type arranger struct {
	grid      [2][9][9]uint8 // as it is, and transposed
	now, next []arrangement
}

var arrangers = sync.Pool{New: func() any { return new(arranger) }}

func (a *arranger) least(cells *[81]uint8) (out [81]uint8, err error) {
	for c, v := range cells {
		a.grid[0][c/9][c%9], a.grid[1][c%9][c/9] = v, v
	}
	start := arrangement{col: [9]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}, free: [3]uint8{3, 3, 3}, freeStacks: 3}
	a.now = append(a.now[:0], start, start)
	a.now[1].flip = 1
	for row := range 9 {
		best := a.layRow(row)
		if len(a.next) > maxArrangements {
			return out, raters.ErrBudget
		}
		for i := range 9 {
			out[9*row+i] = uint8(best >> (4 * (8 - i)) & 15)
		}
		a.now, a.next = a.next, a.now
	}
	return out, nil
}

// layRow finds all ways to lay out the next row that make it least, and gives that row, four bits a cell.
func (a *arranger) layRow(row int) uint64 {
	best := ^uint64(0)
	a.next = a.next[:0]
	for i := range a.now {
		from := &a.now[i]
		for r, choices := 0, a.choices(from, row); choices != 0; r, choices = r+1, choices>>1 {
			if choices&1 == 0 {
				continue
			}
			l := laid{arrangement: *from}
			key := l.lay(&a.grid[from.flip][r])
			if key > best || len(a.next) > maxArrangements {
				continue
			}
			if key < best {
				best, a.next = key, a.next[:0]
			}
			l.rows |= 1 << r
			l.band = uint8(r / 3)
			a.next = l.ties(a.next, &a.grid[from.flip][r])
		}
	}
	return best
}

// choices gives the rows that may come next. Empty rows of a band are interchangeable, and so are empty
// bands: it gives the first.
func (a *arranger) choices(from *arrangement, row int) uint16 {
	grid := &a.grid[from.flip]
	var out uint16
	emptyBand := false
	for b := range 3 {
		left := ^from.rows >> (3 * b) & 7
		if row%3 == 0 && left != 7 || row%3 != 0 && int(from.band) != b {
			continue
		}
		emptyRow, others := uint16(0), uint16(0)
		for i := range 3 {
			switch {
			case left>>i&1 == 0:
			case grid[3*b+i] != [9]uint8{}:
				others |= 1 << i
			case emptyRow == 0:
				emptyRow = 1 << i
			}
		}
		if others == 0 && left == 7 {
			if emptyBand {
				continue
			}
			emptyBand = true
		}
		out |= (emptyRow | others) << (3 * b)
	}
	return out
}

// unnamed is the value of a digit that is not called anything yet: above all others.
const unnamed = 15

// laid is an arrangement while a row is laid out in it.
type laid struct {
	arrangement
	value [9]uint8 // position: what the digit there is called, 0 for none, or unnamed
}

// lay orders what is interchangeable so that the row gets least, and gives the row.
func (l *laid) lay(row *[9]uint8) uint64 {
	for i, c := range l.col {
		if d := row[c]; d != 0 {
			l.value[i] = l.label[d]
			if l.value[i] == 0 {
				l.value[i] = unnamed
			}
		}
	}
	for s, n := range l.free {
		if n > 1 {
			l.order(3*s, 3*s+1)
			if n > 2 {
				l.order(3*s+1, 3*s+2)
				l.order(3*s, 3*s+1)
			}
		}
	}
	if l.freeStacks > 1 {
		l.orderStacks(0, 1)
		if l.freeStacks > 2 {
			l.orderStacks(1, 2)
			l.orderStacks(0, 1)
		}
	}
	return l.key()
}

// order exchanges two neighbours that are in the wrong order.
func (l *laid) order(i, j int) {
	if l.value[i] > l.value[j] {
		l.value[i], l.value[j] = l.value[j], l.value[i]
		l.col[i], l.col[j] = l.col[j], l.col[i]
	}
}

func (l *laid) stack(s int) uint16 {
	return uint16(l.value[3*s])<<8 | uint16(l.value[3*s+1])<<4 | uint16(l.value[3*s+2])
}

func (l *laid) orderStacks(s, t int) {
	if l.stack(s) > l.stack(t) {
		l.swapStacks(s, t)
	}
}

// swapStacks exchanges two stacks that were empty before this row.
func (l *laid) swapStacks(s, t int) {
	for i := range 3 {
		l.value[3*s+i], l.value[3*t+i] = l.value[3*t+i], l.value[3*s+i]
		l.col[3*s+i], l.col[3*t+i] = l.col[3*t+i], l.col[3*s+i]
	}
}

// key gives the row as it reads when unnamed digits are named from left to right.
func (l *laid) key() (key uint64) {
	n := l.labels
	for _, v := range l.value {
		if v == unnamed {
			n++
			v = n
		}
		key = key<<4 | uint64(v)
	}
	return key
}

// tied gives the orders of three things of which n, from the first-th on, are tied.
func tied(first, n int) [][3]uint8 {
	switch {
	case n == 3:
		return orders[:]
	case n == 2 && first == 0:
		return orders[1:3]
	case n == 2:
		return orders[:2]
	}
	return orders[1:2]
}

// orders are those of three things: the last two exchanged, none, the first two exchanged, and the rest.
var orders = [6][3]uint8{{0, 2, 1}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}

// ties appends every arrangement that makes the row read the same: unnamed digits in interchangeable
// columns, and interchangeable stacks that read alike, can come in any order.
func (l *laid) ties(to []arrangement, row *[9]uint8) []arrangement {
	for _, stacks := range l.stackOrders() {
		m := *l
		for s, from := range stacks {
			copy(m.col[3*s:3*s+3], l.col[3*from:3*from+3])
		}
		base := m.col
		for _, first := range l.columnOrders(0) {
			for _, second := range l.columnOrders(1) {
				for _, third := range l.columnOrders(2) {
					for i := range 3 {
						m.col[i], m.col[3+i], m.col[6+i] = base[first[i]], base[3+second[i]], base[6+third[i]]
					}
					to = append(to, m.named(row))
				}
			}
		}
	}
	return to
}

// stackOrders gives the orders of the stacks that read the same. Empty stacks are not told apart yet.
func (l *laid) stackOrders() [][3]uint8 {
	first, n := 0, 1
	for s := 1; s < int(l.freeStacks); s++ {
		switch {
		case l.stack(s) == 0:
		case l.stack(s) == l.stack(s-1):
			n++
		case n == 1:
			first = s
		}
	}
	return tied(first, n)
}

// columnOrders gives the orders of a stack's columns that read the same. Empty columns are not told apart
// yet.
func (l *laid) columnOrders(s int) [][3]uint8 {
	n := 0
	for i := range l.free[s] {
		if l.value[3*s+int(i)] == unnamed {
			n++
		}
	}
	return tied(int(l.free[s])-n, n)
}

// named gives the arrangement after the row: its digits named, its columns and stacks told apart.
func (l *laid) named(row *[9]uint8) arrangement {
	out := l.arrangement
	out.free, out.freeStacks = [3]uint8{}, 0
	for i, v := range l.value {
		s := i / 3
		switch {
		case v == unnamed:
			out.labels++
			out.label[row[out.col[i]]] = out.labels
		case v == 0 && i%3 < int(l.free[s]):
			out.free[s]++
		}
	}
	for out.freeStacks < l.freeStacks && l.stack(int(out.freeStacks)) == 0 {
		out.freeStacks++
	}
	return out
}
