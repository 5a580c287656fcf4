package registry

import (
	"testing"

	"assay/registry/schedule"
)

// The seed was computed apart, as the first eight bytes of HMAC-SHA-256 under the bytes 0 to 31 over
// "2026-12-25/1/3". It must never change: it is what makes a restored registry go on with the same days.
func TestDaySeed(t *testing.T) {
	secret := make([]byte, 32)
	for i := range secret {
		secret[i] = byte(i)
	}
	if got, want := daySeed(secret, schedule.Date{Year: 2026, Month: 12, Day: 25}, 1, 3), uint64(8773312671780500972); got != want {
		t.Fatalf("%d, want %d", got, want)
	}
}
