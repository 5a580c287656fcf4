// Package seedrand is the only source of randomness of the engines. It is written down here to the
// last bit, and pinned by golden vectors, so that a seed means the same puzzle on every platform and
// under every Go release:
//
//   - The generator is xoshiro256** 1.0 (Blackman, Vigna). Its four words are the first four outputs of
//     SplitMix64 (Steele, Lea, Flood) started at the seed.
//   - IntN(n) is Lemire's multiply-shift: the high word of Uint64() × n, where draws whose low word is
//     below 2⁶⁴ mod n are thrown away, so that every value is equally likely.
//   - Shuffle is Fisher-Yates from the end: for i = n−1 … 1, swap i with IntN(i+1).
//   - Sub(seed, stream, slot, attempt) is the first eight bytes, big-endian, of
//     SHA-256(seed ‖ slot ‖ attempt ‖ stream), numbers as eight bytes big-endian, stream as UTF-8.
package seedrand

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Rand is a stream of random numbers. It is not safe for use by several goroutines.
type Rand struct{ s [4]uint64 }

// New starts the stream of a seed.
func New(seed uint64) *Rand {
	r := new(Rand)
	for i := range r.s {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		r.s[i] = z ^ z>>31
	}
	return r
}

// Sub derives the seed of a part of a larger whole: stream names the use, slot the part, attempt the try.
func Sub(seed uint64, stream string, slot, attempt uint64) uint64 {
	in := make([]byte, 0, 24+len(stream))
	in = binary.BigEndian.AppendUint64(in, seed)
	in = binary.BigEndian.AppendUint64(in, slot)
	in = binary.BigEndian.AppendUint64(in, attempt)
	in = append(in, stream...)
	sum := sha256.Sum256(in)
	return binary.BigEndian.Uint64(sum[:])
}

// Uint64 returns the next 64 bits.
func (r *Rand) Uint64() uint64 {
	s := &r.s
	out := bits.RotateLeft64(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = bits.RotateLeft64(s[3], 45)
	return out
}

// IntN returns an integer from 0 to n−1, each equally likely. It panics when n < 1.
func (r *Rand) IntN(n int) int {
	if n < 1 {
		panic("seedrand: IntN of less than 1")
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(r.Uint64(), bound)
	if lo < bound {
		for reject := -bound % bound; lo < reject; {
			hi, lo = bits.Mul64(r.Uint64(), bound)
		}
	}
	return int(hi)
}

// Between returns an integer from lo to hi, both inclusive.
func (r *Rand) Between(lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// Shuffle puts n things in random order with the caller's swap.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.IntN(i+1))
	}
}
