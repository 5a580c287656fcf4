package events

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay/events/plain"
	"assay/raters/logic"
)

func text(t *rapid.T, name string) string {
	return plain.Escape(rapid.StringN(0, 20, 30).Draw(t, name))
}

func segment(t *rapid.T) string {
	return rapid.StringMatching(`[A-Za-z0-9_=+.-]{1,12}`).Draw(t, "segment")
}

// anyBody draws a body of any known kind with a key that fits it.
func anyBody(t *rapid.T) (Key, Body) {
	number := rapid.IntRange(-1<<31, 1<<31-1)
	seed := rapid.Uint64().Draw(t, "seed")
	version := rapid.IntRange(1, 1000).Draw(t, "version")
	origin := rapid.Ptr(rapid.Just(Origin{Version: version, Seed: seed}), true).Draw(t, "origin")
	score := rapid.Ptr(number, true).Draw(t, "score")
	puzzle, genre, variant := segment(t), segment(t), segment(t)
	canonical := rapid.SampledFrom([]Form{{}, FormOf(puzzle)}).Draw(t, "canonical")
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 0:
		attempts := rapid.SliceOfN(rapid.Just(Attempt{N: version, Outcome: text(t, "outcome"), Score: score}), 0, 30).Draw(t, "attempts")
		return GeneratedKey(genre, variant, "r", "", "any", version, seed), Generated{Puzzle: puzzle, Genre: genre, Variant: variant, Text: text(t, "text"),
			Solution: text(t, "solution"), Origin: Origin{Version: version, Seed: seed}, Rater: "r", Requested: "any", Attempts: attempts, Nodes: seed, Canonical: canonical}
	case 1:
		return ImportedKey(puzzle), Imported{Puzzle: puzzle, Genre: genre, Variant: variant, Text: text(t, "text"), Nodes: seed, Source: text(t, "source"), Canonical: canonical, Reason: text(t, "reason")}
	case 2:
		uses := rapid.SliceOfN(rapid.Just(TechniqueUse{Name: text(t, "technique"), Uses: version}), 0, 30).Draw(t, "uses")
		terms := rapid.SliceOfN(rapid.Just(Term{Name: text(t, "term"), Value: number.Draw(t, "value")}), 0, 9).Draw(t, "terms")
		return RatedKey(puzzle, "r", "1"), Rated{Puzzle: puzzle, Genre: genre, Variant: variant, Rater: "r", Version: "1", Outcome: "rated",
			Tier: number.Draw(t, "tier"), Score: score, Techniques: uses, Terms: terms, Clues: version, Origin: origin,
			Steps: anySteps(t)}
	case 3:
		return PublishedKey("s", "2026-01-01", version), Published{Series: "s", Date: "2026-01-01", Revision: version, Label: text(t, "label"),
			Rating: RatedKey(puzzle, "r", "1"), Release: rapid.Int64().Draw(t, "release"), Origin: origin, Reason: text(t, "reason"),
			Passed: rapid.SliceOfN(rapid.Just(Passed{Puzzle: puzzle, Seed: seed, Like: Like{Date: "2025-01-01", Puzzle: genre}}), 0, 3).Draw(t, "passed"),
			Like:   rapid.Ptr(rapid.Just(Like{Date: "2025-01-01", Puzzle: puzzle}), true).Draw(t, "like"), Chosen: rapid.Bool().Draw(t, "chosen")}
	case 4:
		return WithdrawnKey("s", "2026-01-01", version), Withdrawn{Series: "s", Date: "2026-01-01", Revision: version, Puzzle: puzzle, Reason: text(t, "reason"), Empty: rapid.Bool().Draw(t, "empty")}
	case 5:
		bands := rapid.SliceOfN(rapid.Just(Band{Label: text(t, "label"), Low: number.Draw(t, "low"), High: version}), 0, 9).Draw(t, "bands")
		return CalibratedKey(genre, version, "r", "1"), Calibrated{Genre: genre, Generator: version, Rater: "r", RaterVersion: 1, Seed: seed, Bands: bands}
	case 6:
		fate := Fate{Cap: text(t, "cap"), Earned: text(t, "earned"), Outcome: text(t, "outcome"), Count: version}
		return FilledKey(genre, variant, version, seed, seed), Filled{Genre: genre, Variant: variant, Generator: version, Rater: "r", Version: "1", Seed: seed,
			First: seed, Last: seed, Counts: rapid.SliceOfN(rapid.Just(fate), 0, 9).Draw(t, "fates"), Kept: []Shelved{{Candidate: seed, Level: text(t, "level")}}}
	case 7:
		return AdoptedKey(genre, variant, version), Adopted{Genre: genre, Variant: variant, Revision: version, Rater: "r", Version: "1",
			Levels: []string{text(t, "level")}, Order: []logic.Technique{{Name: text(t, "technique"), Tier: version}}, Reason: text(t, "reason")}
	case 8:
		return ProfileKey(segment(t)), Profile{Rater: "r", Version: version, Text: text(t, "text")}
	case 9:
		return DroppedKey(puzzle, version), Dropped{Puzzle: puzzle, Genre: genre, Variant: variant, Revision: version, Reason: text(t, "reason")}
	case 10:
		return RestoredKey(puzzle, version), Restored{Puzzle: puzzle, Genre: genre, Variant: variant, Revision: version, Reason: text(t, "reason")}
	case 11:
		return ProvenanceKey(puzzle, "0123456789ab"), Provenance{Puzzle: puzzle, File: text(t, "file"), Name: text(t, "name"), Author: text(t, "author"),
			Source: text(t, "source"), Rating: text(t, "rating")}
	default:
		p := Policy{Series: "s", Revision: version, Effective: "2026-01-01", Zone: "UTC", Release: "06:00", Reason: text(t, "reason")}
		p.Days[version%7] = DayRule{Label: text(t, "label"), Level: text(t, "level")}
		p.Names = rapid.SliceOfN(rapid.Just(LabelName{Label: text(t, "label"), Name: text(t, "name")}), 0, 3).Draw(t, "names")
		p.Stuck = rapid.SliceOfN(rapid.IntRange(0, 6), 0, 7).Draw(t, "stuck")
		return PolicyKey("s", version), p
	}
}

