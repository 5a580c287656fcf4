package registry

import (
	"fmt"
	"testing"
)

func FuzzParsePool(f *testing.F) {
	for _, name := range []string{"sudoku/classic", "sudoku/classic/hard", "", "/", "a//b", "a/b/c/d", "A/b", "a/b/", "é/b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		pool, err := parsePool(name, false)
		shelf, shelfErr := parsePool(name, true)
		if err == nil && (shelfErr != nil || pool != shelf || pool.level != "" || pool.String() != name) {
			t.Fatalf("%q is the pool %+v and the shelf %+v, %v", name, pool, shelf, shelfErr)
		}
		if shelfErr == nil && (shelf.String() != name || shelf.genre == "" || shelf.variant == "") {
			t.Fatalf("%q is read as %+v", name, shelf)
		}
	})
}

func FuzzParseAfter(f *testing.F) {
	for _, text := range []string{"", "hard:12", "hard:", ":12", "hard:-1", "hard:18446744073709551616", "a:b:3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		level, after, err := parseAfter(text)
		if err != nil || text == "" {
			return
		}
		again, same, err := parseAfter(fmt.Sprintf("%s:%d", level, after))
		if again != level || same != after || err != nil {
			t.Fatalf("%q is read as %q, %d, and that as %q, %d, %v", text, level, after, again, same, err)
		}
	})
}
