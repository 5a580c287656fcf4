package events

import (
	"fmt"
	"unicode/utf8"
)

// Fields reads CBOR that is lists, one field after the other. It is for what is read by the hundred thousand: decoding
// by reflection takes several times as long (BenchmarkReadSolve). What is not as expected gives zero values, and an
// error at the end.
type Fields struct {
	all   string
	at    int // what comes next
	bad   bool
	badAt int // where it turned bad
}

// FieldsOf begins to read.
func FieldsOf(data []byte) Fields { return Fields{all: string(data)} }

// require notes that what was read last is not as expected, unless it is.
func (f *Fields) require(ok bool) {
	if !ok && !f.bad {
		f.bad, f.badAt = true, f.at
	}
}

// left is how much there is to read.
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

// head reads a head of CBOR: its number, when it is of the major type.
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

// List reads the beginning of a list and gives its length; none of more than what is left to read.
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

// End returns an error when something was not as expected, or when there is more than was read.
func (f *Fields) End() error {
	if f.require(f.left() == 0); f.bad {
		return fmt.Errorf("the field before byte %d of %d is not as expected", f.badAt, len(f.all))
	}
	return nil
}
