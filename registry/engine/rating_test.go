package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/raters"

	"pgregory.net/rapid"
)

// What is written by hand is what encoding/json writes of each member.
func TestTechniquesAndTermsAsJSON(t *testing.T) {
	type use struct {
		Uses    int `json:"uses"`
		Removed int `json:"removed"`
		Placed  int `json:"placed"`
	}
	rapid.Check(t, func(t *rapid.T) {
		var techniques Techniques
		var terms Terms
		var uses, values []string
		for _, name := range rapid.SliceOfNDistinct(rapid.OneOf(rapid.StringMatching(`[a-z][a-z0-9_/-]{0,20}`), rapid.String()), 0, 14, rapid.ID).Draw(t, "names") {
			u := raters.TechniqueUse{Name: name, Uses: rapid.Int().Draw(t, "uses"), Removed: rapid.Int().Draw(t, "removed"), Placed: rapid.Int().Draw(t, "placed")}
			techniques = append(techniques, u)
			terms = append(terms, raters.Term{Name: name, Value: u.Uses})
			uses = append(uses, asJSON(t, name)+":"+asJSON(t, use{u.Uses, u.Removed, u.Placed}))
			values = append(values, asJSON(t, name)+":"+asJSON(t, u.Uses))
		}
		if got, want := asJSON(t, techniques), "{"+strings.Join(uses, ",")+"}"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := asJSON(t, terms), "{"+strings.Join(values, ",")+"}"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

func asJSON(t *rapid.T, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
