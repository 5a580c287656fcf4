package pools

import (
	"iter"

	"assay/projections"
)

// Published returns the IDs of the puzzles that some series published, oldest first.
func (s Shelf) Published(tx *projections.Tx) iter.Seq2[string, error] { return s.ids(tx, published) }
