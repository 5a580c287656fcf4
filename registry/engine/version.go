package engine

import (
	"encoding/json"
	"strconv"
)

// Version is the version of a rater: "1", or "1+<profile digest>".
type Version string

// MarshalJSON writes a number where it is one.
func (v Version) MarshalJSON() ([]byte, error) {
	if n, err := strconv.Atoi(string(v)); err == nil {
		return json.Marshal(n)
	}
	return json.Marshal(string(v))
}
