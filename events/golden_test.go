package events

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/raters/logic"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/oklog/ulid/v2"
)

// A stored golden never changes: a record once written must be read for ever. So the flag makes only the
// files that are missing, for a new kind.
var writeGolden = flag.Bool("write", false, "write the golden events that are missing")

func ptr[T any](v T) *T { return &v }

var (
	goldenID    = ulid.MustParseStrict("01JZ8Q6W3M4N5P6Q7R8S9TAVBW")
	goldenCause = ulid.MustParseStrict("01JZ8Q6W3K0000000000000001")
)

func golden(key Key, body Body) Event {
	at := time.Date(2026, 9, 11, 6, 30, 0, 125_000_000, time.UTC)
	return Event{ID: goldenID, Key: key, Time: at, Actor: "operator", Cause: goldenCause, Body: body}
}

// goldens holds what each kind's stored golden means, by kind.
func goldens() map[string]Event {
	return map[string]Event{
		"generated/1": golden(GeneratedKey("chain", "daily", "chain.canonical", "", "easy", 1, 42), Generated{
			Puzzle: "chain-0123456789abcdef", Genre: "chain", Variant: "daily", Text: "1 5 24 2 3", Solution: "×5 +3",
			Origin: Origin{Version: 1, Seed: 1<<64 - 1}, Rater: "chain.canonical", Requested: "easy", Level: "easy",
			Attempts: []Attempt{{N: 1, Outcome: "score"}, {N: 2, Outcome: "accepted", Score: ptr(-3)}}, Nodes: 311,
		}),
		"generated/2": golden(GeneratedKey("sudoku", "classic", "sudoku.tiers", "1+3fa9c0de1b22", "hard", 1, 42), Generated{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Text: "1.3.", Solution: "1234",
			Origin: Origin{Version: 1, Seed: 42}, Rater: "sudoku.tiers", Requested: "hard", Level: "hard",
			Attempts: []Attempt{{N: 1, Outcome: "earned easy"}, {N: 2, Outcome: "accepted"}}, Nodes: 7, Canonical: FormOf("1.3."),
			Version: "1+3fa9c0de1b22",
		}),
		"imported/1": golden(ImportedKey("sudoku-0123456789abcdef"), Imported{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Text: "1.3.", Solution: "1234", Nodes: 7, Source: "book.sdm",
		}),
		"imported/2": golden(ImportedKey("sudoku-0123456789abcdef"), Imported{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Text: "1.3.", Solution: "1234", Nodes: 7, Source: "book.sdm",
			Canonical: FormOf("1.3."), Reason: "für die Ferienwoche",
		}),
		"provenance/1": golden(ProvenanceKey("sudoku-0123456789abcdef", "0123456789ab"), Provenance{
			Puzzle: "sudoku-0123456789abcdef", File: "book.sdk", Name: "Für die Ferien", Author: "J. Gärtner", Source: "https://example.org/12", Rating: "SE 2.5",
		}),
		"rated/1": golden(RatedKey("sudoku-0123456789abcdef", "sudoku.tiers", "1"), Rated{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Rater: "sudoku.tiers", Version: "1", Outcome: "rated",
			Level: "hard", Tier: 3, Score: ptr(0), Hardest: "x-wing",
			Techniques: []TechniqueUse{{Name: "naked-single", Level: "easy", Uses: 41, Placed: 41}, {Name: "x-wing", Level: "hard", Uses: 1, Removed: 4}},
			Terms:      []Term{{Name: "branching", Value: 9}, {Name: "orderings_discount", Value: -6}}, Clues: 24,
			Origin: &Origin{Version: 2, Seed: 7},
		}),
		"published/1": golden(PublishedKey("daily", "2026-09-11", 1), Published{
			Series: "daily", Date: "2026-09-11", Revision: 1, Label: "hard", Policy: 3, Puzzle: "chain-0123456789abcdef", Genre: "chain",
			Variant: "daily", Rating: RatedKey("chain-0123456789abcdef", "chain.canonical", "1"), Release: 1789081200000,
			Origin: &Origin{Version: 1, Seed: 42}, Reason: "the first one had a typing mistake",
		}),
		"withdrawn/1": golden(WithdrawnKey("daily", "2026-09-11", 0), Withdrawn{
			Series: "daily", Date: "2026-09-11", Puzzle: "chain-0123456789abcdef", Reason: "zu schwer für einen Freitag",
		}),
		"published/2": golden(PublishedKey("evening", "2026-09-12", 2), Published{
			Series: "evening", Date: "2026-09-12", Revision: 2, Label: "hard", Policy: 3, Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku",
			Variant: "classic", Rating: RatedKey("sudoku-0123456789abcdef", "sudoku.tiers", "1"), Release: 1789167600000, Reason: "asked for", Chosen: true,
			Passed: []Passed{{Puzzle: "sudoku-0000000000000001", Seed: 1<<64 - 1, Like: Like{Date: "2025-09-01", Puzzle: "sudoku-0000000000000002"}}},
			Like:   &Like{Date: "2025-08-31", Puzzle: "sudoku-0000000000000003"},
		}),
		"withdrawn/2": golden(WithdrawnKey("daily", "2026-09-11", 1), Withdrawn{
			Series: "daily", Date: "2026-09-11", Revision: 1, Puzzle: "chain-0123456789abcdef", Reason: "a public holiday", Empty: true,
		}),
		"dropped/1": golden(DroppedKey("sudoku-0123456789abcdef", 1), Dropped{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Revision: 1, Reason: "printed in a book",
		}),
		"restored/1": golden(RestoredKey("sudoku-0123456789abcdef", 1), Restored{
			Puzzle: "sudoku-0123456789abcdef", Genre: "sudoku", Variant: "classic", Revision: 1, Reason: "it was another one",
		}),
		"policy/2": golden(PolicyKey("evening", 2), Policy{
			Series: "evening", Revision: 2, Effective: "2026-09-07", Zone: "Asia/Jerusalem", Release: "18:30",
			Days: [7]DayRule{
				{Label: "hard", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "hard"},
				6: {Label: "monster", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "evil"},
			},
			Names: []LabelName{{Label: "hard", Name: "קשה"}, {Label: "monster", Name: "Ungeheuer"}}, Stuck: []int{6},
		}),
		"calibrated/1": golden(CalibratedKey("chain", 1, "chain.canonical", "1"), Calibrated{
			Genre: "chain", Generator: 1, Rater: "chain.canonical", RaterVersion: 1, Seed: 1,
			Bands: []Band{{Label: "easy", Sample: 2000, LowPercent: 10, HighPercent: 35, Low: -2, Median: 4, High: 9}},
		}),
		"recovered/1": golden(RecoveredKey(95, 1<<40), Recovered{First: 95, Last: 1 << 40}),
		"policy/1": golden(PolicyKey("daily", 1), Policy{
			Series: "daily", Revision: 1, Effective: "2026-09-07", Zone: "Europe/Vienna", Release: "06:00",
			Days: [7]DayRule{
				{Label: "easy", Source: "generator", Genre: "chain", Variant: "daily", Level: "easy"},
				6: {Label: "expert", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "expert"},
			},
			Reason: "series begins",
		}),
		"filled/1": golden(FilledKey("sudoku", "classic", 1, 256, 511), Filled{
			Genre: "sudoku", Variant: "classic", Generator: 1, Rater: "sudoku.tiers", Version: "1", Seed: 1<<64 - 1, First: 256, Last: 511, PerShelf: 1000,
			Counts: []Fate{{Cap: "hard", Earned: "medium", Outcome: "full", Count: 254}, {Cap: "evil", Earned: "evil", Outcome: "kept", Count: 2}},
			Kept:   []Shelved{{Candidate: 300, Level: "evil"}, {Candidate: 511, Level: "evil"}},
		}),
		"adopted/1": golden(AdoptedKey("sudoku", "classic", 2), Adopted{
			Genre: "sudoku", Variant: "classic", Revision: 2, Rater: "sudoku.tiers", Version: "1+3fa9c0de1b22", Levels: []string{"easy", "evil"},
			Order:  []logic.Technique{{Name: "naked-single", Level: "easy", Tier: 1}, {Name: "unique-rectangle", Level: "evil", Tier: 5}},
			Reason: "xy-wing is hard",
		}),
		"profile/1": golden(ProfileKey("e5b36edc3ce8"), Profile{
			Rater: "sudoku.tiers", Version: 1, Text: "rater = \"sudoku.tiers\"\nversion = 1\n\n[[technique]]\nname = \"naked-single\"\ntier = 1\n",
		}),
	}
}

