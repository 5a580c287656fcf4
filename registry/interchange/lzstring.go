package interchange

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// The programs that run in a browser compress with lz-string: LZ78 over UTF-16, whose codes grow by a bit when they are
// used up, with the lowest bit first; the bits are written in base 64.

const base64Signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// The codes that stand for no text on record.
const (
	newByte  = 0 // 8 bits of a new character follow
	newWide  = 1 // 16 bits
	endOfAll = 2
)

var (
	errPacked = errors.New("not a text that lz-string compressed")
	errGrown  = errors.New("what is compressed is longer than is read")
)

// bits are those of base 64, the highest of each sign first.
type bits struct {
	text string
	at   int // bit
}

// next returns so many bits, the lowest first.
func (b *bits) next(n int) (int, error) {
	v := 0
	for i := range n {
		if b.at/6 >= len(b.text) {
			return 0, errPacked
		}
		sign := strings.IndexByte(base64Signs, b.text[b.at/6])
		if sign < 0 {
			return 0, errPacked
		}
		v |= sign >> (5 - b.at%6) & 1 << i
		b.at++
	}
	return v, nil
}

// unpack returns what lz-string compressed into base 64, at most so many characters of UTF-16.
func unpack(text string, most int) (string, error) {
	in, known := bits{text: strings.TrimRight(text, "=")}, make([][]uint16, 3, 64)
	var out, last []uint16
	width, room := 2, 1 // of the codes, and how many more there are of the width
	for {
		code, err := in.next(width)
		if err != nil {
			return "", err
		}
		if code == endOfAll {
			return string(utf16.Decode(out)), nil
		}
		if code == newByte || code == newWide {
			ch, err := in.next(8 << code)
			if err != nil {
				return "", err
			}
			code, known = len(known), append(known, []uint16{uint16(ch)})
			if room--; room == 0 {
				room, width = 1<<width, width+1
			}
		}
		var entry []uint16
		switch {
		case code < len(known):
			entry = known[code]
		case code == len(known) && last != nil:
			entry = append(last[:len(last):len(last)], last[0])
		default:
			return "", errPacked
		}
		if out = append(out, entry...); len(out) > most {
			return "", errGrown
		}
		if last != nil {
			known = append(known, append(last[:len(last):len(last)], entry[0]))
			if room--; room == 0 {
				room, width = 1<<width, width+1
			}
		}
		last = entry
	}
}

// packer compresses.
type packer struct {
	out    strings.Builder
	sign   int
	filled int             // bits of it
	codes  map[string]int  // of what is known
	fresh  map[string]bool // characters that were not written yet
	width  int
	room   int
}

func (p *packer) write(v, n int) {
	for range n {
		p.sign = p.sign<<1 | v&1
		v >>= 1
		if p.filled++; p.filled == 6 {
			p.out.WriteByte(base64Signs[p.sign])
			p.sign, p.filled = 0, 0
		}
	}
}

// emit writes the code of a text, or its one character the first time.
func (p *packer) emit(text string) {
	if p.fresh[text] {
		ch := int(utf16.Encode([]rune(text))[0])
		kind := newByte
		if ch >= 256 {
			kind = newWide
		}
		p.write(kind, p.width)
		p.write(ch, 8<<kind)
		delete(p.fresh, text)
		p.grow()
	} else {
		p.write(p.codes[text], p.width)
	}
	p.grow()
}

func (p *packer) grow() {
	if p.room--; p.room == 0 {
		p.room, p.width = 1<<p.width, p.width+1
	}
}

// pack compresses a text of characters that are one of UTF-16 each.
func pack(text string) string {
	p := packer{codes: map[string]int{}, fresh: map[string]bool{}, width: 2, room: 2}
	next, word := 3, ""
	for _, ch := range text {
		c := string(ch)
		if _, known := p.codes[c]; !known {
			p.codes[c], p.fresh[c] = next, true
			next++
		}
		if _, known := p.codes[word+c]; known {
			word += c
			continue
		}
		p.emit(word)
		p.codes[word+c] = next
		next, word = next+1, c
	}
	if word != "" {
		p.emit(word)
	}
	p.write(endOfAll, p.width)
	p.write(0, 6-p.filled)
	return p.out.String() + strings.Repeat("=", (4-p.out.Len()%4)%4)
}
