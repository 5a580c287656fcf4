package events

import (
	"fmt"
	"unicode/utf8"
)

// Fields reads CBOR that consists of lists, one field after the other. It is for data that is read by the hundred
// thousand, because decoding by reflection takes several times as long (BenchmarkReadSolve). An unexpected field gives
// a zero value, and End then returns an error.
type Fields struct {
	all   string
	at    int // the next byte to read
	bad   bool
	badAt int // where the first unexpected field was
}

// FieldsOf returns Fields at the beginning of the data.
func FieldsOf(data []byte) Fields { return Fields{all: string(data)} }

// require notes that the last field is not as expected, unless ok is true.
func (f *Fields) require(ok bool) {
	if !ok && !f.bad {
		f.bad, f.badAt = true, f.at
	}
}

// left returns how many bytes are left to read.
func (f *Fields) left() int { return len(f.all) - f.at }

// next returns the next byte, 0 at the end.
func (f *Fields) next() byte {
	if f.at < len(f.all) {
		return f.all[f.at]
	}
	return 0
}

// The CBOR major types that are read.
const (
	isUnsigned = 0
	isNegative = 1
	isText     = 3
	isArray    = 4
	isSimple   = 7
)

// head reads a head of CBOR and returns its number, if it is of this major type.
func (f *Fields) head(major byte) uint64 {
	first := f.next()
	if f.left() == 0 || first>>5 != major {
		f.require(false)
		return 0
	}
	f.at++
	if info := first & 31; info >= 24 {
		return f.long(info)
	}
	return uint64(first & 31)
}

// long reads the number of a head that is in the 1, 2, 4 or 8 bytes after it.
func (f *Fields) long(info byte) (n uint64) {
	if info > 27 || f.left() < 1<<(info-24) {
		f.require(false)
		return 0
	}
	for range 1 << (info - 24) {
		n = n<<8 | uint64(f.all[f.at])
		f.at++
	}
	return n
}

// List reads the beginning of a list and returns its length. A length above what is left to read is an error.
func (f *Fields) List() int {
	if f.next() == 0xf6 { // nil, an empty list
		f.at++
		return 0
	}
	n := f.head(isArray)
	if n > uint64(f.left()) {
		f.require(false)
		return 0
	}
	return int(n)
}

// Text reads a text.
func (f *Fields) Text() string {
	n := f.head(isText)
	if n > uint64(f.left()) || !utf8.ValidString(f.all[f.at:f.at+int(n)]) {
		f.require(false)
		return ""
	}
	f.at += int(n)
	return f.all[f.at-int(n) : f.at]
}

// Uint reads a number that is not negative.
func (f *Fields) Uint() uint64 { return f.head(isUnsigned) }

// Int reads a number of 32 bits.
func (f *Fields) Int() int {
	const most = 1<<31 - 1
	var n uint64
	negative := f.next()>>5 == isNegative
	if negative {
		n = f.head(isNegative)
	} else {
		n = f.head(isUnsigned)
	}
	if n > most {
		f.require(false)
		return 0
	}
	if negative {
		return -1 - int(n)
	}
	return int(n)
}

// Bool reads a truth value.
func (f *Fields) Bool() bool {
	n := f.head(isSimple)
	f.require(n == 20 || n == 21)
	return n == 21
}

// End returns an error when a field was not as expected, or when bytes are left.
func (f *Fields) End() error {
	if f.require(f.left() == 0); f.bad {
		return fmt.Errorf("the field before byte %d of %d is not as expected", f.badAt, len(f.all))
	}
	return nil
}
