package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/raters/seedrand"
	"assay/registry"
	"github.com/google/go-cmp/cmp"
)

const toyPool = toyGenre + "/" + toyVariant

func openToy(t testing.TB, log events.Log) *registry.Registry {
	r := open(t, log, at(morning))
	r.Genres = withToy()
	return r
}

func fillToy(t testing.TB, r *registry.Registry, perShelf int, seed uint64) registry.Fill {
	t.Helper()
	f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: perShelf, Seed: &seed, Actor: "editor"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// facts returns the key and body of each event.
func facts(t testing.TB, log events.Log) (list []string) {
	t.Helper()
	for e, err := range log.Read(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(e.Body)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(e.Key)+" "+string(body))
	}
	return list
}

// plainFill fills shelves one candidate after the other, as docs/architecture.md words it (a fill is the same on any number of cores), and gives what is kept:
// "number level text" of each.
func plainFill(t *testing.T, perShelf int, seed uint64) (list []string) {
	held := map[string]int{}
	var after []map[string]int // the shelves after each candidate
	seen := map[string]bool{}
	for i := uint64(0); min(held["easy"], held["medium"], held["hard"]) < perShelf; i++ {
		then := map[string]int{}
		if i >= 64 {
			then = after[i-64]
		}
		emptiest := "easy"
		for _, level := range []string{"medium", "hard"} {
			if then[level] < then[emptiest] {
				emptiest = level
			}
		}
		made, err := toyGenerator{}.Generate(t.Context(), raters.Request{Variant: toyVariant, Cap: emptiest, Seed: seedrand.Sub(seed, "pool/toy/flat", i, 0)})
		form, _ := toyCanonizer{}.Canonical(made.Puzzle)
		if err == nil && made.Level != "extreme" && held[made.Level] < perShelf && !seen[form] {
			seen[form] = true
			held[made.Level]++
			list = append(list, fmt.Sprintf("%d %s %s", i, made.Level, made.Puzzle.Text))
		}
		now := map[string]int{}
		for level, n := range held {
			now[level] = n
		}
		after = append(after, now)
	}
	return list
}

func keptIn(t *testing.T, log events.Log) (list []string) {
	var texts []string
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case events.Generated:
			texts = append(texts, b.Text)
		case events.Filled:
			for _, k := range b.Kept {
				list, texts = append(list, fmt.Sprintf("%d %s %s", k.Candidate, k.Level, texts[0])), texts[1:]
			}
		}
	}
	return list
}

func TestFillingKeepsWhatAPlainLoopKeeps(t *testing.T) {
	for seed := range uint64(3) {
		log := logtest.NewMemory()
		r := openToy(t, log)
		f := fillToy(t, r, 120, seed)
		if got, want := keptIn(t, log), plainFill(t, 120, seed); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
		if !f.Full || f.Outcomes["kept"] != 360 || f.Outcomes["duplicate"] == 0 || f.Outcomes["full"] == 0 || f.Outcomes["outside"] == 0 || f.Outcomes["budget"] == 0 {
			t.Errorf("seed %d: %+v", seed, f)
		}
		sum := 0
		for _, n := range f.Outcomes {
			sum += n
		}
		if uint64(sum) != f.Candidates {
			t.Errorf("%d outcomes of %d candidates", sum, f.Candidates)
		}
		for _, s := range f.Shelves {
			if s.Unpublished != 120 || s.Published != 0 || s.Runway != nil {
				t.Errorf("shelf %+v", s)
			}
		}
	}
}

func TestFillingIsTheSameOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []string
	for _, cores := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(cores)
		log := logtest.NewMemory()
		fillToy(t, openToy(t, log), 100, 5)
		got := facts(t, log)
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Fatalf("on %d cores: %s", cores, cmp.Diff(first, got))
		}
	}
}

// However often a filling is cut off, at an append that was recorded or one that was not, filling on gives
// the events of one that never was.
func TestFillingGoesOnAsIfNothingHadHappened(t *testing.T) {
	whole := logtest.NewMemory()
	fillToy(t, openToy(t, whole), 100, 5)
	want := facts(t, whole)
	cutOff := 0
	for run := range uint64(10) {
		log, random := logtest.NewMemory(), seedrand.New(run)
		next := func() logtest.Fault {
			return []logtest.Fault{logtest.None, logtest.None, logtest.NotWritten, logtest.NotAcknowledged, logtest.Repeated}[random.IntN(5)]
		}
		r := openToy(t, logtest.Faulty{Log: log, Next: next})
		for {
			seed := uint64(5)
			f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 100, Seed: &seed, Actor: "editor"})
			if err == nil && f.Full {
				break
			}
			if !errors.Is(err, logtest.ErrInjected) {
				t.Fatal(f, err)
			}
			cutOff++
		}
		if got := facts(t, log); !slices.Equal(got, want) {
			t.Fatal(cmp.Diff(want, got))
		}
	}
	if cutOff < 10 {
		t.Fatalf("cut off only %d times", cutOff)
	}
}

