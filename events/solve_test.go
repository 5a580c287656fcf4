package events

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"assay/raters/logic"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func anySolve(t *rapid.T) Solve {
	list := rapid.SliceOfN(rapid.Map(rapid.Uint16(), func(n uint16) logic.Literal { return logic.Literal(n) }), 0, 40)
	s := Solve{
		Naming: logic.Naming{
			Columns:   rapid.IntRange(0, 16).Draw(t, "columns"),
			Variables: rapid.SliceOfN(rapid.StringN(0, 9, 30), 0, 5).Draw(t, "variables"),
			Values:    rapid.SliceOfN(rapid.StringN(0, 9, 30), 0, 16).Draw(t, "values"),
		},
	}
	known := []logic.Technique{{Name: "naked-single", Level: "easy", Tier: 1}, {Name: text(t, "technique")}}
	step := rapid.Custom(func(t *rapid.T) logic.Step {
		used := rapid.SampledFrom(known).Draw(t, "technique")
		if !slices.Contains(s.Techniques, used) {
			s.Techniques = append(s.Techniques, used)
		}
		return logic.Step{
			Technique: used.Name, Level: used.Level, Instance: rapid.StringN(0, 20, 60).Draw(t, "instance"),
			Placed: list.Draw(t, "placed"), Removed: list.Draw(t, "removed"), Because: list.Draw(t, "because"),
			From: rapid.SliceOfN(rapid.Uint16(), 0, 40).Draw(t, "from"),
		}
	})
	for range rapid.IntRange(0, 60).Draw(t, "steps") {
		s.Steps = append(s.Steps, step.Draw(t, "step"))
		if rapid.IntRange(0, 9).Draw(t, "supposes") == 0 {
			s.Steps[len(s.Steps)-1].Chain = rapid.SliceOfN(step, 1, 7).Draw(t, "chain")
		}
	}
	return s
}

func TestSolveIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anySolve(t)
		data, err := EncodeSolve(want)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := Rated{Steps: data}.Solve()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The bytes were written out by hand from FORMAT.md.
func TestSolveIsWrittenAsTheFormatSays(t *testing.T) {
	s := Solve{
		Naming:     logic.Naming{Columns: 9, Values: []string{"1", "2"}},
		Techniques: []logic.Technique{{Name: "not used", Tier: 1}, {Name: "x", Level: "hard", Tier: 3}},
		Steps: []logic.Step{{
			Technique: "x", Level: "hard", Instance: "row 1", Removed: []logic.Literal{17, 16, 300}, Because: []logic.Literal{5}, From: []uint16{1, 2},
		}},
	}
	const want = "85" + // [columns, variables, values, techniques, steps]
		"09" + "80" + "82" + "6131" + "6132" +
		"81" + "83" + "6178" + "6468617264" + "03" +
		"81" + "86" + "00" + "65726f772031" + "80" + "83" + "11" + "20" + "19011c" + "81" + "05" + "82" + "01" + "01"
	data, err := EncodeSolve(s)
	if err != nil || hex.EncodeToString(data) != want {
		t.Fatalf("%x, %v\nwant %s", data, err, want)
	}
	s.Steps[0].Chain = []logic.Step{{Technique: "x", Level: "hard", Instance: "row 2", Removed: []logic.Literal{16}, From: []uint16{1}}}
	chained := "86" + want[2:] + "81" + "82" + "00" + "81" + "86" + "00" + "65726f772032" + "80" + "81" + "10" + "80" + "81" + "01"
	data, err = EncodeSolve(s)
	if err != nil || hex.EncodeToString(data) != chained {
		t.Fatalf("with a chain %x, %v\nwant %s", data, err, chained)
	}
}

func TestRatingWithoutStepsHasNoSolve(t *testing.T) {
	if s, ok, err := (Rated{}).Solve(); ok || err != nil || len(s.Steps) != 0 {
		t.Fatal(s, ok, err)
	}
}

// Whatever bytes stand where a solve should, reading them ends in an error or in a solve whose steps are written as they were
// read. A technique that no step is of is not written.
func FuzzSolve(f *testing.F) {
	data, err := EncodeSolve(Solve{
		Naming: logic.Naming{Columns: 9, Values: []string{"1"}}, Steps: []logic.Step{{Technique: "x", Placed: []logic.Literal{16}, From: []uint16{3, 1}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte{0x81, 0x10}, []byte{0x81, 0x20}, 1)) // a literal below 0
	f.Add([]byte{0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Rated{Steps: data}.Solve()
		if err != nil || len(data) == 0 {
			return
		}
		again, err := EncodeSolve(s)
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := Rated{Steps: again}.Solve()
		if err != nil {
			t.Fatal(err)
		}
		s.Techniques, back.Techniques = nil, nil
		if diff := cmp.Diff(s, back, cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestStepsOutOfRangeAreRefused(t *testing.T) {
	for name, w := range map[string]writtenSolve{
		"technique":      {Steps: []writtenStep{{Technique: 0}}},
		"below 0":        {Techniques: []logic.Technique{{}}, Steps: []writtenStep{{Placed: []int32{3, -4}}}},
		"over 65,535":    {Techniques: []logic.Technique{{}}, Steps: []writtenStep{{From: []int32{65535, 1}}}},
		"sum that wraps": {Techniques: []logic.Technique{{}}, Steps: []writtenStep{{From: []int32{1<<31 - 1, 1<<31 - 1, 2}}}},
		"columns":        {Columns: -1},
	} {
		data, err := encoder.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		if s, _, err := (Rated{Steps: data}).Solve(); err == nil {
			t.Errorf("%s: read as %+v", name, s)
		}
	}
}

// BenchmarkReadSolve reads a solve of 60 steps field by field, and its bare fields by reflection.
func BenchmarkReadSolve(b *testing.B) {
	s := Solve{
		Naming:     logic.Naming{Columns: 9, Values: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		Techniques: []logic.Technique{{Name: "naked-single", Level: "easy", Tier: 1}},
	}
	for i := range uint16(60) {
		l := logic.Literal(i)
		s.Steps = append(s.Steps, logic.Step{
			Technique: "naked-single", Level: "easy", Instance: "r5c5", Placed: []logic.Literal{16 * l}, Removed: []logic.Literal{16*l + 1, 16*l + 2},
			Because: []logic.Literal{l, l + 1, l + 16, l + 17}, From: []uint16{1, 2, 3},
		})
	}
	data, err := EncodeSolve(s)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("fields", func(b *testing.B) {
		for b.Loop() {
			if _, err := decodeSolve(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("reflection", func(b *testing.B) {
		for b.Loop() {
			var w writtenSolve
			if err := decoder.Unmarshal(data, &w); err != nil {
				b.Fatal(err)
			}
		}
	})
}
