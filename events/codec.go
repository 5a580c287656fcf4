package events

import (
	"bytes"
	"errors"
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
	encoder = must(encOptions().EncMode())
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

// encOptions are RFC 8949 core deterministic encoding. A nil list is written as an empty one: both mean the same, and
// one content must have one encoding.
func encOptions() cbor.EncOptions {
	o := cbor.CoreDetEncOptions()
	o.NilContainers = cbor.NilContainerAsEmpty
	return o
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options above are constants
	}
	return v
}

// bodies says how each kind is read. An old kind stays here for ever and is read into today's body: its schema then has
// the old struct and a pure function from it to the next one.
var bodies = map[string]schema{
	"generated/1":  as[Generated](),
	"generated/2":  as[Generated](),
	"imported/1":   as[Imported](),
	"imported/2":   as[Imported](),
	"provenance/1": as[Provenance](),
	"rated/1":      as[Rated](),
	"published/1":  as[Published](),
	"published/2":  as[Published](),
	"withdrawn/1":  as[Withdrawn](),
	"withdrawn/2":  as[Withdrawn](),
	"dropped/1":    as[Dropped](),
	"restored/1":   as[Restored](),
	"calibrated/1": as[Calibrated](),
	"policy/1":     as[Policy](),
	"policy/2":     as[Policy](),
	"filled/1":     as[Filled](),
	"adopted/1":    as[Adopted](),
	"profile/1":    as[Profile](),
	"recovered/1":  as[Recovered](),
}

// schema reads the bodies of one kind. It checks that a body is in its one deterministic encoding, and that no older
// version of the kind could express it.
type schema struct {
	read  func(data []byte) (Body, error)
	check func(kind string, data []byte) error
}

func as[B Body]() schema {
	read := func(data []byte) (Body, error) {
		var b B
		err := decoder.Unmarshal(data, &b)
		return b, err
	}
	return schema{read: read, check: func(kind string, data []byte) error {
		b, err := read(data)
		if err != nil {
			return err
		}
		if b.Kind() != kind {
			return fmt.Errorf("its body is %s", b.Kind())
		}
		return checkEncoding(b, data)
	}}
}

// checkEncoding returns an error unless data is the one encoding of v.
func checkEncoding(v any, data []byte) error {
	again, err := encoder.Marshal(v)
	if err == nil && !bytes.Equal(again, data) {
		err = errors.New("not in deterministic encoding")
	}
	return err
}

// Encode returns the bytes to store for an event. If e.Raw is set, these are a copy of it, so that a record read from a
// log is copied exactly; else they are the deterministic encoding of the event. Encode refuses what Decode would
// refuse, a Raw of another key or not in deterministic encoding, a body under a key of another kind of fact, a body
// that was read as Unknown, and free text over its limit. It refuses a text that package plain refuses, but not in a
// Raw, because a log is copied as it is. A record over MaxRecord bytes is ErrTooLarge.
func Encode(e Event) ([]byte, error) {
	encode := encodeNew
	if len(e.Raw) > 0 {
		encode = encodeStored
	}
	raw, err := encode(e)
	if err == nil && len(raw) > MaxRecord {
		err = fmt.Errorf("%d bytes, over %d: %w", len(raw), MaxRecord, ErrTooLarge)
	}
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.Key, err)
	}
	return raw, nil
}

func encodeStored(e Event) ([]byte, error) {
	if len(e.Raw) > MaxRecord {
		return e.Raw, nil // Encode reports what is wrong with it
	}
	r, err := decodeRecord(e.Raw)
	if err != nil {
		return nil, err
	}
	if r.Key != e.Key {
		return nil, fmt.Errorf("its stored record is %s", r.Key)
	}
	if known, ok := bodies[r.Kind]; ok {
		if err := known.check(r.Kind, r.Body); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Kind, err)
		}
	}
	return bytes.Clone(e.Raw), checkEncoding(r, e.Raw)
}

