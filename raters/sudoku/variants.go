package sudoku

import (
	"fmt"
	"strings"
	"sync"

	"assay/raters"
	"assay/raters/logic"
)

// brings is what comes with the puzzles of a variant, beside digits.
type brings uint8

const (
	digitsAlone brings = iota
	ownBoxes           // the box of each cell
	ownCages           // the cage of each cell, and their sums
)

// variant is a sort of sudoku. Nothing else knows one by its name.
type variant struct {
	name                string
	boxRows, boxColumns int  // of a regular box; a grid of irregular ones is as large
	diagonals           bool // both main diagonals hold each digit
	brings              brings

	generator int // version
	tiers     int // levels that sudoku.tiers offers, from the first
	canonical int // levels that sudoku.canonical offers; 0 for none
	canonizer raters.Canonizer
	classic   bool // the engines are those of classic grids

	once  sync.Once
	shape *shape // see base
}

var classicShape = newShape(3, 3)

// variants are those of the genre. The first is the default.
var variants = []*variant{
	{name: "classic", boxRows: 3, boxColumns: 3, generator: GeneratorVersion, tiers: 5, canonical: 4, canonizer: canonizer{}, classic: true},
	{name: "mini4", boxRows: 2, boxColumns: 2, generator: 1, tiers: 1, canonical: 1, canonizer: raters.NoSymmetries},
	{name: "mini6", boxRows: 2, boxColumns: 3, generator: 1, tiers: 2, canonical: 2, canonizer: raters.NoSymmetries},
	{name: "giant16", boxRows: 4, boxColumns: 4, generator: 1, tiers: 2, canonical: 2, canonizer: raters.NoSymmetries},
	{name: "killer", boxRows: 3, boxColumns: 3, brings: ownCages, generator: 1, tiers: 3, canonizer: raters.NoSymmetries},
	{name: "diagonal", boxRows: 3, boxColumns: 3, diagonals: true, generator: 1, tiers: 4, canonical: 4, canonizer: raters.NoSymmetries},
	{name: "jigsaw", boxRows: 3, boxColumns: 3, brings: ownBoxes, generator: 1, tiers: 4, canonical: 4, canonizer: raters.NoSymmetries},
}

// size returns how many rows the grid has, and columns.
func (v *variant) size() int { return v.boxRows * v.boxColumns }

// base returns the shape of all puzzles, without what they bring; of puzzles with their own boxes a grid of the size. It is made at
// first use, so that no process begins with shapes that it never asks for.
func (v *variant) base() *shape {
	v.once.Do(func() {
		var others []house
		if v.diagonals {
			others = diagonals(v.size())
		}
		v.shape = newShape(v.boxRows, v.boxColumns, others...)
	})
	return v.shape
}

// variantOf finds a variant by its name; any other is a *raters.RequestError.
func variantOf(name string) (*variant, error) {
	var names []string
	for _, v := range variants {
		if v.name == name {
			return v, nil
		}
		names = append(names, v.name)
	}
	return nil, &raters.RequestError{Reason: fmt.Sprintf("sudoku has no variant %q; offered: %s", name, strings.Join(names, ", "))}
}

// Cells is what texts say of the cells of a variant.
type Cells struct {
	Size   int    // rows, and columns
	Digits string // in order
	Alone  bool   // nothing else comes with a puzzle
}

// CellsOf returns those of a variant; of one that is none of the genre's a *raters.RequestError.
func CellsOf(name string) (Cells, error) {
	v, err := variantOf(name)
	if err != nil {
		return Cells{}, err
	}
	return Cells{v.size(), symbols[1 : 1+v.size()], v.brings == digitsAlone}, nil
}

// has reports whether a variant has what a technique needs.
func (v *variant) has(n need) bool {
	switch n {
	case needsCages:
		return v.brings == ownCages
	case needsPlain:
		return v.brings == digitsAlone && !v.diagonals
	}
	return true
}

// tiersProfile returns the profile of sudoku.tiers for the variant.
func (v *variant) tiersProfile() raters.Profile {
	p := raters.Profile{Rater: TiersName, Version: TiersVersion}
	for _, t := range tierTechniques {
		if v.has(t.needs) {
			p.Techniques = append(p.Techniques, logic.Technique{Name: t.name, Level: levels[t.tier], Tier: t.tier})
		}
	}
	return p
}
