package projections

import (
	"encoding/binary"
	"fmt"
)

// Fields reads a row that is a list, one field after the other. Scans of whole tables use it: decoding a row by
// reflection takes about as long as a tenth of a sudoku's rating (BenchmarkFields). What is not as expected gives
// zero values, and an error at the end.
type Fields struct {
	row Row
	b   []byte
	bad bool
}

// Fields begins to read the row.
func (r Row) Fields() *Fields { return &Fields{row: r, b: r.Value} }

// The CBOR major types that rows have.
const (
	isUnsigned = 0
	isText     = 3
	isArray    = 4
	isSimple   = 7
)

// head reads a head of CBOR: the major type and its number.
func (f *Fields) head(major byte) uint64 {
	if len(f.b) == 0 || f.b[0]>>5 != major {
		f.bad = true
		return 0
	}
	info := f.b[0] & 31
	f.b = f.b[1:]
	if info < 24 {
		return uint64(info)
	}
	n := 1 << (info - 24) // bytes
	if info > 27 || len(f.b) < n {
		f.bad = true
		return 0
	}
	var eight [8]byte
	copy(eight[8-n:], f.b)
	f.b = f.b[n:]
	return binary.BigEndian.Uint64(eight[:])
}

// List reads the beginning of a list and gives its length; none of more than what is left to read.
func (f *Fields) List() int {
	if len(f.b) > 0 && f.b[0] == 0xf6 { // nil, an empty slice
		f.b = f.b[1:]
		return 0
	}
	n := f.head(isArray)
	if n > uint64(len(f.b)) {
		f.bad = true
		return 0
	}
	return int(n)
}

// Text reads a text.
func (f *Fields) Text() string {
	n := f.head(isText)
	if n > uint64(len(f.b)) {
		f.bad = true
		return ""
	}
	text := string(f.b[:n])
	f.b = f.b[n:]
	return text
}

// Uint reads a number.
func (f *Fields) Uint() uint64 { return f.head(isUnsigned) }

// Bool reads a truth value.
func (f *Fields) Bool() bool {
	n := f.head(isSimple)
	f.bad = f.bad || n != 20 && n != 21
	return n == 21
}

// End tells what was wrong, or that there is more than was read.
func (f *Fields) End() error {
	if f.bad || len(f.b) > 0 {
		return f.Wrong()
	}
	return nil
}

// Wrong is the error of a row that is not as expected.
func (f *Fields) Wrong() error { return fmt.Errorf("row %q is not what it should be", f.row.Key) }
