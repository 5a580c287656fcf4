package events

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func anySolve(t *rapid.T) Solve {
	list := rapid.SliceOfN(rapid.Uint16(), 0, 40)
	s := Solve{
		Columns:    rapid.IntRange(0, 16).Draw(t, "columns"),
		Variables:  rapid.SliceOfN(rapid.StringN(0, 9, 30), 0, 5).Draw(t, "variables"),
		Values:     rapid.SliceOfN(rapid.StringN(0, 9, 30), 0, 16).Draw(t, "values"),
		Techniques: []Technique{{Name: "naked-single", Level: "easy", Tier: 1}, {Name: text(t, "technique")}},
	}
	step := rapid.Custom(func(t *rapid.T) Step {
		return Step{
			Technique: rapid.IntRange(0, 1).Draw(t, "index"), Instance: rapid.StringN(0, 20, 60).Draw(t, "instance"),
			Placed: list.Draw(t, "placed"), Removed: list.Draw(t, "removed"), Because: list.Draw(t, "because"), From: list.Draw(t, "from"),
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
		for name, read := range map[string]func() (Solve, bool, error){
			"as it is read":  Rated{Steps: data}.Solve,
			"field by field": func() (Solve, bool, error) { s, ok := readSolve(data); return s, ok, nil },
			"by reflection":  func() (Solve, bool, error) { s, err := reflectSolve(data); return s, true, err },
		} {
			got, ok, err := read()
			if err != nil || !ok {
				t.Fatal(name, ok, err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
				t.Fatal(name, diff)
			}
		}
	})
}

// The bytes were written out by hand from FORMAT.md.
func TestSolveIsWrittenAsTheFormatSays(t *testing.T) {
	s := Solve{
		Columns: 9, Values: []string{"1", "2"}, Techniques: []Technique{{Name: "x", Level: "hard", Tier: 3}},
		Steps: []Step{{Instance: "row 1", Removed: []uint16{17, 16, 300}, Because: []uint16{5}, From: []uint16{1, 2}}},
	}
	const want = "85" + // [columns, variables, values, techniques, steps]
		"09" + "80" + "82" + "6131" + "6132" +
		"81" + "83" + "6178" + "6468617264" + "03" +
		"81" + "86" + "00" + "65726f772031" + "80" + "83" + "11" + "20" + "19011c" + "81" + "05" + "82" + "01" + "01"
	data, err := EncodeSolve(s)
	if err != nil || hex.EncodeToString(data) != want {
		t.Fatalf("%x, %v\nwant %s", data, err, want)
	}
	s.Steps[0].Chain = []Step{{Instance: "row 2", Removed: []uint16{16}, From: []uint16{1}}}
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

// Whatever bytes stand where a solve should, reading them ends in an error or in a solve that is written
// as it was read.
func FuzzSolve(f *testing.F) {
	data, err := EncodeSolve(Solve{Columns: 9, Values: []string{"1"}, Techniques: []Technique{{Name: "x"}}, Steps: []Step{{Placed: []uint16{16}, From: []uint16{3, 1}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte{0x81, 0x10}, []byte{0x81, 0x20}, 1)) // a literal below 0
	f.Add([]byte{0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Rated{Steps: data}.Solve()
		if fast, ok := readSolve(data); ok {
			slow, err := reflectSolve(data)
			if diff := cmp.Diff(slow, fast, cmpopts.EquateEmpty(), ignoreMarkers); diff != "" || err != nil {
				t.Fatalf("read field by field it is another solve: %v\n%s", err, diff)
			}
		}
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
		if diff := cmp.Diff(s, back, cmpopts.EquateEmpty(), ignoreMarkers); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestStepsOutOfRangeAreRefused(t *testing.T) {
	for name, w := range map[string]writtenSolve{
		"technique":      {Steps: []writtenStep{{Technique: 0}}},
		"below 0":        {Techniques: []Technique{{}}, Steps: []writtenStep{{Placed: []int32{3, -4}}}},
		"over 65,535":    {Techniques: []Technique{{}}, Steps: []writtenStep{{From: []int32{65535, 1}}}},
		"sum that wraps": {Techniques: []Technique{{}}, Steps: []writtenStep{{From: []int32{1<<31 - 1, 1<<31 - 1, 2}}}},
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

// BenchmarkReadSolve reads a solve of 60 steps both ways.
func BenchmarkReadSolve(b *testing.B) {
	s := Solve{Columns: 9, Values: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Techniques: []Technique{{Name: "naked-single", Level: "easy", Tier: 1}}}
	for i := range uint16(60) {
		s.Steps = append(s.Steps, Step{
			Instance: "r5c5", Placed: []uint16{16 * i}, Removed: []uint16{16*i + 1, 16*i + 2}, Because: []uint16{i, i + 1, i + 16, i + 17}, From: []uint16{1, 2, 3},
		})
	}
	data, err := EncodeSolve(s)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("fields", func(b *testing.B) {
		for b.Loop() {
			if _, ok := readSolve(data); !ok {
				b.Fatal("not read")
			}
		}
	})
	b.Run("reflection", func(b *testing.B) {
		for b.Loop() {
			if _, err := reflectSolve(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
