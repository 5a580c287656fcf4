package natslog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// A server that is alone does not tell of one flipped bit in a stored event. The ledger does: each flip is told.
// (Of flips in a sequence number beside the event, the server 2.15.3 takes all memory to fill the gap, and ends.)
//
// With ASSAY_FULL=1: 300 flips.
func TestAFlippedBitIsTold(t *testing.T) {
	t.Parallel()
	const n = 300
	store, vouching := filepath.Join(t.TempDir(), "store"), ledger.Options{Dir: filepath.Join(t.TempDir(), "ledger"), New: true}
	want := recordUnder(t, store, vouching, n)
	vouching.New = false
	if got, err := readUnder(t, store, vouching); err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Fatalf("nothing was changed: %d events of %d, %v", len(got), len(want), err)
	}
	for i := range natstest.FullOr(300, 12) {
		random := rand.New(rand.NewPCG(5, uint64(i)))
		copied := filepath.Join(t.TempDir(), "store")
		if err := os.CopyFS(copied, os.DirFS(store)); err != nil {
			t.Fatal(err)
		}
		seq := random.IntN(n)
		flipIn(t, copied, want[seq], random)
		if got, err := readUnder(t, copied, vouching); !errors.Is(err, events.ErrDamaged) {
			t.Errorf("a flip in event %d: %d events, %v", seq+1, len(got), err)
		}
		os.RemoveAll(copied)
	}
}

// flipIn flips a bit of a record in whatever file holds it.
func flipIn(t testing.TB, store string, record []byte, random *rand.Rand) {
	t.Helper()
	flipped := 0
	err := filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if at := bytes.Index(data, record); at >= 0 {
			data[at+random.IntN(len(record))] ^= 1 << random.IntN(8)
			flipped++
			return os.WriteFile(path, data, 0o600)
		}
		return nil
	})
	if err != nil || flipped != 1 {
		t.Fatalf("the record is in %d files, %v", flipped, err)
	}
}

// recordUnder records n events on a server of its own, signed, and gives what is stored of them.
func recordUnder(t testing.TB, store string, o ledger.Options, n int) [][]byte {
	t.Helper()
	s := natstest.Start(t, natstest.Options(store))
	defer natstest.Stop(s)
	stored, err := openUnder(t.Context(), s.ClientURL(), o, func(shared *ledger.Shared) {
		var batch []events.Event
		for i := range n {
			batch = append(batch, logtest.Fact(fmt.Sprint("a-", i), strings.Repeat("text ", i%40), uint64(i)))
		}
		for i := 0; i < n; i += 50 {
			if _, err := shared.Append(t.Context(), batch[i:i+50]...); err != nil {
				t.Fatal(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// openUnder opens a log with its ledger, and gives what it reads after something was done.
func openUnder(ctx context.Context, url string, o ledger.Options, do func(*ledger.Shared)) (stored [][]byte, err error) {
	l, err := Open(ctx, Options{Options: link.Options{URL: url}})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	vouching, err := ledger.Open(o)
	if err != nil {
		return nil, err
	}
	defer vouching.Close()
	shared, err := ledger.Share(ctx, l, vouching, l.Board())
	if err != nil {
		return nil, err
	}
	do(shared)
	for e, err := range shared.Read(ctx, 0) {
		if err != nil {
			return stored, err
		}
		stored = append(stored, e.Raw)
	}
	return stored, nil
}

func readUnder(t testing.TB, store string, o ledger.Options) ([][]byte, error) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "ledger")
	if err := os.CopyFS(copied, os.DirFS(o.Dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(copied, "key"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Dir = copied
	s := natstest.Start(t, natstest.Options(store))
	defer natstest.Stop(s)
	return openUnder(t.Context(), s.ClientURL(), o, func(*ledger.Shared) {})
}
