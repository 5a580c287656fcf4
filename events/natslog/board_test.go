package natslog

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// A posting is there for all; who posts without having seen the last one is refused.
func TestBoard(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"one server": natstest.One(t).ClientURL(), "cluster": natstest.StartCluster(t).URL()} {
		l := openWhenReady(t, Options{Options: link.Options{URL: url}})
		one, two := l.Board(), l.Board()
		for _, b := range []*Board{one, two} {
			if notes, err := b.Posted(t.Context()); notes != nil || err != nil {
				t.Fatalf("%s: %q, %v", name, notes, err)
			}
		}
		for _, text := range []string{"first", "second"} {
			if err := one.Post(t.Context(), []byte(text)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := two.Post(t.Context(), []byte("another")); !errors.Is(err, ledger.ErrOtherSigner) {
				t.Errorf("%s: posted over what it had not seen: %v", name, err)
			}
			if notes, err := two.Posted(t.Context()); string(notes) != text || err != nil {
				t.Fatalf("%s: %q, %v", name, notes, err)
			}
		}
		if err := two.Post(t.Context(), []byte("third")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A posting whose answer is lost is known again.
func TestALostPosting(t *testing.T) {
	t.Parallel()
	l := mustOpen(t, Options{Options: link.Options{URL: natstest.One(t).ClientURL()}})
	one, two := l.Board(), l.Board()
	if err := one.Post(t.Context(), []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := two.Post(t.Context(), []byte("first")); err != nil {
		t.Errorf("what stands already: %v", err)
	}
	if err := two.Post(t.Context(), []byte("second")); err != nil {
		t.Error(err)
	}
}

// join puts the log under a new ledger, which signs, or verifies with the public key of the one that does.
func join(t testing.TB, url, publicKey string) (*ledger.Ledger, *ledger.Shared) {
	t.Helper()
	l := openWhenReady(t, Options{Options: link.Options{URL: url}})
	vouching, err := ledger.Open(ledger.Options{Dir: filepath.Join(t.TempDir(), "ledger"), New: true, PublicKey: publicKey})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { vouching.Close() })
	s, err := ledger.Share(t.Context(), l, vouching, l.Board())
	if err != nil {
		t.Fatal(err)
	}
	return vouching, s
}

// One process signs, another verifies, both append, over a cluster.
func TestLedgerOverACluster(t *testing.T) {
	t.Parallel()
	url := natstest.StartCluster(t).URL()
	signer, signed := join(t, url, "")
	verifier, verified := join(t, url, signer.VerifierKey())
	for i := range 50 {
		for name, s := range map[string]*ledger.Shared{"signed": signed, "verified": verified} {
			if _, err := s.Append(t.Context(), logtest.Fact(fmt.Sprint(name, i), "text", 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := readAll(t.Context(), signed); n != 100 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	for l, s := range map[*ledger.Ledger]events.Log{signer: signed, verifier: verified} {
		report, err := l.Verify(t.Context(), s, nil)
		if err != nil || report.Events != 100 || len(report.Problems) > 0 {
			t.Errorf("%+v, %v", report, err)
		}
	}
	if signer.Checkpoint().Root != verifier.Checkpoint().Root {
		t.Error("two roots")
	}
}
