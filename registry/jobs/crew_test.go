package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scaled multiplies a number by what it works under.
var scaled = Kind[int, int, [2]int]{Name: "scaled", Open: func(by int) (func(context.Context, int) [2]int, error) {
	if by == 0 {
		return nil, errors.New("nothing to scale by")
	}
	return func(_ context.Context, n int) [2]int { return [2]int{n, n * by} }, nil
}}

// elsewhere is a crew that does everything as another process would.
type elsewhere struct {
	Local
	kinds Kinds
}

func (p elsewhere) Do(ctx context.Context, c Chunk) error {
	o, err := c.Message()
	if err != nil {
		return err
	}
	do, err := p.kinds.Open(o.Kind, o.Setting)
	if err != nil {
		return err
	}
	var results [][]byte
	for _, job := range o.Jobs {
		r, err := do(ctx, job)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	_, err = c.Take(ctx, 0, results)
	return err
}

// Wherever work is done, its results are the same, in order.
func TestPoolsDoTheSame(t *testing.T) {
	kinds := Kinds{}
	Add(kinds, scaled)
	rapid.Check(t, func(t *rapid.T) {
		n, by := rapid.IntRange(0, 200).Draw(t, "items"), rapid.IntRange(1, 9).Draw(t, "by")
		w, err := scaled.Under(by)
		if err != nil {
			t.Fatal(err)
		}
		for _, crew := range []Crew{Local{}, elsewhere{kinds: kinds}} {
			all := Spread(context.Background(), crew, count(n), func(ctx context.Context, part []int) [][2]int {
				results, err := Do(ctx, crew, w, part...)
				if err != nil {
					t.Error(err)
				}
				return results
			})
			got := slices.Collect(all)
			for i, r := range got {
				if r != [2]int{i, i * by} {
					t.Fatalf("result %d is %v", i, r)
				}
			}
			if len(got) != n {
				t.Fatalf("%d results of %d", len(got), n)
			}
		}
	})
}

// What cannot be done says why, here and elsewhere.
func TestWorkThatCannotBeDone(t *testing.T) {
	if _, err := scaled.Under(0); err == nil || !strings.Contains(err.Error(), "nothing to scale by") {
		t.Error(err)
	}
	kinds := Kinds{}
	if _, err := kinds.Open("scaled", nil); err == nil || !strings.Contains(err.Error(), `"scaled" is not known here`) {
		t.Error(err)
	}
	Add(kinds, scaled)
	if _, err := kinds.Open("scaled", []byte{0x61}); err == nil || !strings.Contains(err.Error(), "what scaled works under") {
		t.Error(err)
	}
	if _, err := kinds.Open("scaled", []byte{0}); err == nil || !strings.Contains(err.Error(), "nothing to scale by") {
		t.Error(err)
	}
	do, err := kinds.Open("scaled", []byte{2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := do(t.Context(), []byte("\xff")); err == nil || !strings.Contains(err.Error(), "a job of kind scaled") {
		t.Error(err)
	}
	w, err := scaled.Under(2)
	if err != nil {
		t.Fatal(err)
	}
	c := chunkOf[int, [2]int]{w, []int{1, 2}, make([][2]int, 2)}
	_, err = c.Take(t.Context(), 0, [][]byte{{0x82, 1, 2}, {0x61}})
	var wrong *ResultError
	if !errors.As(err, &wrong) || wrong.Job != 1 || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("no result was taken for one: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Do(ctx, Local{}, w, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What another process gives is checked by the kind, and can be done again as it is written.
func TestResultsAreChecked(t *testing.T) {
	checked := scaled
	checked.Title = func(n int) string { return strings.Repeat("i", n) }
	checked.Check = func(by int) (func(context.Context, int, *[2]int) (bool, error), error) {
		if by == 7 {
			return nil, errors.New("nobody can check that")
		}
		return func(_ context.Context, n int, r *[2]int) (bool, error) {
			if r[0] != n {
				return false, errors.New("of another job")
			}
			return r[1] == 0, nil
		}, nil
	}
	if _, err := checked.Under(7); err == nil || !strings.Contains(err.Error(), "nobody can check") {
		t.Error(err)
	}
	w, err := checked.Under(2)
	if err != nil {
		t.Fatal(err)
	}
	c := chunkOf[int, [2]int]{w, []int{1, 2, 3}, make([][2]int, 3)}
	doubtful, err := c.Take(t.Context(), 1, [][]byte{{0x82, 2, 0}, {0x82, 3, 6}})
	if err != nil || !slices.Equal(doubtful, []int{1}) || c.results[2] != [2]int{3, 6} {
		t.Errorf("%v, %v, %v", doubtful, err, c.results)
	}
	var wrong *ResultError
	if _, err := c.Take(t.Context(), 1, [][]byte{{0x82, 2, 4}, {0x82, 2, 4}}); !errors.As(err, &wrong) || wrong.Job != 2 || err.Error() != "of another job" {
		t.Error(err)
	}
	c.Here(t.Context(), 0, c.Len())
	if c.results[1] != [2]int{2, 4} {
		t.Error(c.results)
	}
	again := c.Again()
	if got, err := again.Do(t.Context(), []byte{3}); err != nil || string(got) != "\x82\x03\x06" {
		t.Errorf("%x, %v", got, err)
	}
	if _, err := again.Do(t.Context(), []byte{0x61}); err == nil {
		t.Error("no job was done")
	}
	if got := again.Name([]byte{3}) + again.Name([]byte{0x61, 0x1b}); got != "iiiscaled 611b" {
		t.Error(got)
	}
}
