package limits

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAffordable(t *testing.T) {
	for _, c := range []struct{ limit, open, asked, want int }{
		{20000, 30, 256, 256},
		{512, 100, 256, 256},
		{512, 100, 1000, 284},
		{256, 100, 256, 28},
		{128, 40, 256, 24},
		{100, 100, 256, 1},
		{8, 100, 256, 1},
	} {
		if got := affordable(c.limit, c.open, c.asked); got != c.want {
			t.Errorf("%d of a limit of %d with %d open: %d, want %d", c.asked, c.limit, c.open, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		limit, open, asked := rapid.IntRange(1, 1<<20).Draw(t, "limit"), rapid.IntRange(0, 1<<20).Draw(t, "open"), rapid.IntRange(1, 1<<20).Draw(t, "asked")
		got := affordable(limit, open, asked)
		if got < 1 || got > asked || got > 1 && limit-open-got < min(storeDescriptors, limit/2) {
			t.Errorf("%d of %d asked, limit %d, %d open", got, asked, limit, open)
		}
	})
}