func anySteps(t *rapid.T) []byte {
	steps, err := EncodeSolve(Solve{Naming: logic.Naming{Columns: 9}, Steps: []logic.Step{{Technique: text(t, "technique"), Instance: text(t, "instance"), Removed: []logic.Literal{3}}}})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func anyEvent(t *rapid.T) Event {
	e := goldens()["imported/1"]
	e.Key, e.Body = anyBody(t)
	e.Time = time.UnixMilli(rapid.Int64Range(0, lastMilli).Draw(t, "time")).UTC()
	e.Actor = rapid.StringMatching(`[^\pC]{1,50}`).Draw(t, "actor")
	if rapid.Bool().Draw(t, "no cause") {
		e.Cause = [16]byte{}
	}
	return e
}

func TestEncodeAndDecodeAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyEvent(t)
		raw, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, got, cmpopts.IgnoreFields(Event{}, "Raw"), cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
			t.Fatal(diff)
		}
		if !bytes.Equal(got.Raw, raw) {
			t.Fatal("Raw is not what was read")
		}
	})
}

// Whatever texts a body holds, they are recorded when package plain takes them and refused when not; only the puzzle and
// its solution have lines.
func TestOnlyPlainTextIsRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes")) })
		texts := rapid.OneOf(rapid.String(), rapid.Just("two\nlines"), rapid.Just("an esc\x1bape"), bytes, rapid.Just("text"))
		e := goldens()["generated/1"]
		b := e.Body.(Generated)
		b.Text, b.Solution, b.Level = texts.Draw(t, "text"), texts.Draw(t, "solution"), texts.Draw(t, "level")
		b.Attempts = []Attempt{{Outcome: texts.Draw(t, "outcome")}, {Outcome: texts.Draw(t, "outcome")}}
		e.Body = b
		fit := plain.CheckLines(b.Text) == nil && plain.CheckLines(b.Solution) == nil
		for _, text := range []string{b.Level, b.Attempts[0].Outcome, b.Attempts[1].Outcome} {
			isLines := text == b.Text || text == b.Solution
			fit = fit && (plain.Check(text) == nil || isLines && plain.CheckLines(text) == nil)
		}
		raw, err := Encode(e)
		if (err == nil) != fit {
			t.Fatalf("fit %v, but %v", fit, err)
		}
		if _, err := Decode(raw); fit && err != nil {
			t.Fatal(err)
		}
	})
}