func goldenFile(kind string) string {
	return filepath.Join("testdata", strings.Replace(kind, "/", "-", 1)+".hex")
}

// readHex reads commented hex: all after a # in a line is comment, blanks mean nothing.
func readHex(text string) ([]byte, error) {
	var digits strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return hex.DecodeString(digits.String())
}

func TestEveryKindHasItsGolden(t *testing.T) {
	want := goldens()
	files, err := filepath.Glob("testdata/*.hex")
	if err != nil {
		t.Fatal(err)
	}
	if *writeGolden {
		files = writeMissing(t, want)
	}
	if len(files) != len(bodies) || len(want) != len(bodies) {
		t.Errorf("%d kinds, %d golden files, %d expected events", len(bodies), len(files), len(want))
	}
	for kind := range bodies {
		t.Run(kind, func(t *testing.T) { checkGolden(t, want[kind], kind) })
	}
}

func checkGolden(t *testing.T, want Event, kind string) {
	text, err := os.ReadFile(goldenFile(kind))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := readHex(string(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Event{}, "Raw"), cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
		t.Errorf("decoded otherwise (-want +got):\n%s", diff)
	}
	got.Raw = nil
	again, err := Encode(got)
	if err != nil || !bytes.Equal(again, raw) {
		t.Errorf("encoded again: %x, %v\nstored: %x", again, err, raw)
	}
}

// ignoreMarkers leaves out the blank fields that carry a struct's encoding options.
var ignoreMarkers = cmp.FilterPath(func(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && f.Name() == "_"
}, cmp.Ignore())

func writeMissing(t *testing.T, want map[string]Event) []string {
	var files []string
	for kind, e := range want {
		files = append(files, goldenFile(kind))
		f, err := os.OpenFile(goldenFile(kind), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(annotate(t, kind, e)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// annotate writes a record as commented hex, one entry of a map a line.
func annotate(t *testing.T, kind string, e Event) string {
	raw, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# A stored record of kind %s. What stands here never changes.\n", kind)
	annotateMap(t, &b, raw, "", "")
	return b.String()
}

func annotateMap(t *testing.T, b *strings.Builder, raw []byte, indent, path string) {
	var entries map[int]cbor.RawMessage
	if err := cbor.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(b, "%s%x # map of %d\n", indent, raw[:1], len(entries))
	for key := range 24 {
		value, ok := entries[key]
		switch {
		case !ok:
		case path == "" && key == 7:
			fmt.Fprintf(b, "%s%02x # 7 body\n", indent, key)
			annotateMap(t, b, value, indent+"  ", "7.")
		default:
			diag, err := cbor.Diagnose(value)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(b, "%s%02x %x # %s%d: %s\n", indent, key, []byte(value), path, key, diag)
		}
	}
}