func TestFillingStopsWithItsContextBetweenBlocks(t *testing.T) {
	whole := logtest.NewMemory()
	fillToy(t, openToy(t, whole), 200, 5)
	log := logtest.NewMemory()
	r := openToy(t, log)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seed := uint64(5)
	_, err := r.FillPool(ctx, registry.FillRequest{Pool: toyPool, PerShelf: 200, Seed: &seed, Actor: "editor", Progress: func(p registry.Filling) {
		if p.Candidates == 512 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	got, want := facts(t, log), facts(t, whole)
	if len(got) < 100 || len(got) >= len(want) || !slices.Equal(got, want[:len(got)]) {
		t.Fatalf("%d events, not a beginning of %d", len(got), len(want))
	}
	fillToy(t, r, 200, 5)
	if got := facts(t, log); !slices.Equal(got, want) {
		t.Fatal(cmp.Diff(want, got))
	}
}

// A later filling numbers its candidates on, and makes none that is on record.
func TestFillingMore(t *testing.T) {
	log := logtest.NewMemory()
	r := openToy(t, log)
	first := fillToy(t, r, 20, 1)
	if again := fillToy(t, r, 20, 1); again.Candidates != 0 || !again.Full {
		t.Errorf("full shelves filled: %+v", again)
	}
	fillToy(t, r, 40, 9)
	seen := map[string]bool{}
	var next uint64
	var seeds []uint64
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case events.Filled:
			if b.First != next {
				t.Errorf("a block starts at %d, not %d", b.First, next)
			}
			next, seeds = b.Last+1, append(seeds, b.Seed)
		case events.Generated:
			form := string(b.Canonical[:])
			if seen[form] {
				t.Errorf("%s is a duplicate", b.Text)
			}
			seen[form] = true
		}
	}
	if next <= first.Candidates || seeds[0] != 1 || seeds[len(seeds)-1] != 9 {
		t.Errorf("%d candidates, seeds %v", next, seeds)
	}
	if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 41, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	if pools, err := r.Pools(t.Context(), ""); err != nil || len(pools) != 1 || pools[0].Adopted != 1 || pools[0].Shelves[2].Unpublished != 41 {
		t.Errorf("%+v, %v", pools, err)
	}
}

// Two that fill one pool at once, over one log, end with full shelves, every candidate counted once.
func TestRacingFillers(t *testing.T) {
	log := logtest.NewMemory()
	done := make(chan error, 2)
	for range 2 {
		r := openToy(t, log)
		go func() {
			seed := uint64(5)
			_, err := r.FillPool(context.Background(), registry.FillRequest{Pool: toyPool, PerShelf: 100, Seed: &seed, Actor: "editor"})
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	alone := logtest.NewMemory()
	fillToy(t, openToy(t, alone), 100, 5)
	if got, want := facts(t, log), facts(t, alone); !slices.Equal(got, want) {
		t.Fatal(cmp.Diff(want, got))
	}
}

func TestFillingOfItsOwnSeed(t *testing.T) {
	fill := func(secret fixed) string {
		r := openToy(t, logtest.NewMemory())
		r.Secrets = secret
		f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 1, Actor: "editor"})
		if err != nil {
			t.Fatal(err)
		}
		return f.Seed
	}
	other := fixed(append([]byte("x"), secret...))
	first, again := fill(secret), fill(secret)
	if first != again || first == fill(other) {
		t.Error("the stream is not the secret's")
	}
}

func TestFillingRefusesWhatCannotBe(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	for name, req := range map[string]registry.FillRequest{
		"no pool":         {Pool: "", PerShelf: 1},
		"a shelf":         {Pool: toyPool + "/easy", PerShelf: 1},
		"unknown genre":   {Pool: "chess/blitz", PerShelf: 1},
		"unknown variant": {Pool: "toy/round", PerShelf: 1},
		"no shelves":      {Pool: "chain/daily", PerShelf: 1},
		"none":            {Pool: toyPool},
		"too many":        {Pool: toyPool, PerShelf: registry.MaxPerShelf + 1},
	} {
		req.Actor = "editor"
		if _, err := r.FillPool(t.Context(), req); !isInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 1000, Candidates: 300, Actor: "editor"})
	if err != nil || f.Full || f.Candidates != 300 {
		t.Errorf("at most 300 candidates: %+v, %v", f, err)
	}
}

// countedRater is a toy rater that counts how often it is asked.
type countedRater struct {
	toyRater
	asked, extreme *atomic.Int64
}

func (c countedRater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	c.asked.Add(1)
	if level, _, _ := toyParts(p.Text); level == len(toyLevels)-1 {
		c.extreme.Add(1)
	}
	return c.toyRater.Rate(ctx, p)
}

// What is kept is rated once, and what no shelf can hold is not rated.
func TestFillingRatesWhatItMayKeep(t *testing.T) {
	rater := countedRater{asked: new(atomic.Int64), extreme: new(atomic.Int64)}
	r := openToy(t, logtest.NewMemory())
	r.Genres = []raters.Genre{toy()}
	r.Genres[0].Variants[0].Scales[0].Rater = rater
	f := fillToy(t, r, 20, 3)
	kept, most := f.Outcomes["kept"], f.Outcomes["kept"]+f.Outcomes["duplicate"]+f.Outcomes["full"]+2*64 // under way at the end
	if n := int(rater.asked.Load()); !f.Full || f.Outcomes["outside"] == 0 || n < kept || n > most || rater.extreme.Load() > 0 {
		t.Errorf("%d ratings, %d of puzzles without a shelf: %+v", n, rater.extreme.Load(), f)
	}
}
