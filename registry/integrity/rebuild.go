package integrity

import (
	"context"
	"encoding/hex"
	"fmt"

	"assay/events"
	"assay/projections"
)

// TableState describes a table: the object table/1. Two tables with the same digest are equal.
type TableState struct {
	Schema  string     `json:"schema"`
	Table   string     `json:"table"`
	Version int        `json:"version"`
	Seq     events.Seq `json:"seq"` // the position in the log that the table has reached
	Digest  string     `json:"digest"`
}

// Rebuild builds every table again from the log and describes each one. The old tables answer queries until the new
// ones replace them.
func (h Holdings) Rebuild(ctx context.Context) ([]TableState, error) {
	var states []TableState
	for _, p := range h.Tables {
		if err := h.Store.Rebuild(ctx, h.Log, p); err != nil {
			return states, fmt.Errorf("rebuild %s: %w", p.Name(), err)
		}
		state, err := h.tableState(p)
		if err != nil {
			return states, err
		}
		states = append(states, state)
	}
	return states, nil
}

func (h Holdings) tableState(p projections.Projection) (TableState, error) {
	seq, err := h.Store.Cursor(p.Name())
	if err != nil {
		return TableState{}, err
	}
	digest, err := h.Store.Digest(p.Name())
	return TableState{
		Schema: "table/1", Table: p.Name(), Version: p.Version(), Seq: seq, Digest: hex.EncodeToString(digest[:]),
	}, err
}
