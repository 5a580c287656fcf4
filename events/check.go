package events

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"
)

// FreeText is the longest free text (a reason, a source) in bytes.
const FreeText = 2000

// lastMilli is 9999-12-31T23:59:59.999Z, the last millisecond that RFC 3339 can write.
const lastMilli = 253402300799999

// CheckText tells what makes a free text unfit to be recorded, or nil.
func CheckText(name, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not valid UTF-8", name)
	}
	if len(text) > FreeText {
		return fmt.Errorf("%s of %d bytes is longer than %d", name, len(text), FreeText)
	}
	return nil
}

// CheckActor tells what makes an actor unfit to be recorded, or nil.
func CheckActor(actor string) error {
	switch {
	case actor == "" || len(actor) > MaxActor:
		return fmt.Errorf("actor of %d bytes, not 1 to %d", len(actor), MaxActor)
	case !utf8.ValidString(actor):
		return errors.New("actor is not valid UTF-8")
	case strings.ContainsFunc(actor, unicode.IsControl):
		return fmt.Errorf("actor %q has a control character", actor)
	}
	return nil
}

// checkKind wants a name of [a-z-] and a version from 1: "generated/1".
func checkKind(kind string) error {
	name, version, _ := strings.Cut(kind, "/")
	notIn := func(set string) func(rune) bool {
		return func(r rune) bool { return !strings.ContainsRune(set, r) }
	}
	if name == "" || version == "" || version[0] == '0' || len(kind) > MaxKey ||
		strings.ContainsFunc(name, notIn("abcdefghijklmnopqrstuvwxyz-")) || strings.ContainsFunc(version, notIn("0123456789")) {
		return fmt.Errorf("kind %q is not a name and a version like generated/1", kind)
	}
	return nil
}

// check tells what makes a record unfit to be stored or read, beside its encoding and its body.
func (r record) check() error {
	if err := r.Key.Check(); err != nil {
		return err
	}
	switch {
	case r.ID == ulidBytes{}:
		return fmt.Errorf("%s has no ID", r.Key)
	case r.Time < 0 || r.Time > lastMilli:
		return fmt.Errorf("%s has its time outside 1970 to 9999", r.Key)
	case len(r.Cause) != 0 && (len(r.Cause) != len(ulid.ULID{}) || ulid.ULID(r.Cause) == ulid.ULID{}):
		return fmt.Errorf("%s has a cause that is no event ID", r.Key)
	}
	if err := CheckActor(r.Actor); err != nil {
		return fmt.Errorf("%s: %w", r.Key, err)
	}
	return checkKind(r.Kind)
}

// checkBody tells what makes a body unfit to be written under a key, or nil; for its other texts see
// validTexts.
func checkBody(key Key, body Body) error {
	switch b := body.(type) {
	case nil:
		return errors.New("no body")
	case Unknown:
		return fmt.Errorf("kind %s can be copied but not written by this program", b.Name)
	case interface{ check() error }:
		if err := b.check(); err != nil {
			return err
		}
	}
	fact, _, _ := strings.Cut(body.Kind(), "/")
	if !strings.HasPrefix(string(key), fact+"/") {
		return fmt.Errorf("a body of kind %s", body.Kind())
	}
	return nil
}

// validTexts tells whether every text string in what the encoder wrote is valid UTF-8, which the encoder
// does not look at. All lengths being definite, the items can be walked without minding how they nest.
func validTexts(data []byte) bool {
	for len(data) > 0 {
		major, n, head := data[0]>>5, uint64(data[0]&31), 1
		if n >= 24 {
			head += 1 << (n - 24)
			n = 0
			for _, b := range data[1:head] {
				n = n<<8 | uint64(b)
			}
		}
		data = data[head:]
		if major != 2 && major != 3 { // neither bytes nor text
			continue
		}
		if major == 3 && !utf8.Valid(data[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

func (a Adopted) check() error   { return CheckText("reason", a.Reason) }
func (i Imported) check() error  { return CheckText("source", i.Source) }
func (w Withdrawn) check() error { return CheckText("reason", w.Reason) }
func (p Policy) check() error    { return CheckText("reason", p.Reason) }

func (p Published) check() error {
	if err := p.Rating.Check(); err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	return CheckText("reason", p.Reason)
}
