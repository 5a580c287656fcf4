package ledger

import (
	"bytes"
	"testing"

	"assay/events"
)

// Whatever is posted, a ledger that verifies takes nothing but what the signing one has signed.
func FuzzPosted(f *testing.F) {
	l, err := Open(Options{Dir: f.TempDir(), New: true})
	if err != nil {
		f.Fatal(err)
	}
	defer l.Close()
	first, signed := l.VerifierKey(), map[string]bool{}
	for n := range 4 {
		if err := vouch(l, [][]byte{{byte(n)}}); err != nil {
			f.Fatal(err)
		}
		for range 2 {
			signed[string(l.Checkpoint().Note)] = true
			f.Add(l.posting())
			if err := l.Rotate(); err != nil {
				f.Fatal(err)
			}
		}
	}
	key, err := trustedKey(first, nil)
	if err != nil {
		f.Fatal(err)
	}
	verifier := &Ledger{o: Options{PublicKey: first}, list: &list{}, key: key}
	f.Fuzz(func(t *testing.T, posted []byte) {
		_, c, rotations, err := verifier.readPosted(posted)
		if err == nil && (!signed[string(c.Note)] || c.Size < 1 || c.Size > events.Seq(4)) {
			t.Errorf("took %q", c.Note)
		}
		if err == nil && !bytes.HasSuffix(posted, append(bytes.Clone(c.Note), '\n')) || len(rotations) > 8 {
			t.Errorf("%d rotations and %q of %q", len(rotations), c.Note, posted)
		}
	})
}
