package events

import (
	"bytes"
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/oklog/ulid/v2"
)

// record is an event as it is stored; see FORMAT.md.
type record struct {
	ID    ulidBytes       `cbor:"1,keyasint"`
	Key   Key             `cbor:"2,keyasint"`
	Time  int64           `cbor:"3,keyasint"` // Unix milliseconds
	Actor string          `cbor:"4,keyasint"`
	Cause []byte          `cbor:"5,keyasint,omitempty"`
	Kind  string          `cbor:"6,keyasint"`
	Body  cbor.RawMessage `cbor:"7,keyasint"`
}

type ulidBytes = [16]byte

var (
	encoder = must(cbor.CoreDetEncOptions().EncMode())
	decoder = must(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   16,
		MaxArrayElements:  MaxRecord,
		MaxMapPairs:       MaxRecord,
	}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options above are constants
	}
	return v
}

// bodies says how each kind is read. An old kind stays here for ever and is read into today's
// body: its decoder is then a pure function from the old schema to the next one.
var bodies = map[string]func([]byte) (Body, error){
	"generated/1":  as[Generated],
	"imported/1":   as[Imported],
	"rated/1":      as[Rated],
	"published/1":  as[Published],
	"withdrawn/1":  as[Withdrawn],
	"calibrated/1": as[Calibrated],
	"policy/1":     as[Policy],
}

func as[B Body](data []byte) (Body, error) {
	var b B
	err := decoder.Unmarshal(data, &b)
	return b, err
}

// Encode gives the bytes to store for an event: e.Raw when it was read from a log, so that a copy is
// exact, else its deterministic encoding. What cannot be read back is refused.
func Encode(e Event) ([]byte, error) {
	if len(e.Raw) > 0 {
		return e.Raw, nil
	}
	if e.Body == nil {
		return nil, errNoBody
	}
	if err := e.Key.Check(); err != nil {
		return nil, err
	}
	body, err := encodeBody(e.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Key, err)
	}
	r := record{ID: e.ID, Key: e.Key, Time: e.Time.UnixMilli(), Actor: e.Actor, Kind: e.Body.Kind(), Body: body}
	if e.Cause != (ulid.ULID{}) {
		r.Cause = e.Cause[:]
	}
	return encoder.Marshal(r)
}

func encodeBody(b Body) ([]byte, error) {
	if u, ok := b.(Unknown); ok {
		return u.Data, nil
	}
	return encoder.Marshal(b)
}

// Decode reads a stored record. A body of an unknown kind is read as Unknown.
func Decode(raw []byte) (Event, error) {
	var r record
	if err := decoder.Unmarshal(raw, &r); err != nil {
		return Event{}, fmt.Errorf("record: %w", err)
	}
	e := Event{ID: r.ID, Key: r.Key, Time: time.UnixMilli(r.Time).UTC(), Actor: r.Actor, Raw: raw}
	if err := r.Key.Check(); err != nil {
		return Event{}, fmt.Errorf("record: %w", err)
	}
	if len(r.Cause) != 0 && copy(e.Cause[:], r.Cause) != len(r.Cause) {
		return Event{}, fmt.Errorf("record %s: cause of %d bytes", r.Key, len(r.Cause))
	}
	var err error
	if e.Body, err = decodeBody(r.Kind, r.Body); err != nil {
		return Event{}, fmt.Errorf("record %s: %s: %w", r.Key, r.Kind, err)
	}
	return e, nil
}

func decodeBody(kind string, data []byte) (Body, error) {
	read, ok := bodies[kind]
	if !ok {
		return Unknown{Name: kind, Data: bytes.Clone(data)}, nil
	}
	return read(data)
}

// SameContent tells whether two stored records say the same fact: same key, same kind and same body
// bytes, whoever recorded it and when.
func SameContent(a, b []byte) (bool, error) {
	var x, y record
	if err := decoder.Unmarshal(a, &x); err != nil {
		return false, fmt.Errorf("record: %w", err)
	}
	if err := decoder.Unmarshal(b, &y); err != nil {
		return false, fmt.Errorf("record: %w", err)
	}
	return x.Key == y.Key && x.Kind == y.Kind && bytes.Equal(x.Body, y.Body), nil
}
