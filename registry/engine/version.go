package engine

import "strconv"

// Version is the version of a rater: "1", or "1+<profile digest>".
type Version string

// MarshalJSON writes a number where it is one.
func (v Version) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

func (v Version) appendJSON(b []byte) []byte {
	if n, err := strconv.Atoi(string(v)); err == nil {
		return strconv.AppendInt(b, int64(n), 10)
	}
	return appendString(b, string(v))
}
