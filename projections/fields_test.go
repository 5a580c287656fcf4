package projections

import (
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"
)

// written is a row with every sort of field that Fields reads.
type written struct {
	_     struct{} `cbor:",toarray"`
	Name  string
	Seq   uint64
	Is    bool
	Parts []part
}

type part struct {
	_    struct{} `cbor:",toarray"`
	A, B string
}

func (w *written) read(f *Fields) error {
	if f.List() != 4 {
		return f.Wrong()
	}
	w.Name, w.Seq, w.Is = f.Text(), f.Uint(), f.Bool()
	w.Parts = make([]part, f.List())
	for i := range w.Parts {
		if f.List() != 2 {
			return f.Wrong()
		}
		w.Parts[i].A, w.Parts[i].B = f.Text(), f.Text()
	}
	return f.End()
}

func TestFieldsAreWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringN(0, 300, 70_000))
		want := written{Name: text.Draw(t, "name"), Seq: rapid.Uint64().Draw(t, "seq"), Is: rapid.Bool().Draw(t, "is")}
		for range rapid.IntRange(0, 30).Draw(t, "parts") {
			want.Parts = append(want.Parts, part{A: text.Draw(t, "a"), B: text.Draw(t, "b")})
		}
		data, err := encoder.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got written
		err = got.read(Row{Value: data}.Fields())
		if err != nil || got.Name != want.Name || got.Seq != want.Seq || got.Is != want.Is || !slices.Equal(got.Parts, want.Parts) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
	})
}

// FuzzFields: whatever the bytes, reading them ends in an error or in what cbor reads.
func FuzzFields(f *testing.F) {
	data, err := encoder.Marshal(written{Name: "x", Seq: 1 << 40, Is: true, Parts: []part{{A: "a"}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte{0x84, 0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want written
		if got.read(Row{Value: data}.Fields()) != nil {
			return
		}
		if err := cbor.Unmarshal(data, &want); err != nil {
			return // not in the form that rows are written in, such as a text that is not UTF-8
		}
		if got.Name != want.Name || got.Seq != want.Seq || got.Is != want.Is || !slices.Equal(got.Parts, want.Parts) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// BenchmarkFields reads a row by its fields and by reflection.
func BenchmarkFields(b *testing.B) {
	data, err := encoder.Marshal(written{Name: "classic", Seq: 12_345, Parts: []part{{A: "sudoku.tiers", B: "1"}}})
	if err != nil {
		b.Fatal(err)
	}
	row := Row{Value: data}
	for name, read := range map[string]func(*written) error{
		"fields":     func(w *written) error { return w.read(row.Fields()) },
		"reflection": row.decodeInto,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var w written
				if err := read(&w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func (r Row) decodeInto(w *written) error { return r.Decode(w) }