// Text in the steps of a rating is text like any other.
func TestStepsArePlainText(t *testing.T) {
	for name, spoil := range map[string]func(*Solve){
		"technique": func(s *Solve) { s.Steps[0].Technique = "x-wing\x1b[31m" },
		"level":     func(s *Solve) { s.Steps[0].Level = "hard\u202e" },
		"instance":  func(s *Solve) { s.Steps[0].Instance = "row\n1" },
		"value":     func(s *Solve) { s.Naming.Values[0] = "\u009b" },
		"":          func(*Solve) {},
	} {
		solve := Solve{Naming: logic.Naming{Columns: 9, Values: []string{"1"}}, Steps: []logic.Step{{Technique: "x-wing", Level: "hard", Instance: "row 1"}}}
		spoil(&solve)
		e := goldens()["rated/1"]
		b := e.Body.(Rated)
		var err error
		if b.Steps, err = EncodeSolve(solve); err != nil {
			t.Fatal(err)
		}
		e.Body = b
		_, err = Encode(e)
		var unfit *plain.Error
		if errors.As(err, &unfit) != (name != "") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// An older record may hold any valid UTF-8. It is read, and copied as it is.
func TestOlderTextIsReadAndCopied(t *testing.T) {
	e := goldens()["withdrawn/1"]
	e.Actor, e.Body = "de\x1bsk", Withdrawn{Reason: "red \x1b[31m\u202e"}
	body, err := encoder.Marshal(e.Body)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := encoder.Marshal(record{ID: e.ID, Key: e.Key, Time: 1, Actor: e.Actor, Kind: "withdrawn/1", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(raw)
	if err != nil || got.Actor != e.Actor || got.Body != e.Body {
		t.Fatalf("%+v, %v", got, err)
	}
	if copied, err := Encode(got); err != nil || !bytes.Equal(copied, raw) {
		t.Fatalf("copied as %x, %v", copied, err)
	}
	got.Raw = nil
	if _, err := Encode(got); err == nil {
		t.Fatal("it was written anew")
	}
}

func FuzzDecode(f *testing.F) {
	for _, e := range goldens() {
		raw, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		f.Add(raw[:len(raw)-1])
	}
	f.Add(unknown(f))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := Decode(raw)
		if err != nil {
			return
		}
		if same, err := SameContent(raw, raw); err != nil || !same {
			t.Fatalf("not the same as itself: %v, %v", same, err)
		}
		copied, err := Encode(e)
		again, againErr := encodeUnchecked(e)
		if againErr != nil {
			t.Fatalf("decoded but not encoded: %v", againErr)
		}
		if deterministic := bytes.Equal(again, raw); (err == nil) != deterministic {
			t.Fatalf("copied: %v, encoded again as %x\nwas %x", err, again, raw)
		}
		if err == nil && !bytes.Equal(copied, raw) {
			t.Fatalf("copied as %x", copied)
		}
	})
}

// encodeUnchecked encodes all that was decoded, unknown bodies and over-long free texts too.
func encodeUnchecked(e Event) ([]byte, error) {
	r := record{ID: e.ID, Key: e.Key, Time: e.Time.UnixMilli(), Actor: e.Actor, Kind: e.Body.Kind()}
	if e.Cause != [16]byte{} {
		r.Cause = e.Cause[:]
	}
	if u, ok := e.Body.(Unknown); ok {
		r.Body = u.Data
	} else if body, err := encoder.Marshal(e.Body); err != nil {
		return nil, err
	} else {
		r.Body = body
	}
	return encoder.Marshal(r)
}

// unknown returns a record of a kind that a newer program might write.
func unknown(t testing.TB) []byte {
	raw, err := Encode(goldens()["imported/1"])
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(raw, []byte("imported/1"), []byte("imported/9"), 1)
}

func TestUnknownKindIsReadAndCopiedButNotWritten(t *testing.T) {
	raw := unknown(t)
	e, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := e.Body.(Unknown); !ok || u.Name != "imported/9" || !bytes.Contains(raw, u.Data) {
		t.Fatalf("read as %#v", e.Body)
	}
	if copied, err := Encode(e); err != nil || !bytes.Equal(copied, raw) {
		t.Fatalf("copied as %x, %v", copied, err)
	}
	e.Raw = nil
	if _, err := Encode(e); err == nil || !strings.Contains(err.Error(), "imported/9") {
		t.Fatalf("written: %v", err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	good := goldens()
	long := strings.Repeat("x", FreeText+1)
	for name, spoil := range map[string]func(*Event){
		"no body":             func(e *Event) { e.Body = nil },
		"no ID":               func(e *Event) { e.ID = [16]byte{} },
		"no time":             func(e *Event) { e.Time = time.Time{} },
		"a time after 9999":   func(e *Event) { e.Time = time.UnixMilli(lastMilli + 1) },
		"no actor":            func(e *Event) { e.Actor = "" },
		"a long actor":        func(e *Event) { e.Actor = long[:MaxActor+1] },
		"an actor not UTF-8":  func(e *Event) { e.Actor = "a\xff" },
		"a line in the actor": func(e *Event) { e.Actor = "a\nb" },
		"a turn in the actor": func(e *Event) { e.Actor = "a\u202eb" },
		"a reason in colour":  func(e *Event) { e.Body = Withdrawn{Reason: "a\x1b[31m"} },
		"a reason of lines":   func(e *Event) { e.Body = Withdrawn{Reason: "a\nb"} },
		"a bad key":           func(e *Event) { e.Key = "imported/a b" },
		"one segment":         func(e *Event) { e.Key = "imported" },
		"a key of another":    func(e *Event) { e.Key = ImportedKey("x") },
		"a reason not UTF-8":  func(e *Event) { e.Body = Withdrawn{Reason: "a\xc0\x80"} },
		"a label not UTF-8": func(e *Event) {
			e.Key = PublishedKey("s", "d", 0)
			e.Body = Published{Label: "\xff", Rating: "rated/x"}
		},
		"a long reason":        func(e *Event) { e.Body = Withdrawn{Reason: long} },
		"no rating":            func(e *Event) { e.Key = PublishedKey("s", "d", 0); e.Body = Published{} },
		"a record of another":  func(e *Event) { e.Raw = unknown(t) },
		"a record that is not": func(e *Event) { e.Raw = []byte{0xa0} },
	} {
		e := good["withdrawn/1"]
		spoil(&e)
		if raw, err := Encode(e); err == nil {
			t.Errorf("%s: encoded as %x", name, raw)
		}
	}
}

func TestOtherEncodingsAreNotRecorded(t *testing.T) {
	e := goldens()["imported/1"]
	raw, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	nodes := []byte{0x06, 0x07, 0x07} // body key 6: nodes 7; then key 7
	for name, bad := range map[string][]byte{
		"a longer integer":      bytes.Replace(raw, nodes, []byte{0x06, 0x18, 0x07, 0x07}, 1),
		"a float":               bytes.Replace(raw, nodes, []byte{0x06, 0xf9, 0x47, 0x00, 0x07}, 1),
		"a tag":                 bytes.Replace(raw, nodes, []byte{0x06, 0xc1, 0x07, 0x07}, 1),
		"an unknown body key":   bytes.Replace(raw, nodes, []byte{0x06, 0x07, 0x08}, 1),
		"a body key twice":      bytes.Replace(raw, nodes, []byte{0x06, 0x07, 0x06}, 1),
		"a record key twice":    bytes.Replace(raw, []byte{0x06, 0x6a}, []byte{0x05, 0x6a}, 1),
		"keys out of order":     bytes.Replace(raw, nodes, []byte{0x07, 0x07, 0x06}, 1),
		"an indefinite map":     append([]byte{0xbf}, append(bytes.Clone(raw[1:]), 0xff)...),
		"bytes after the end":   append(bytes.Clone(raw), 0),
		"a cut record":          raw[:len(raw)-1],
		"text not UTF-8":        bytes.Replace(raw, []byte("book.sdm"), []byte("book\xff\xff\xff\xff"), 1),
		"a kind without number": bytes.Replace(raw, []byte("imported/1"), []byte("imported/0"), 1),
		"too long a record":     make([]byte, MaxRecord+1),
	} {
		if bytes.Equal(bad, raw) {
			t.Errorf("%s: not spoiled", name)
		}
		e.Raw = bad
		if _, err := Encode(e); err == nil {
			t.Errorf("%s: can be recorded", name)
		}
	}
}

// What a newer version of a kind says is recorded under that version, and what the first can say under the first.
func TestABodyHasOneKind(t *testing.T) {
	for kind, other := range map[string]string{
		"published/1": "published/2", "published/2": "published/1", "withdrawn/1": "withdrawn/2", "withdrawn/2": "withdrawn/1",
		"policy/1": "policy/2", "policy/2": "policy/1",
	} {
		e := goldens()[kind]
		raw, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		e.Raw = bytes.Replace(raw, []byte(kind), []byte(other), 1)
		if _, err := Encode(e); err == nil || !strings.Contains(err.Error(), "its body is "+kind) {
			t.Errorf("%s recorded as %s: %v", kind, other, err)
		}
	}
}

func TestDecodeRefusesWhatIsNoRecord(t *testing.T) {
	raw, err := Encode(goldens()["imported/1"])
	if err != nil {
		t.Fatal(err)
	}
	for n := range raw {
		if e, err := Decode(raw[:n]); err == nil {
			t.Errorf("%d of %d bytes decoded as %+v", n, len(raw), e)
		}
	}
	if _, err := Decode(make([]byte, MaxRecord+1)); err == nil {
		t.Error("a record over the limit was decoded")
	}
}

func TestNilAndEmptyListsAreOneContent(t *testing.T) {
	e := goldens()["generated/1"]
	body := e.Body.(Generated)
	body.Attempts = nil
	e.Body = body
	a, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	body.Attempts = []Attempt{}
	e.Body, e.Actor = body, "someone else"
	b, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := SameContent(a, b); err != nil || !same {
		t.Fatalf("%v, %v", same, err)
	}
}

func TestBatchLimits(t *testing.T) {
	event := func(i, size int) Event {
		e := goldens()["imported/1"]
		e.Key, e.Body = ImportedKey(strconv.Itoa(i)), Imported{Text: strings.Repeat("x", size)}
		return e
	}
	batch := func(n, size int) (events []Event) {
		for i := range n {
			events = append(events, event(i, size))
		}
		return events
	}
	for name, bad := range map[string][]Event{
		"empty":         nil,
		"too many":      batch(MaxBatch+1, 1),
		"too large":     batch(9, MaxRecord-1000),
		"one too large": batch(1, MaxRecord),
		"a key twice":   {event(1, 1), event(2, 1), event(1, 1)},
	} {
		if _, err := EncodeBatch(bad); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, good := range map[string][]Event{"most": batch(MaxBatch, 1), "largest": batch(8, MaxRecord-1000)} {
		if raws, err := EncodeBatch(good); err != nil || len(raws) != len(good) {
			t.Errorf("%s: %d records, %v", name, len(raws), err)
		}
	}
}

// The vocabulary of facts depends on an encoding, an ID format and on what a step is, and on nothing else, so that an
// event can be read by whatever program comes later.
func TestImports(t *testing.T) {
	allowed := map[string]bool{"assay/events/plain": true, "assay/raters/logic": true, "github.com/oklog/ulid/v2": true, "github.com/fxamacker/cbor/v2": true}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if first, _, _ := strings.Cut(path, "/"); (strings.Contains(first, ".") || first == "assay") && !allowed[path] {
					t.Errorf("%s imports %s", name, path)
				}
				seen++
			}
		}
	}
	if seen == 0 {
		t.Fatal("no import seen")
	}
}

func BenchmarkEncodeRated(b *testing.B) {
	e := goldens()["rated/1"]
	for b.Loop() {
		if _, err := Encode(e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeRated(b *testing.B) {
	raw, err := Encode(goldens()["rated/1"])
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}
