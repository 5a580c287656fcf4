package ledger

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"testing"

	"assay/events"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"
)

func TestProofs(t *testing.T) {
	l := newLedger(t)
	records := recordsUpTo(130)
	var olds []Checkpoint
	for i := 0; i < len(records); i += 13 {
		mustSeal(t, l, records[i:i+13]...)
		olds = append(olds, l.Checkpoint())
	}
	trusted := trust(t, l)
	for i, r := range records {
		proof, err := l.Prove(events.Seq(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		seq, c, err := CheckProof(proof, r, trusted)
		if err != nil || seq != events.Seq(i+1) || c.Size != 130 {
			t.Fatalf("record %d: at %d under %d, %v", i+1, seq, c.Size, err)
		}
		if _, _, err := CheckProof(proof, records[(i+1)%130], trusted); err == nil {
			t.Fatalf("the proof of record %d shows another", i+1)
		}
	}
	for _, old := range olds {
		proof, err := l.ProveGrowth(old.Size)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := CheckGrowth(proof, old, trusted); err != nil || c.Root != l.Checkpoint().Root {
			t.Fatalf("from %d: %v", old.Size, err)
		}
		old.Root[3] ^= 1
		if _, err := CheckGrowth(proof, old, trusted); err == nil {
			t.Fatalf("from another tree of %d: checked", old.Size)
		}
	}
	for _, seq := range []events.Seq{0, 131, 1 << 63} {
		if _, err := l.Prove(seq); err == nil {
			t.Errorf("event %d was proven", seq)
		}
		if _, err := l.ProveGrowth(seq); err == nil && seq > 0 {
			t.Errorf("growth from %d was proven", seq)
		}
	}
}

// The log has grown from the empty one, whose checkpoint is as signed as any.
func TestGrowthFromNothing(t *testing.T) {
	l := newLedger(t)
	empty := l.Checkpoint()
	for _, records := range [][][]byte{nil, recordsUpTo(5)} {
		if len(records) > 0 {
			mustSeal(t, l, records...)
		}
		proof, err := l.ProveGrowth(0)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := CheckGrowth(proof, empty, trust(t, l)); err != nil || c.Root != l.Checkpoint().Root {
			t.Errorf("%+v, %v", c, err)
		}
		other := empty
		other.Root[3] ^= 1
		if _, err := CheckGrowth(proof, other, trust(t, l)); err == nil {
			t.Error("from another root of no events: checked")
		}
		more := bytes.Replace(proof, []byte("old 0\n"), []byte("old 0\n"+empty.Root.String()+"\n"), 1)
		if _, err := CheckGrowth(more, empty, trust(t, l)); err == nil {
			t.Error("with a hash too many: checked")
		}
	}
}

// cosigned adds the signature of a witness to a checkpoint.
func cosigned(t testing.TB, checkpoint []byte, trusted note.Verifiers) []byte {
	t.Helper()
	secret, _, err := note.GenerateKey(rand.Reader, "witness.example")
	if err != nil {
		t.Fatal(err)
	}
	witness, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(checkpoint, trusted)
	if err != nil {
		t.Fatal(err)
	}
	text, err := note.Sign(n, witness)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The signatures of others on a checkpoint say nothing, and stand in no way. The log's own has to be there.
func TestACosignedCheckpoint(t *testing.T) {
	l := newLedger(t)
	mustSeal(t, l, recordsUpTo(5)...)
	own := l.Checkpoint()
	text := cosigned(t, cosigned(t, own.Note, trust(t, l)), trust(t, l))
	if c, err := ParseCheckpoint(text, trust(t, l)); err != nil || c.Root != own.Root || c.Size != 5 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := ParseCheckpoint(text, trust(t, newLedger(t))); err == nil {
		t.Error("without a signature of the log's: read")
	}
	spoilt := bytes.Replace(text, []byte("\n5\n"), []byte("\n4\n"), 1)
	if _, err := ParseCheckpoint(spoilt, trust(t, l)); err == nil {
		t.Error("with another number of events: read")
	}
}

// The tree hashes are looked at before a proof is given away.
func TestProofOfDamagedTree(t *testing.T) {
	l := newLedger(t)
	mustSeal(t, l, recordsUpTo(8)...)
	if err := l.hashes.write(2, make([]byte, 32), false); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Prove(4); err == nil {
		t.Fatal("a proof was made from a wrong hash")
	}
}

type proven struct {
	proof, growth, record []byte
	old                   Checkpoint
	trusted               note.Verifiers
}

func aProof(t testing.TB) proven {
	l := newLedger(t)
	records := recordsUpTo(23)
	mustSeal(t, l, records[:9]...)
	old := l.Checkpoint()
	mustSeal(t, l, records[9:]...)
	proof, err := l.Prove(12)
	if err != nil {
		t.Fatal(err)
	}
	growth, err := l.ProveGrowth(9)
	if err != nil {
		t.Fatal(err)
	}
	return proven{proof, growth, records[11], old, trust(t, l)}
}

func (p proven) checks(t interface{ Fatalf(string, ...any) }, proof []byte) bool {
	seq, _, err := CheckProof(proof, p.record, p.trusted)
	if err == nil && seq != 12 {
		t.Fatalf("checked at %d: %q", seq, proof)
	}
	return err == nil
}

func (p proven) grew(growth []byte) bool {
	_, err := CheckGrowth(growth, p.old, p.trusted)
	return err == nil
}

// A proof with one byte changed, left out or put in never checks, whatever the byte: also where base64 and
// numbers have several forms for one value.
func TestChangedProofNeverChecks(t *testing.T) {
	p := aProof(t)
	for what, c := range map[string]struct {
		text   []byte
		checks func([]byte) bool
	}{
		"proof":  {p.proof, func(b []byte) bool { return p.checks(t, b) }},
		"growth": {p.growth, p.grew},
	} {
		if !c.checks(c.text) {
			t.Fatalf("the %s itself does not check", what)
		}
		for i := range c.text {
			for _, b := range []byte{c.text[i] ^ 1, c.text[i] ^ 2, c.text[i] ^ 32, c.text[i] + 1, c.text[i] - 1, 0, '\n', '\r', ' ', '=', 'A'} {
				changed := bytes.Clone(c.text)
				if changed[i] = b; b != c.text[i] && c.checks(changed) {
					t.Errorf("%s checks with byte %d changed from %q to %q", what, i, c.text[i], b)
				}
				if more := append(append(bytes.Clone(c.text[:i]), b), c.text[i:]...); c.checks(more) {
					t.Errorf("%s checks with %q put in at %d", what, b, i)
				}
			}
			if less := append(bytes.Clone(c.text[:i]), c.text[i+1:]...); c.checks(less) {
				t.Errorf("%s checks without byte %d", what, i)
			}
			if c.checks(c.text[:i]) {
				t.Errorf("the first %d bytes of the %s check", i, what)
			}
		}
	}
}

func FuzzProof(f *testing.F) {
	p := aProof(f)
	f.Add(p.proof)
	f.Add(p.growth)
	f.Add([]byte(proofLine + "\nindex 1\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p.checks(t, text) && !bytes.Equal(text, p.proof) {
			t.Fatalf("another proof checks: %q", text)
		}
		if p.grew(text) && !bytes.Equal(text, p.growth) {
			t.Fatalf("another growth checks: %q", text)
		}
	})
}

// Whatever bytes a list of notes has, it is cut into notes and an unfinished rest, and only what was signed
// is taken.
func FuzzNotes(f *testing.F) {
	l := newLedger(f)
	mustSeal(f, l, []byte("a"))
	if err := l.Rotate(); err != nil {
		f.Fatal(err)
	}
	known := map[string]bool{}
	var all []byte
	for _, text := range l.list.notes {
		known[string(text)] = true
		all = append(append(all, text...), '\n')
	}
	f.Add(all)
	f.Add(all[:len(all)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		notes, whole := splitNotes(data)
		var joined []byte
		for _, text := range notes {
			joined = append(append(joined, text...), '\n')
		}
		if !bytes.Equal(joined, data[:whole]) {
			t.Fatalf("cut into %q of %q", joined, data[:whole])
		}
		if _, err := checkNotes(notes, l.key.verifier); err == nil {
			for _, text := range notes {
				if !known[string(text)] {
					t.Fatalf("taken: %q", text)
				}
			}
		}
		if _, err := vouchedFor(l.VerifierKey(), data); err != nil {
			return
		}
	})
}

// Any two sizes of a ledger are consistent, and proofs of one are no proofs of another.
func TestGrowthBetweenAnySizes(t *testing.T) {
	l := newLedger(t)
	records := recordsUpTo(40)
	checkpoints := []Checkpoint{}
	for _, r := range records {
		mustSeal(t, l, r)
		checkpoints = append(checkpoints, l.Checkpoint())
	}
	trusted := trust(t, l)
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.IntRange(1, 40).Draw(t, "a")
		b := rapid.IntRange(1, 40).Draw(t, "b")
		proof, err := l.ProveGrowth(events.Seq(a))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := CheckGrowth(proof, checkpoints[b-1], trusted); (err == nil) != (a == b) {
			t.Fatalf("proof from %d taken from %d: %v", a, b, fmt.Sprint(err))
		}
	})
}
