package sudoku

import (
	"fmt"
	"strings"

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
	name   string
	base   *shape // of all puzzles, without what they bring; of puzzles with their own boxes a grid of the size
	brings brings

	generator int // version
	tiers     int // levels that sudoku.tiers offers, from the first
	canonical int // levels that sudoku.canonical offers; 0 for none
	canonizer raters.Canonizer
	classic   bool // the engines are those of classic grids
}

var classicShape = newShape(3, 3)

// variants are those of the genre. The first is the default.
var variants = []*variant{
	{name: "classic", base: classicShape, generator: GeneratorVersion, tiers: 5, canonical: 4, canonizer: canonizer{}, classic: true},
	{name: "mini4", base: newShape(2, 2), generator: 1, tiers: 1, canonical: 1, canonizer: raters.NoSymmetries},
	{name: "mini6", base: newShape(2, 3), generator: 1, tiers: 2, canonical: 2, canonizer: raters.NoSymmetries},
	{name: "giant16", base: newShape(4, 4), generator: 1, tiers: 2, canonical: 2, canonizer: raters.NoSymmetries},
	{name: "killer", base: newShape(3, 3), brings: ownCages, generator: 1, tiers: 3, canonizer: raters.NoSymmetries},
	{name: "diagonal", base: newShape(3, 3, diagonals(9)...), generator: 1, tiers: 4, canonical: 4, canonizer: raters.NoSymmetries},
	{name: "jigsaw", base: newShape(3, 3), brings: ownBoxes, generator: 1, tiers: 4, canonical: 4, canonizer: raters.NoSymmetries},
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
	return Cells{v.base.size, symbols[1 : 1+v.base.size], v.brings == digitsAlone}, nil
}

// has reports whether a variant has what a technique needs.
func (v *variant) has(n need) bool {
	switch n {
	case needsCages:
		return v.brings == ownCages
	case needsPlain:
		return v.brings == digitsAlone && v.base.full == 3*v.base.size
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
