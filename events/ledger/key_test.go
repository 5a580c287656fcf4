package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"assay/events/durable"
)

func listText(t *testing.T, l *Ledger) []byte {
	data, err := os.ReadFile(filepath.Join(l.o.Dir, "checkpoints"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whoever knows any key of the past can follow the rotations to the newest; the newest alone checks only
// what it signed; a key of another ledger leads nowhere.
func TestKeyRotation(t *testing.T) {
	l := newLedger(t)
	var keys []string
	for range 3 {
		mustSeal(t, l, []byte("a"))
		keys = append(keys, l.VerifierKey())
		if err := l.Rotate(); err != nil {
			t.Fatal(err)
		}
		if l = reopen(t, l); l.VerifierKey() == keys[len(keys)-1] {
			t.Fatal("the key is the same")
		}
	}
	mustSeal(t, l, []byte("b"))
	l = reopen(t, l)
	newest := l.Checkpoint()
	for _, k := range keys {
		trusted, err := vouchedFor(k, listText(t, l))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := ParseCheckpoint(newest.Note, trusted); err != nil || c.Root != newest.Root {
			t.Errorf("from %s: %v", k, err)
		}
	}
	if _, err := ParseCheckpoint(l.list.notes[0], trust(t, l)); err == nil {
		t.Error("the newest key checked what an older one signed")
	}
	trusted, err := vouchedFor(newLedger(t).VerifierKey(), listText(t, l))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseCheckpoint(newest.Note, trusted); err == nil {
		t.Error("a stranger's key checked it")
	}
}

// An old key that rotates to a key of its own after it was replaced convinces nobody of the ledger's list.
func TestReplacedKeyCannotSign(t *testing.T) {
	l := newLedger(t)
	old := l.key
	if err := l.Rotate(); err != nil {
		t.Fatal(err)
	}
	c, err := old.checkpoint(1, naiveRoot([][]byte{[]byte("forged")}), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.list.append(c.Note, false); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: l.o.Dir}); err == nil {
		t.Fatal("a checkpoint of the replaced key was taken")
	}
}

// A rotation that was interrupted at any moment is finished, or has not happened.
func TestInterruptedRotation(t *testing.T) {
	for name, c := range map[string]struct {
		statement, renamed, rotated bool
	}{
		"before the statement": {false, false, false},
		"after the statement":  {true, false, true},
		"after the key":        {true, true, true},
	} {
		l := newLedger(t)
		mustSeal(t, l, []byte("a"))
		before, path := l.VerifierKey(), l.o.keyFile()
		next, err := makeKey(path+".new", l.key.signer.Name())
		if err != nil {
			t.Fatal(err)
		}
		if c.statement {
			statement, err := rotation(l.key, next)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.list.append(statement, true); err != nil {
				t.Fatal(err)
			}
		}
		if c.renamed {
			if err := durable.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		}
		l = reopen(t, l)
		if rotated := l.VerifierKey() == next.public; rotated != c.rotated || !rotated && l.VerifierKey() != before {
			t.Errorf("%s: rotated %v", name, rotated)
		}
		mustSeal(t, l, []byte("b"))
		if err := l.Rotate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		reopen(t, l)
	}
}

func TestBadRotations(t *testing.T) {
	l, stranger := newLedger(t), newLedger(t)
	a := l.key
	if err := l.Rotate(); err != nil {
		t.Fatal(err)
	}
	b := l.key
	good, err := rotation(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := checkRotation(good); err != nil {
		t.Fatal(err)
	}
	sign := func(from, to string, keys ...note.Signer) string {
		text, err := note.Sign(&note.Note{Text: strings.Join([]string{a.signer.Name(), rotationLine, from, to, ""}, "\n")}, keys...)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, bad := range map[string]string{
		"only by the old":   sign(a.public, b.public, a.signer),
		"only by the new":   sign(a.public, b.public, b.signer),
		"twice by the old":  sign(a.public, b.public, a.signer, a.signer),
		"to another origin": sign(a.public, stranger.key.public, a.signer, stranger.key.signer),
		"to no key":         sign(a.public, "x", a.signer, b.signer),
		"changed":           strings.Replace(string(good), b.public, a.public, 1),
	} {
		if _, _, err := checkRotation([]byte(bad)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// vouchedFor returns the keys that a verifier key vouches for: itself, and those that follow it by the key
// rotations in a text that holds notes as the file of checkpoints does.
func vouchedFor(verifierKey string, notes []byte) (note.Verifiers, error) {
	first, err := note.NewVerifier(verifierKey)
	if err != nil {
		return nil, err
	}
	chain, last := []note.Verifier{first}, verifierKey
	texts, _ := splitNotes(notes)
	for _, text := range texts {
		from, to, ok := parseRotation(text)
		if !ok || from != last {
			continue
		}
		_, next, err := checkRotation(text)
		if err != nil {
			return nil, err
		}
		chain, last = append(chain, next), to
	}
	return note.VerifierList(chain...), nil
}
