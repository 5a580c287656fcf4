package registry_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/projections"
	"assay/raters"
	"assay/registry"
	"assay/registry/integrity"
)

// vouched is a registry on disk, with a ledger.
func vouched(t testing.TB) *registry.Registry {
	t.Helper()
	r, end := vouchedIn(t, logtest.DiskDir(t), true)
	t.Cleanup(end)
	return r
}

// vouchedIn opens the registry in a directory, or makes one there.
func vouchedIn(t testing.TB, dir string, fresh bool) (r *registry.Registry, end func()) {
	t.Helper()
	l, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger"), New: fresh})
	if err != nil {
		t.Fatal(err)
	}
	log, err := badgerlog.Open(badgerlog.Options{Dir: filepath.Join(dir, "log"), Reserve: 1, Witness: l})
	if err != nil {
		t.Fatal(err)
	}
	store, err := projections.Open(filepath.Join(dir, "tables"))
	if err != nil {
		t.Fatal(err)
	}
	r = &registry.Registry{Log: log, Ledger: l, Store: store, Genres: withToy(), Now: at(morning), Secrets: secret}
	return r, func() {
		if err := errors.Join(store.Close(), log.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	}
}

func problems(t testing.TB, r *registry.Registry, deep bool) (list []string) {
	t.Helper()
	v, err := r.Holdings().Verify(t.Context(), integrity.VerifyRequest{Deep: deep})
	if err != nil || v.OK != (len(v.Problems) == 0) {
		t.Fatal(v, err)
	}
	for _, p := range v.Problems {
		list = append(list, fmt.Sprintf("%d %s", p.Seq, p.Problem))
	}
	return list
}

// A secret that is not the one of the newest day is told of; one that is missing is asked for when it is needed.
func TestVerifyKnowsTheSecret(t *testing.T) {
	r := vouched(t)
	publish(t, r, 2)
	if found := problems(t, r, false); len(found) != 0 {
		t.Fatal(found)
	}
	r.Secrets = fixed(bytes.Repeat([]byte("another one. "), 3))
	if found := problems(t, r, false); len(found) != 1 || !strings.HasPrefix(found[0], "11 daily 2026-12-03 was made with another secret") {
		t.Fatal(found)
	}
	r.Secrets = missing{}
	if found := problems(t, r, false); len(found) != 0 {
		t.Fatal(found)
	}
}

type missing struct{ fixed }

func (missing) Secret(string) ([]byte, error) { return nil, registry.ErrNoSecret }

// drifted is a generator that makes other puzzles than it did, under its old version.
type drifted struct{ toyGenerator }

func (g drifted) Generate(ctx context.Context, req raters.Request) (raters.Generated, error) {
	made, err := g.toyGenerator.Generate(ctx, req)
	if err == nil && req.Seed == 3 {
		made.Puzzle.Text += "0"
	}
	return made, err
}

// lenient is a rater that finds a puzzle easier than it did, under its old version.
type lenient struct{ toyRater }

func (r lenient) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	if level, n, _ := toyParts(p.Text); level > 0 {
		p.Text = toyText(level-1, n)
	}
	return r.toyRater.Rate(ctx, p)
}

// renewed is an engine with a version of its own.
type renewed struct{ drifted }

func (renewed) Version() int { return 2 }

