package engine

import (
	"bytes"
	"encoding/json"
	"testing"

	"assay/events"
	"assay/raters"

	"pgregory.net/rapid"
)

// anyRating draws a rating of any parts, of which each may be absent.
func anyRating(t *rapid.T) Rating {
	word := func(name string) string {
		return rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-z0-9<&>+_-]{1,20}`), rapid.String()).Draw(t, name)
	}
	r := Rating{
		Schema: word("schema"), ID: word("id"), Genre: word("genre"), Variant: word("variant"), Rater: word("rater"),
		Version: Version(rapid.OneOf(rapid.Just("1"), rapid.Just("1+00ff"), rapid.String()).Draw(t, "version")),
		Outcome: word("outcome"), Level: word("level"), Tier: rapid.IntRange(-1, 5).Draw(t, "tier"), Hardest: word("hardest"), Reason: word("reason"),
		Event: events.Seq(rapid.Uint64Range(0, 2).Draw(t, "event")),
	}
	if rapid.Bool().Draw(t, "scored") {
		score := rapid.Int().Draw(t, "score")
		r.Score = &score
	}
	for range rapid.IntRange(0, 3).Draw(t, "parts") {
		r.Techniques = append(r.Techniques, raters.TechniqueUse{Name: word("technique"), Uses: rapid.Int().Draw(t, "uses")})
		r.Terms = append(r.Terms, raters.Term{Name: word("term"), Value: rapid.Int().Draw(t, "value")})
	}
	if rapid.IntRange(0, 4).Draw(t, "more") == 0 {
		r.Solutions = []string{word("solution"), word("other")}
		r.Steps = []Step{{N: 1, Text: word("step")}}
	}
	return r
}

// What is written by hand is what encoding/json writes, and what comes before it stays.
func TestRatingsAppendedAreThoseEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRating(t)
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		got, err := r.AppendJSON([]byte("before "))
		if err != nil || string(got)+"\n" != "before "+want.String() {
			t.Fatalf("%s, %v, want %s", got, err, &want)
		}
	})
}
