package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"assay/events/logtest"
)

// Renew continues a ledger whose key was lost, with a new key and over the same tree. It accepts no other tree.
func TestRenew(t *testing.T) {
	log, old := vouched(t, 23)
	if err := old.Rotate(); err != nil {
		t.Fatal(err)
	}
	notes, public := listText(t, old), old.VerifierKey()
	shorter, _ := vouched(t, 22)
	other := logtest.NewMemory()
	if _, err := other.Append(t.Context(), logtest.Fact("b", "text", 1)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		log   *logtest.Memory
		notes []byte
		key   string
		fine  bool
	}{
		"the log":          {log, notes, public, true},
		"a shorter log":    {shorter, notes, public, false},
		"another log":      {other, notes, public, false},
		"another key":      {log, notes, newLedger(t).VerifierKey(), false},
		"no key":           {log, notes, "", false},
		"notes cut off":    {log, notes[:len(notes)-2], public, false},
		"notes with a gap": {log, bytes.Replace(notes, []byte("\n20\n"), []byte("\n21\n"), 1), public, false},
		"no notes":         {log, nil, public, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Dir: t.TempDir()}
			err := Renew(t.Context(), o, c.log, c.notes, c.key)
			if (err == nil) != c.fine {
				t.Fatalf("error %v", err)
			}
			if !c.fine {
				if _, err := os.Stat(filepath.Join(o.Dir, "checkpoints")); !os.IsNotExist(err) {
					t.Errorf("checkpoints all the same: %v", err)
				}
				return
			}
			l := mustOpen(t, o)
			report, err := l.Verify(t.Context(), log, nil)
			if err != nil || len(report.Problems) > 0 || report.Events != 23 || report.Checkpoint.Root != old.Checkpoint().Root {
				t.Errorf("%+v, %v", report, err)
			}
			if l.VerifierKey() == public || report.Checkpoint.Origin == old.Checkpoint().Origin {
				t.Error("the key or the origin is the old one")
			}
		})
	}
}

// A checkpoint of long ago is read with the newest public key and the rotations since: all of them, in order, and
// no other.
func TestParseOlder(t *testing.T) {
	l := newLedger(t)
	mustSeal(t, l, []byte("a"))
	var texts [][]byte
	for range 3 {
		texts = append(texts, l.Checkpoint().Note)
		if err := l.Rotate(); err != nil {
			t.Fatal(err)
		}
	}
	texts = append(texts, l.Checkpoint().Note)
	rotations := l.Rotations()
	if len(rotations) != 3 {
		t.Fatalf("%d rotations", len(rotations))
	}
	for i, text := range texts {
		for from := range len(rotations) + 1 {
			_, err := ParseOlder(text, l.VerifierKey(), rotations[from:])
			if (err == nil) != (from == i) {
				t.Errorf("checkpoint %d with the rotations from %d: %v", i, from, err)
			}
		}
	}
	for name, wrong := range map[string][][]byte{
		"a gap":     {rotations[0], rotations[2]},
		"no order":  {rotations[1], rotations[0], rotations[2]},
		"one twice": {rotations[0], rotations[1], rotations[2], rotations[2]},
		"changed":   {rotations[0], rotations[1], bytes.Replace(rotations[2], []byte("— "), []byte("—  "), 1)},
		"no note":   {rotations[0], rotations[1], nil},
	} {
		if _, err := ParseOlder(texts[0], l.VerifierKey(), wrong); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}
