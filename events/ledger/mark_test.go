package ledger

import (
	"bytes"
	"slices"
	"testing"

	"assay/events"

	"pgregory.net/rapid"
)

// A group bears its mark, and no other group, at no other place, under no other key does.
func TestMarks(t *testing.T) {
	own := mustOpen(t, Options{Dir: t.TempDir(), New: true, Marks: true, noSync: true})
	other := mustOpen(t, Options{Dir: t.TempDir(), New: true, Marks: true, noSync: true})
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 20), 1, 5).Draw(t, "records")
		after := events.Seq(rapid.Uint64().Draw(t, "after"))
		mark := own.Mark(after, records)
		if !own.Bears(after, records, mark) {
			t.Fatal("a group does not bear its mark")
		}
		changed := slices.Clone(records)
		changed[0] = slices.Concat(records[0][1:], []byte{records[0][0] + 1})
		joined := [][]byte{bytes.Join(records, nil), {}}
		flipped := slices.Clone(mark)
		flipped[rapid.IntRange(0, len(mark)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		for name, bears := range map[string]bool{
			"another group":  own.Bears(after, changed, mark),
			"other borders":  own.Bears(after, joined, mark),
			"fewer records":  own.Bears(after, records[1:], mark),
			"another place":  own.Bears(after+1, records, mark),
			"another key":    other.Bears(after, records, mark),
			"a changed mark": own.Bears(after, records, flipped),
			"a shorter mark": own.Bears(after, records, mark[:rapid.IntRange(0, len(mark)-1).Draw(t, "length")]),
			"an absent one":  own.Bears(after, records, nil),
			"an empty one":   own.Bears(after, records, []byte{}),
		} {
			if bears {
				t.Fatalf("%s bears the mark", name)
			}
		}
	})
}
