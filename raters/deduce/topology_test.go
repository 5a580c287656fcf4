package deduce_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// An engine that goes from one outline to another and back says what one says that has never met another, also of
// solves whose outline it has left.
func TestAnEngineGoesOnWithOtherTopologies(t *testing.T) {
	squares := []*square{newSquare(6), newSquare(4), newSquare(2)}
	var topologies []*deduce.Topology
	var full [][][]int
	for _, s := range squares {
		topologies = append(topologies, deduce.NewTopology(s.spec()))
		full = append(full, s.solutions(open(s.size*s.size)))
	}
	e, r := deduce.New(topologies[1], nil), seedrand.New(7)
	o := deduce.NewOrder(squares[0].techniques(), profile, profile)
	for range 300 {
		i := r.IntN(len(squares))
		start := deduce.Start{Candidates: squares[i].start(r, full[i])}
		e.Use(topologies[i])
		got, err := e.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatal(err)
		}
		want, err := deduce.New(topologies[i], nil).Rate(t.Context(), o, start, budget)
		if err != nil || !reflect.DeepEqual(got.Steps(), want.Steps()) || *got.Score != *want.Score {
			t.Fatalf("size %d, %v: steps %v, a new engine's %v, error %v", squares[i].size, start, got.Steps(), want.Steps(), err)
		}
		e.Use(topologies[(i+1)%len(squares)])
		for n, step := range got.Steps() {
			if !e.Prove(got.Solve, n+1, step.Because) {
				t.Fatalf("size %d: step %d is not proved once the engine has gone on", squares[i].size, n+1)
			}
		}
		if got := e.Vocabulary().Variables; got != topologies[(i+1)%len(squares)].Vocabulary().Variables {
			t.Fatalf("%d variables in the vocabulary", got)
		}
	}
}

// Topologies makes one an outline, keeps no more than it may, and can be asked by several goroutines at once.
func TestTopologiesAreKeptByOutline(t *testing.T) {
	var mu sync.Mutex
	made := map[int]int{}
	kept := deduce.Topologies[int]{Most: 2, Make: func(size int) *deduce.Topology {
		mu.Lock()
		defer mu.Unlock()
		made[size]++
		return deduce.NewTopology(newSquare(size).spec())
	}}
	four := kept.Of(4)
	if kept.Of(4) != four || kept.Of(6) == four || kept.Of(4) != four {
		t.Error("an outline has two topologies, or two outlines have one")
	}
	kept.Of(2) // one more than are kept
	if kept.Of(4) == four || fmt.Sprint(made) != "map[2:1 4:2 6:1]" {
		t.Errorf("made %v", made)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if v := kept.Of(2 + 2*(i%3)).Vocabulary().Variables; v != (2+2*(i%3))*(2+2*(i%3)) {
				t.Errorf("%d variables", v)
			}
		})
	}
	all.Wait()
}
