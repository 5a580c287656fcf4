package events

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"assay/events/plain"
)

// FreeText is the longest free text (a reason, a source) in bytes.
const FreeText = 2000

// lastMilli is 9999-12-31T23:59:59.999Z, the last millisecond that RFC 3339 can write.
const lastMilli = 253402300799999

// CheckText returns an error if a free text must not be recorded.
func CheckText(name, text string) error {
	if len(text) > FreeText {
		return fmt.Errorf("%s of %d bytes is longer than %d", name, len(text), FreeText)
	}
	return named(name, plain.Check(text))
}

// named adds to an error which text it is about.
func named(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// CheckActor returns an error if an actor must not be recorded.
func CheckActor(actor string) error {
	if err := checkActorLength(actor); err != nil {
		return err
	}
	return named("actor", plain.Check(actor))
}

// checkActorLength checks only the length of an actor. It is for reading, because older records may have other
// characters.
func checkActorLength(actor string) error {
	if actor == "" || len(actor) > MaxActor {
		return fmt.Errorf("actor of %d bytes, not 1 to %d", len(actor), MaxActor)
	}
	return nil
}

// checkKind requires a name of [a-z-] and a version from 1: "generated/1".
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

// check returns an error if a record must not be stored or read. The encoding and the body are checked elsewhere.
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
	if err := checkActorLength(r.Actor); err != nil {
		return fmt.Errorf("%s: %w", r.Key, err)
	}
	return checkKind(r.Kind)
}

// checkBody returns an error if a body must not be written under a key. Its other texts are checked by checkTexts.
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

// checkTexts returns an error if a text of an encoded body, or of its steps, must not be recorded. Only the texts of
// puzzles and profiles may have several lines.
func checkTexts(body Body, data []byte) error {
	check := func(text string) error {
		err := plain.Check(text)
		if b, ok := body.(interface{ lines() []string }); ok && err != nil && slices.Contains(b.lines(), text) {
			err = plain.CheckLines(text)
		}
		if err != nil {
			return fmt.Errorf("%.40q: %w", text, err)
		}
		return nil
	}
	if err := eachText(data, check); err != nil {
		return err
	}
	if b, ok := body.(Rated); ok {
		return named("steps", eachText(b.Steps, check))
	}
	return nil
}

// eachText looks at every text string in what an encoder wrote, up to where it is no CBOR. All lengths being definite,
// the items can be walked without minding how they nest.
func eachText(data []byte, check func(string) error) error {
	for len(data) > 0 {
		major, n, head := data[0]>>5, uint64(data[0]&31), 1
		if n > 27 {
			return nil
		}
		if n >= 24 {
			if head += 1 << (n - 24); head > len(data) {
				return nil
			}
			n = 0
			for _, b := range data[1:head] {
				n = n<<8 | uint64(b)
			}
		}
		data = data[head:]
		if major != 2 && major != 3 { // neither bytes nor text
			continue
		}
		if n > uint64(len(data)) {
			return nil
		}
		if major == 3 && !plain.IsPrintable(data[:n]) { // as most are
			if err := check(string(data[:n])); err != nil {
				return err
			}
		}
		data = data[n:]
	}
	return nil
}

// lines returns the texts of a body that may have several lines.
func (g Generated) lines() []string { return []string{g.Text, g.Solution} }
func (i Imported) lines() []string  { return []string{i.Text, i.Solution} }
func (p Profile) lines() []string   { return []string{p.Text} }

func (a Adopted) check() error { return CheckText("reason", a.Reason) }
func (i Imported) check() error {
	return errors.Join(CheckText("source", i.Source), CheckText("reason", i.Reason))
}
func (p Provenance) check() error {
	return errors.Join(CheckText("file", p.File), CheckText("name", p.Name), CheckText("author", p.Author), CheckText("source", p.Source), CheckText("rating", p.Rating))
}
func (w Withdrawn) check() error { return CheckText("reason", w.Reason) }
func (d Dropped) check() error   { return CheckText("reason", d.Reason) }
func (r Restored) check() error  { return CheckText("reason", r.Reason) }

func (p Policy) check() error {
	for _, n := range p.Names {
		if err := CheckText("name of label "+n.Label, n.Name); err != nil {
			return err
		}
	}
	return CheckText("reason", p.Reason)
}

func (p Published) check() error {
	if err := p.Rating.Check(); err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	return CheckText("reason", p.Reason)
}
