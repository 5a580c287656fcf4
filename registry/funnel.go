package registry

import (
	"context"

	"assay/events"
	"assay/projections"
	"assay/projections/funnel"
)

// Funnel tells where the candidates of a generator died: the object funnel/1.
type Funnel struct {
	Schema string       `json:"schema"`
	Pool   string       `json:"pool"`
	Lines  []FunnelLine `json:"lines"`
	Seq    events.Seq   `json:"seq"`
}

// FunnelLine counts the candidates that fared alike.
type FunnelLine struct {
	Generator int    `json:"generator"`
	Requested string `json:"requested"` // a level, "any", or "cap-<level>"
	Earned    string `json:"earned,omitempty"`
	Outcome   string `json:"outcome"`
	Count     int    `json:"count"`
}

// Funnel counts the candidates of a pool by what became of them.
func (r *Registry) Funnel(ctx context.Context, pool string) (Funnel, error) {
	name, err := parsePool(pool, false)
	if err != nil {
		return Funnel{}, err
	}
	if err := r.catchUp(ctx); err != nil {
		return Funnel{}, err
	}
	f := Funnel{Schema: "funnel/1", Pool: name.String(), Lines: []FunnelLine{}}
	if f.Seq, err = r.Store.Cursor(funnel.Table.Name()); err != nil {
		return f, err
	}
	err = r.Store.View(funnel.Table.Name(), func(tx *projections.Tx) error {
		lines, err := funnel.Lines(tx, name.genre, name.variant)
		for _, l := range lines {
			f.Lines = append(f.Lines, FunnelLine{l.Generator, l.Requested, l.Earned, l.Outcome, l.Count})
		}
		return err
	})
	if err == nil && len(f.Lines) == 0 { // a pool that is no more still has its lines
		_, err = r.adoption(name)
	}
	return f, err
}
