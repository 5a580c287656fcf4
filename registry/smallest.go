package registry

import "math/bits"

// maxTries limits the search for the cause of one change, in ratings.
const maxTries = 64

// search looks for the smallest set of n things that has an effect. All of them together have the effect.
type search struct {
	n     int
	has   func(set uint64) (bool, error) // reports whether a set has the effect
	tried map[uint64]bool
	err   error
}

// smallest finds the smallest set of n things that has an effect, within maxTries; if several are equally small, the
// first one. All of them together must have the effect. If the tries are not enough, it returns the smallest set found;
// minimal reports whether every smaller one was tried.
func smallest(n int, has func(set uint64) (bool, error)) (set uint64, minimal bool, err error) {
	s := search{n: n, has: has, tried: map[uint64]bool{}}
	for size := range min(n, 2) {
		if set, ok := s.first(0, 0, size); ok || s.err != nil {
			return set, true, s.err
		}
	}
	found := s.reduced()
	for size := 2; size < bits.OnesCount64(found); size++ {
		if set, ok := s.first(0, 0, size); ok || s.over() {
			if !ok {
				set = found
			}
			return set, ok, s.err
		}
	}
	if set, ok := s.first(0, 0, bits.OnesCount64(found)); ok {
		found = set
	}
	return found, true, s.err
}

// over reports whether the search has ended.
func (s *search) over() bool { return s.err != nil || len(s.tried) == maxTries }

// works reports whether a set has the effect. Once the search is over, it is false for sets that were not tried.
func (s *search) works(set uint64) bool {
	if set == 1<<s.n-1 {
		return true
	}
	known, is := s.tried[set]
	if !is && !s.over() {
		known, s.err = s.has(set)
		s.tried[set] = known
	}
	return known
}

// first finds the first set that works, among the sets that add this many things to a set, from thing i on.
func (s *search) first(set uint64, i, more int) (uint64, bool) {
	if more == 0 {
		return set, s.works(set)
	}
	for ; i <= s.n-more && !s.over(); i++ {
		if found, ok := s.first(set|1<<i, i+1, more-1); ok {
			return found, true
		}
	}
	return 0, false
}

// reduced starts with all things and removes one after the other, from the last, if the rest still works.
func (s *search) reduced() uint64 {
	set := uint64(1)<<s.n - 1
	for i := s.n - 1; i >= 0; i-- {
		if rest := set &^ (1 << i); s.works(rest) {
			set = rest
		}
	}
	return set
}
