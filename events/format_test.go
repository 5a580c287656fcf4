package events

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func formatText(t *testing.T) string {
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The worked example of FORMAT.md is the golden withdrawal.
func TestFormatExample(t *testing.T) {
	_, rest, _ := strings.Cut(formatText(t), "```hex\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("FORMAT.md has no example")
	}
	raw, err := readHex(example)
	if err != nil {
		t.Fatal(err)
	}
	want := goldens()["withdrawn/1"]
	got, err := Decode(raw)
	if err != nil || got.Key != want.Key || !SameBody(got.Body, want.Body) || !got.Time.Equal(want.Time) {
		t.Fatalf("decoded as %+v, %v", got, err)
	}
	if again, err := Encode(want); err != nil || !bytes.Equal(again, raw) {
		t.Fatalf("encoded as %x, %v", again, err)
	}
}

var formatRow = regexp.MustCompile(`(?m)^\| (\d+) \| (\w+) \| [^|]+ \| ([^|]*)\|$`)

// The tables of FORMAT.md name every key and field of the structs, and which of them may be left out.
func TestFormatTables(t *testing.T) {
	text := formatText(t)
	_, head, _ := strings.Cut(text, "## Record\n")
	head, _, _ = strings.Cut(head, "\n#")
	checkTable(t, "record", head, reflect.TypeFor[record]())
	sections := map[string]string{} // of all versions of a kind, the first one first
	for _, kind := range slices.Sorted(maps.Keys(bodies)) {
		_, section, ok := strings.Cut(text, "### "+kind+"\n")
		if !ok {
			t.Errorf("FORMAT.md has no section %s", kind)
		}
		section, _, _ = strings.Cut(section, "\n#")
		name, _, _ := strings.Cut(kind, "/")
		sections[name] += section
	}
	for kind := range bodies {
		name, _, _ := strings.Cut(kind, "/")
		section := sections[name]
		if kind == "restored/1" { // said to have the fields of the other
			section = sections["dropped"]
		}
		checkTable(t, kind, section, reflect.TypeOf(goldens()[kind].Body))
	}
}

func checkTable(t *testing.T, name, section string, typ reflect.Type) {
	var want, got []string
	for i := range typ.NumField() {
		field := typ.Field(i)
		key, rest, _ := strings.Cut(field.Tag.Get("cbor"), ",")
		entry := key + " " + field.Name
		if strings.Contains(rest, "omit") {
			entry += " optional"
		}
		want = append(want, entry)
	}
	for _, row := range formatRow.FindAllStringSubmatch(section, -1) {
		entry := row[1] + " " + row[2]
		if strings.HasPrefix(row[3], "optional") {
			entry += " optional"
		}
		got = append(got, entry)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: FORMAT.md has %q\nthe struct has %q", name, got, want)
	}
}
