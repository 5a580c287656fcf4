package registry

import (
	"slices"
	"testing"

	"assay/registry/engine"
)

// What a step rests on is told apart: a value stands in the grid, a candidate is gone.
func TestTheReasonsOfAStepAreToldApart(t *testing.T) {
	s := AuditStep{
		Step: &engine.Step{Because: []string{"r1c1=5", "r1c1=4", "r1c2=3", "r2c2=G", "r3c1=1", "r1c3=1", "r1c2-r1c4=2"}},
		Grid: []string{"5.", ".G"},
	}
	written, gone := s.reasons()
	if !slices.Equal(written, []string{"r1c1=5", "r2c2=G"}) || !slices.Equal(gone, []string{"r1c1=4", "r1c2=3", "r3c1=1", "r1c3=1", "r1c2-r1c4=2"}) {
		t.Errorf("written %v, gone %v", written, gone)
	}
}
