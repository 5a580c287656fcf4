package registry_test

import (
	"slices"
	"strings"
	"testing"

	"assay/events/logtest"
	"assay/registry"
)

func TestAdoptingAPolicy(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	before, _ := publish(t, r, 7)
	adopted, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(policy), Actor: "chief", Reason: "Thursday is the new Friday"})
	if err != nil || adopted.Revision != 2 || adopted.Event == 0 {
		t.Fatalf("%+v, %v", adopted, err)
	}
	if again, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(policy), Actor: "chief", Reason: "once more"}); err != nil || again.Event != adopted.Event {
		t.Errorf("the same policy again: %+v, %v", again, err)
	}
	days, _ := publish(t, r, 10)
	if !slices.Equal(days[:8], before) {
		t.Error("days published under policy 1 changed")
	}
	if d := days[9]; d.Date != "2026-12-10" || d.Label != "hard" || d.Release != "2026-12-10T05:30:00Z" {
		t.Errorf("the first day of policy 2: %+v", d)
	}
	a, err := r.AuditDay(t.Context(), registry.DefaultSeries, date(t, "2026-12-10"))
	if err != nil || a.Policy.Revision != 2 || a.Policy.Reason != "Thursday is the new Friday" || a.Policy.Actor != "chief" {
		t.Errorf("audit: %+v, %v", a.Policy, err)
	}
}

func TestAPolicyThatIsNoneIsRefusedWithThePlace(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	sunday := strings.Index(policy, "sunday")
	sudoku := policy[:sunday] + `sunday = { label = "hard", source = "REPLACE", genre = "sudoku", variant = "classic", level = "extreme" }`
	for want, text := range map[string]string{
		"line 4, column 1": strings.Replace(policy, "release", "releases", 1),
		"line 2":           strings.Replace(policy, `"2026-12-10"`, `2026-12-`, 1),
		"monday":           strings.Replace(policy, "monday ", "moonday", 1),
		"zone":             strings.Replace(policy, "Europe/Paris", "Europe/Atlantis", 1),
		"genre \"chess\"":  strings.ReplaceAll(policy, `"chain"`, `"chess"`),
		"longer than":      strings.Repeat("#", 100_000),
		"days ago":         strings.Replace(policy, "2026-12-10", "0001-01-01", 1),

		"Monday: chain has no variant \"weekly\"":         strings.Replace(policy, `variant = "daily"`, `variant = "weekly"`, 1),
		"Monday: chain/daily has no level \"evil\"":       strings.Replace(policy, `level = "easy"`, `level = "evil"`, 1),
		"Monday: chain/daily has no levels":               strings.Replace(policy, `"generator"`, `"shelf"`, 1),
		"Sunday: sudoku/classic has no shelf \"extreme\"": strings.Replace(sudoku, "REPLACE", "shelf", 1),
		"Sunday: sudoku/classic has no level \"extreme\"": strings.Replace(sudoku, "REPLACE", "generator", 1),
	} {
		_, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(text), Actor: "chief", Backdate: true})
		if !isInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
