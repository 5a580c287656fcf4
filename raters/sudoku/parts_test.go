package sudoku

import (
	"errors"
	"testing"

	"assay/raters"
)

// Every variant's puzzles come back from their parts, and parts that no variant has are refused.
func TestPartsKeepEveryPuzzle(t *testing.T) {
	for _, v := range Genre().Variants {
		for seed := range uint64(5) {
			made, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			parts, err := PartsOf(made.Puzzle)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := parts.Puzzle(); err != nil || back != made.Puzzle {
				t.Errorf("%+v comes back as %+v, %v", made.Puzzle, back, err)
			}
		}
	}
}

func TestPartsThatNoVariantHas(t *testing.T) {
	empty := func() Parts { return Parts{Size: 9, Givens: make([]int, 81)} }
	striped := make([]int, 81)
	for c := range striped {
		striped[c] = c
	}
	one := []Cage{{Cells: []int{0, 1}, Sum: 5}}
	for name, change := range map[string]func(*Parts){
		"size":              func(p *Parts) { *p = Parts{Size: 5, Givens: make([]int, 25)} },
		"cells":             func(p *Parts) { p.Givens = p.Givens[1:] },
		"a digit":           func(p *Parts) { p.Givens[3] = 10 },
		"81 boxes":          func(p *Parts) { p.Boxes = striped },
		"cages, boxes":      func(p *Parts) { p.Boxes, p.Cages = striped, one },
		"cages, diagonals":  func(p *Parts) { p.Diagonals, p.Cages = true, one },
		"a cell twice":      func(p *Parts) { p.Cages = append(one, Cage{Cells: []int{1, 2}}) },
		"a cell outside":    func(p *Parts) { p.Cages = []Cage{{Cells: []int{81}}} },
		"no cell":           func(p *Parts) { p.Cages = []Cage{{}} },
		"a sum":             func(p *Parts) { p.Cages = []Cage{{Cells: []int{0, 1}, Sum: 18}} },
		"53 cages of 1":     func(p *Parts) { p.Cages = make([]Cage, 53) },
		"small diagonals":   func(p *Parts) { *p = Parts{Size: 4, Givens: make([]int, 16), Diagonals: true} },
		"cages of 10 cells": func(p *Parts) { p.Cages = []Cage{{Cells: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}} },
	} {
		p := empty()
		change(&p)
		_, err := p.Puzzle()
		var request *raters.RequestError
		if !errors.As(err, &request) || request.Reason == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
