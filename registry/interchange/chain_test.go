package interchange

import (
	"slices"
	"testing"

	"assay/raters/chain"
)

// A chain over several lines is one text, with or without something between it and the next one; a chain of one line
// stays one, whatever stands above it.
func TestChainsOfSeveralLines(t *testing.T) {
	const one, two = "79 160 3 +65 -28 +55 +54 -36", "-5 9 3 +10 *2 +7 -3"
	for _, c := range []struct {
		file string
		want []string
	}{
		{one + "\n" + two + "\n", []string{"1 " + one, "2 " + two}},
		{"79 160 3\n+65 −28\n+55 +54 -36\n" + two, []string{"1 79 160 3\n+65 −28\n+55 +54 -36", "4 " + two}},
		{"chain\n79 160 3 +65 -28 +55\n+54 -36\n---\n41 386 4\n+15 swap\n÷92 +40\n+14\n", []string{"1 chain\n79 160 3 +65 -28 +55\n+54 -36", "5 41 386 4\n+15 swap\n÷92 +40\n+14"}},
		{"79\n160 3\n+65 -28 +55", []string{"1 79\n160 3\n+65 -28 +55"}},
		{"79 160 3 +65\n" + one + "\n" + two, []string{"1 79 160 3 +65", "2 " + one, "3 " + two}},
		{"79 160\n" + one, []string{"1 79 160", "2 " + one}},
		{one + "\n+1 +2\nhello\n79 160 x\n", []string{"1 " + one, "2 +1 +2", "3 hello", "4 79 160 x"}},
	} {
		if got := textsOf(t, c.file, For(chain.Genre(), chain.Variant)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
	}
}
