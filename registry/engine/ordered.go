package engine

import (
	"encoding/json"
	"strconv"
)

// MarshalJSON writes {"naked-single":{"uses":41,"removed":0,"placed":41}}.
func (t Techniques) MarshalJSON() ([]byte, error) {
	return ordered(len(t), func(b []byte, i int) []byte {
		b = append(appendName(b, t[i].Name), `{"uses":`...)
		b = append(strconv.AppendInt(b, int64(t[i].Uses), 10), `,"removed":`...)
		b = append(strconv.AppendInt(b, int64(t[i].Removed), 10), `,"placed":`...)
		return append(strconv.AppendInt(b, int64(t[i].Placed), 10), '}')
	}), nil
}

// MarshalJSON writes {"branching":9,"near_misses":24}.
func (t Terms) MarshalJSON() ([]byte, error) { return t.json(), nil }

func (t Terms) json() []byte {
	return ordered(len(t), func(b []byte, i int) []byte {
		return strconv.AppendInt(appendName(b, t[i].Name), int64(t[i].Value), 10)
	})
}

// ordered writes a JSON object with n members in their order.
func ordered(n int, member func(b []byte, i int) []byte) []byte {
	b := []byte{'{'}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = member(b, i)
	}
	return append(b, '}')
}

// appendName appends the name of a member. An old record may have any text there.
func appendName(b []byte, name string) []byte {
	text, _ := json.Marshal(name) // a string can always be encoded
	return append(append(b, text...), ':')
}
