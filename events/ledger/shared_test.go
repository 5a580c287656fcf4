package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
)

// board keeps what is posted last.
type board struct {
	mu    sync.Mutex
	notes []byte
}

func (b *board) Post(_ context.Context, notes []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = bytes.Clone(notes)
	return nil
}

func (b *board) Posted(context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notes, nil
}

// member opens the ledger of a process and puts a log under it.
func member(t *testing.T, o ledger.Options, log events.Log, b ledger.Board) (*ledger.Ledger, *ledger.Shared, error) {
	t.Helper()
	l, err := ledger.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s, err := ledger.Share(t.Context(), log, l, b)
	return l, s, err
}

func mustJoin(t *testing.T, o ledger.Options, log events.Log, b ledger.Board) (*ledger.Ledger, *ledger.Shared) {
	t.Helper()
	l, s, err := member(t, o, log, b)
	if err != nil {
		t.Fatal(err)
	}
	return l, s
}

// grow appends n facts as a process does that asks no ledger.
func grow(t *testing.T, log events.Log, prefix string, n int) {
	t.Helper()
	for i := range n {
		if _, err := log.Append(t.Context(), logtest.Fact(fmt.Sprintf("%s-%d", prefix, i), "text", uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
}

// readShared reads a log and tells how many events it has.
func readShared(t *testing.T, log events.Log) (n events.Seq, err error) {
	t.Helper()
	for _, err := range log.Read(t.Context(), 0) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func wantWhole(t *testing.T, l *ledger.Ledger, log events.Log, size events.Seq) {
	t.Helper()
	report, err := l.Verify(t.Context(), log, nil)
	if err != nil || len(report.Problems) > 0 || report.Checkpoint.Size != size {
		t.Errorf("%d events signed, want %d; %v, %v", report.Checkpoint.Size, size, report.Problems, err)
	}
}

// One signs what all append, another verifies with the public key alone, over key rotations and reopening; both
// have the same checkpoints and proofs.
func TestOneSignsAndOthersVerify(t *testing.T) {
	log, b := logtest.NewMemory(), &board{}
	signing := ledger.Options{Dir: filepath.Join(t.TempDir(), "signer"), New: true}
	signer, signed := mustJoin(t, signing, log, b)
	first := signer.VerifierKey()
	verifying := ledger.Options{Dir: filepath.Join(t.TempDir(), "verifier"), New: true, PublicKey: first}
	verifier, verified := mustJoin(t, verifying, log, b)
	size := events.Seq(0)
	for round := range 6 {
		grow(t, log, fmt.Sprint("others", round), 70*round)
		grow(t, signed, fmt.Sprint("own", round), 3)
		size += events.Seq(70*round + 3)
		if signer.Size() != size {
			t.Fatalf("round %d: %d of %d signed", round, signer.Size(), size)
		}
		grow(t, verified, fmt.Sprint("unsigned", round), 2)
		if n, err := readShared(t, verified); n != size+2 || err != nil || verifier.Size() != size {
			t.Fatalf("round %d: %d events, %v, %d signed", round, n, err, verifier.Size())
		}
		if !bytes.Equal(signer.Checkpoint().Note, verifier.Checkpoint().Note) || signer.VerifierKey() != verifier.VerifierKey() {
			t.Fatalf("round %d: two checkpoints", round)
		}
		wantWhole(t, verifier, verified, size)
		if proof, err := verifier.Prove(size); err != nil || !bytes.Contains(proof, signer.Checkpoint().Note) {
			t.Fatalf("round %d: %v", round, err)
		}
		if size += 2; round%2 == 0 {
			if err := signer.Rotate(); err != nil {
				t.Fatal(err)
			}
		}
		signer.Close()
		verifier.Close()
		signing.New, verifying.New = false, false
		signer, signed = mustJoin(t, signing, log, b)
		verifier, verified = mustJoin(t, verifying, log, b)
	}
	if signer.VerifierKey() == first || verifier.VerifierKey() != signer.VerifierKey() {
		t.Error("the key was not rotated")
	}
	wantWhole(t, signer, signed, size)
	wantWhole(t, verifier, verified, size)
	late := ledger.Options{Dir: filepath.Join(t.TempDir(), "late"), New: true, PublicKey: signer.VerifierKey()}
	l, s := mustJoin(t, late, log, b)
	wantWhole(t, l, s, size)
	if err := verifier.Rotate(); err == nil {
		t.Error("who only verifies rotated the key")
	}
}

// spoiled is a log in which something is not as it was.
type spoiled struct {
	events.Log
	spoil func(e *events.Event) (ends bool)
}

func (s spoiled) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		for e, err := range s.Log.Read(ctx, after) {
			if s.spoil(&e) || !yield(e, err) {
				return
			}
		}
	}
}

func change(at events.Seq) func(*events.Event) bool {
	return func(e *events.Event) bool {
		if e.Seq == at {
			e.Raw = append(bytes.Clone(e.Raw), 0)
		}
		return false
	}
}

// What the ledger vouches for, or what was signed, has to be there: who signs and who verifies tell otherwise,
// whether they were open before or not.
func TestASharedLogThatWasChanged(t *testing.T) {
	log, b := logtest.NewMemory(), &board{}
	signing := ledger.Options{Dir: filepath.Join(t.TempDir(), "signer"), New: true}
	signer, signed := mustJoin(t, signing, log, b)
	verifying := ledger.Options{Dir: filepath.Join(t.TempDir(), "verifier"), New: true, PublicKey: signer.VerifierKey()}
	grow(t, signed, "a", 10)
	old, _ := mustJoin(t, verifying, log, b)
	old.Close()
	grow(t, signed, "b", 10)
	signer.Close()
	signing.New, verifying.New = false, false
	fresh := ledger.Options{New: true, PublicKey: signer.VerifierKey()}
	ends := func(at events.Seq) func(*events.Event) bool {
		return func(e *events.Event) bool { return e.Seq >= at }
	}
	for name, c := range map[string]struct {
		o     ledger.Options
		spoil func(*events.Event) bool
		says  string
	}{
		"signer, its last event":     {signing, change(20), "event 20 is not what was recorded"},
		"signer, the end is gone":    {signing, ends(20), "20 events are vouched for, but the log ends before"},
		"verifier, its last event":   {verifying, change(10), "event 10 is not what was recorded"},
		"verifier, what was signed":  {verifying, change(15), "has root"},
		"verifier, the end is gone":  {verifying, ends(20), "20 events are signed, but the log ends at 19"},
		"a new one, an old event":    {fresh, change(1), "has root"},
		"a new one, the log is gone": {fresh, ends(1), "20 events are signed, but the log ends at 0"},
	} {
		if c.o.Dir == "" {
			c.o.Dir = filepath.Join(t.TempDir(), "fresh")
		}
		l, _, err := member(t, c.o, spoiled{log, c.spoil}, b)
		if !errors.Is(err, events.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		l.Close()
	}
	_, s := mustJoin(t, signing, log, b)
	s2, err := ledger.Share(t.Context(), log, mustOpenAgain(t, verifying), b)
	if err != nil {
		t.Fatal(err)
	}
	for name, shared := range map[string]*ledger.Shared{"signer": s, "verifier": s2} {
		if n, err := readShared(t, shared); n != 20 || err != nil {
			t.Errorf("%s: %d events, %v", name, n, err)
		}
	}
}

func mustOpenAgain(t *testing.T, o ledger.Options) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Once a ledger vouches for an event, another one in its place is told when it is read.
func TestAnEventThatChangesLater(t *testing.T) {
	log, b := logtest.NewMemory(), &board{}
	at := events.Seq(0)
	changing := spoiled{log, func(e *events.Event) bool { return change(at)(e) }}
	_, s := mustJoin(t, ledger.Options{Dir: filepath.Join(t.TempDir(), "signer"), New: true}, changing, b)
	grow(t, s, "a", 10)
	at = 4
	if n, err := readShared(t, s); n != 3 || !errors.Is(err, events.ErrDamaged) {
		t.Errorf("%d events, %v", n, err)
	}
}

// A second registry that signs is refused, and so is one that trusts another key, or posted notes of no ledger.
func TestTwoSigners(t *testing.T) {
	log, b := logtest.NewMemory(), &board{}
	mustJoin(t, ledger.Options{Dir: filepath.Join(t.TempDir(), "signer"), New: true}, log, b)
	other, _, err := member(t, ledger.Options{Dir: filepath.Join(t.TempDir(), "other"), New: true}, log, b)
	if !errors.Is(err, ledger.ErrOtherSigner) {
		t.Errorf("a second signer: %v", err)
	}
	if _, _, err := member(t, ledger.Options{Dir: filepath.Join(t.TempDir(), "verifier"), New: true, PublicKey: other.VerifierKey()}, log, b); !errors.Is(err, ledger.ErrOtherSigner) {
		t.Errorf("who trusts another key: %v", err)
	}
	for _, notes := range []string{"x", "\n\n\n\n", "a\n\nb\n\n", string(b.notes[:len(b.notes)-1]), string(b.notes) + string(b.notes)} {
		if _, _, err := member(t, ledger.Options{Dir: filepath.Join(t.TempDir(), "v"), New: true, PublicKey: other.VerifierKey()}, log, &board{notes: []byte(notes)}); err == nil {
			t.Errorf("%q was taken", notes)
		}
	}
}