func encodeNew(e Event) ([]byte, error) {
	if err := checkBody(e.Key, e.Body); err != nil {
		return nil, err
	}
	body, err := encoder.Marshal(e.Body)
	if err != nil {
		return nil, err
	}
	if err := checkTexts(e.Body, body); err != nil {
		return nil, err
	}
	if err := CheckActor(e.Actor); err != nil {
		return nil, err
	}
	r := record{ID: e.ID, Key: e.Key, Time: e.Time.UnixMilli(), Actor: e.Actor, Kind: e.Body.Kind(), Body: body}
	if e.Cause != (ulid.ULID{}) {
		r.Cause = e.Cause[:]
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return encoder.Marshal(r)
}

// EncodeBatch returns the bytes to store for each event of an Append. It returns ErrTooLarge when the batch is over a
// limit or names a key twice.
func EncodeBatch(batch []Event) ([][]byte, error) {
	if len(batch) == 0 || len(batch) > MaxBatch {
		return nil, fmt.Errorf("%d events, not 1 to %d: %w", len(batch), MaxBatch, ErrTooLarge)
	}
	raws, named, size := make([][]byte, len(batch)), make(map[Key]bool, len(batch)), 0
	for i, e := range batch {
		if named[e.Key] {
			return nil, fmt.Errorf("event %s is twice in it: %w", e.Key, ErrTooLarge)
		}
		named[e.Key] = true
		raw, err := Encode(e)
		if err != nil {
			return nil, err
		}
		if size += len(raw); size > MaxBatchBytes {
			return nil, fmt.Errorf("more than %d bytes: %w", MaxBatchBytes, ErrTooLarge)
		}
		raws[i] = raw
	}
	return raws, nil
}

// Decode reads a stored record. The event's Seq stays zero and its Raw is raw itself. A body of an unknown kind is read
// as Unknown. Decode does not check that a record is in deterministic encoding: Encode has checked that when it was
// recorded.
func Decode(raw []byte) (Event, error) {
	r, err := decodeRecord(raw)
	if err != nil {
		return Event{}, fmt.Errorf("record: %w", err)
	}
	e := Event{ID: r.ID, Key: r.Key, Time: time.UnixMilli(r.Time).UTC(), Actor: r.Actor, Raw: raw}
	copy(e.Cause[:], r.Cause)
	if e.Body, err = decodeBody(r.Kind, r.Body); err != nil {
		return Event{}, fmt.Errorf("record %s: %s: %w", r.Key, r.Kind, err)
	}
	return e, nil
}

func decodeRecord(raw []byte) (record, error) {
	var r record
	if len(raw) > MaxRecord {
		return r, fmt.Errorf("%d bytes is over %d", len(raw), MaxRecord)
	}
	if err := decoder.Unmarshal(raw, &r); err != nil {
		return r, err
	}
	return r, r.check()
}

func decodeBody(kind string, data []byte) (Body, error) {
	if known, ok := bodies[kind]; ok {
		return known.read(data)
	}
	return Unknown{Name: kind, Data: data}, nil
}

// SameBody reports whether two bodies have the same kind and the same encoding.
func SameBody(a, b Body) bool {
	x, err := encoder.Marshal(a)
	y, err2 := encoder.Marshal(b)
	return a.Kind() == b.Kind() && err == nil && err2 == nil && bytes.Equal(x, y)
}

// SameContent reports whether two stored records state the same fact: same key, same kind and same body bytes. It does
// not compare who recorded the fact and when.
func SameContent(a, b []byte) (bool, error) {
	x, err := decodeRecord(a)
	if err != nil {
		return false, fmt.Errorf("record: %w", err)
	}
	y, err := decodeRecord(b)
	if err != nil {
		return false, fmt.Errorf("record: %w", err)
	}
	return x.Key == y.Key && x.Kind == y.Kind && bytes.Equal(x.Body, y.Body), nil
}