// Verify --deep makes and rates everything again. It finds an engine that changed under its version, and lets
// one alone that has a new version, or is gone.
func TestVerifyDeep(t *testing.T) {
	for name, c := range map[string]struct {
		change func(g *raters.Genre)
		want   []string
	}{
		"as it was":           {func(*raters.Genre) {}, nil},
		"a changed generator": {func(g *raters.Genre) { g.Variants[0].Generator = drifted{} }, []string{"5 generator 1 of toy makes another puzzle of seed 3 now"}},
		"a changed rater": {
			func(g *raters.Genre) { g.Variants[0].Scales[0].Rater = lenient{} },
			[]string{"2 toy.levels 1 rates ", "4 toy.levels 1 rates ", "6 toy.levels 1 rates "},
		},
		"a new generator":  {func(g *raters.Genre) { g.Variants[0].Generator = renewed{} }, nil},
		"a genre that was": {func(g *raters.Genre) { g.Name = "other" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := vouched(t)
			for seed := uint64(1); seed <= 3; seed++ {
				if _, err := generateRecorded(t.Context(), r, toy().Variants[0], raters.Request{Variant: toyVariant, Level: "hard", Seed: seed}, "editor"); err != nil {
					t.Fatal(err)
				}
			}
			g := toy()
			c.change(&g)
			r.Genres = []raters.Genre{g}
			if found := problems(t, r, false); len(found) != 0 {
				t.Errorf("without looking deep: %v", found)
			}
			found := problems(t, r, true)
			if !slices.EqualFunc(found, c.want, strings.HasPrefix) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// proven returns the proofs of an event and of growth, and the key to check them with.
func proven(t testing.TB) (files [][]byte, key string) {
	t.Helper()
	r := vouched(t)
	publish(t, r, 2)
	older := r.Ledger.Checkpoint().Note
	for range 2 {
		if err := r.Ledger.Rotate(); err != nil {
			t.Fatal(err)
		}
	}
	publish(t, r, 9)
	event, err := r.Holdings().ProveEvent(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	growth, err := r.Holdings().ProveGrowth(older)
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{[]byte(event.Text), []byte(growth.Text)}, r.Ledger.VerifierKey()
}

// A proof with any one bit flipped, or any byte left out or doubled, never checks. Of each byte one bit is flipped,
// with ASSAY_FULL=1 every one.
func TestADamagedProofNeverChecks(t *testing.T) {
	files, key := proven(t)
	refused := func(what string, i int, file []byte) {
		if p, err := integrity.CheckProof(file, key); err == nil {
			t.Errorf("byte %d %s: still holds, of event %d", i, what, p.Seq)
		}
	}
	for _, file := range files {
		if _, err := integrity.CheckProof(file, key); err != nil {
			t.Fatal(err)
		}
		for i := range file {
			for bit := range 8 {
				if os.Getenv("ASSAY_FULL") == "" && bit != i%8 {
					continue
				}
				flipped := bytes.Clone(file)
				flipped[i] ^= 1 << bit
				refused(fmt.Sprintf("bit %d", bit), i, flipped)
			}
			refused("left out", i, slices.Delete(bytes.Clone(file), i, i+1))
			refused("doubled", i, slices.Insert(bytes.Clone(file), i, file[i]))
		}
	}
}

// FuzzProof changes proofs in any way: what checks is one of them.
func FuzzProof(f *testing.F) {
	files, key := proven(f)
	for _, file := range files {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		_, err := integrity.CheckProof(file, key)
		if err == nil && !slices.ContainsFunc(files, func(p []byte) bool { return bytes.Equal(p, file) }) {
			t.Errorf("a forged proof holds:\n%s", file)
		}
	})
}

// A proof holds for ever: also after 2,000 more events, or 100,000 with ASSAY_FULL=1. And the checkpoint in it is
// one that the log has grown from.
func TestAnOldProofStillChecks(t *testing.T) {
	batches := 2
	if os.Getenv("ASSAY_FULL") != "" {
		batches = 100
	}
	r := vouched(t)
	publish(t, r, 2)
	old := r.Ledger.Checkpoint().Note
	proof, err := r.Holdings().ProveEvent(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	appendFacts(t, r, batches, 300)
	if again, err := integrity.CheckProof([]byte(proof.Text), r.Ledger.VerifierKey()); err != nil || again.Seq != 5 {
		t.Fatal(again, err)
	}
	growth, err := r.Holdings().ProveGrowth(old)
	if err != nil || growth.Size != growth.Seq+events.Seq(1000*batches) || !strings.Contains(growth.Text, base64.StdEncoding.EncodeToString(old)) {
		t.Fatal(growth, err)
	}
}

// appendFacts appends batches of a thousand imports, with records of about this many bytes.
func appendFacts(t testing.TB, r *registry.Registry, batches, size int) {
	t.Helper()
	for n := range batches {
		batch := make([]events.Event, events.MaxBatch)
		for i := range batch {
			batch[i] = logtest.Fact(fmt.Sprintf("sudoku-%06d%010d", i*7919%1_000_000, n), strings.Repeat("x", size-150), uint64(n*events.MaxBatch+i))
		}
		if _, err := r.Log.Append(t.Context(), batch...); err != nil {
			t.Fatal(err)
		}
	}
}

// The proof of a date or a puzzle is of the event that its audit is about; what has none is bad input.
func TestWhatIsProven(t *testing.T) {
	r := vouched(t)
	days, _ := publish(t, r, 1)
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: date(t, days[1].Date), Actor: "editor", Reason: "too dull"}); err != nil {
		t.Fatal(err)
	}
	brought := chain(t, "79 160 3 +65 -28 +55 +54 -36")
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{brought}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{days[0].Date, days[1].Date, days[0].ID, days[1].ID, brought.ID()} {
		a, err := r.AuditOf(t.Context(), registry.DefaultSeries, what)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := r.Prove(t.Context(), registry.DefaultSeries, what); err != nil || p.Seq != a.Proof.Seq {
			t.Errorf("%s: event %d, and the audit is about %d: %v", what, p.Seq, a.Proof.Seq, err)
		}
	}
	elsewhere, err := r.Prove(t.Context(), "another", days[0].ID)
	if err != nil || !strings.HasPrefix(string(elsewhere.Key), "generated/") {
		t.Errorf("a puzzle of another series: %s, %v", elsewhere.Key, err)
	}
	for _, what := range []string{"2027-06-01", "2026-02-30", "chain-0000000000000000"} {
		if _, err := r.Prove(t.Context(), registry.DefaultSeries, what); !isInput(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(shelfPolicy), Actor: "chief"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Prove(t.Context(), "toys", "2026-12-01"); !isInput(err) {
		t.Errorf("a day whose shelf is empty: %v", err)
	}
}
