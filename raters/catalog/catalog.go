// Package catalog is the list of genres, one line each.
package catalog

import (
	"assay/raters"
	"assay/raters/chain"
	"assay/raters/kakurasu"
	"assay/raters/sudoku"
)

// Genres returns all genres, by name.
func Genres() []raters.Genre {
	return []raters.Genre{
		chain.Genre(),
		kakurasu.Genre(),
		sudoku.Genre(),
	}
}
