package registry

import (
	"context"

	"assay/events"
	"assay/projections"
	"assay/projections/funnel"
)

// Funnel says what became of the candidates of a generator: the object funnel/1.
type Funnel struct {
	Schema string        `json:"schema"`
	Pool   string        `json:"pool"`
	Lines  []funnel.Line `json:"lines"`
	Seq    events.Seq    `json:"seq"`
}

// Funnel counts the candidates of a pool by what became of them.
func (r *Registry) Funnel(ctx context.Context, pool string) (Funnel, error) {
	name, err := parsePool(pool, false)
	if err != nil {
		return Funnel{}, err
	}
	lines, err := read(ctx, r, funnel.Table, func(tx *projections.Tx) ([]funnel.Line, error) { return funnel.Lines(tx, name.genre, name.variant) })
	if err == nil && len(lines) == 0 { // a pool that the program no longer has still has its lines
		_, err = r.adoption(name)
	}
	if err != nil {
		return Funnel{}, err
	}
	f := Funnel{Schema: "funnel/1", Pool: name.String(), Lines: append([]funnel.Line{}, lines...)}
	f.Seq, err = r.Store.Cursor(funnel.Table.Name())
	return f, err
}
