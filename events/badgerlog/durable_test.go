package badgerlog

import (
	"fmt"
	"path/filepath"
	"testing"

	"assay/events/logtest"
)

// afterAppend appends rounds events and tells after each acknowledgement how much of the file with the
// event is not on the disk.
func afterAppend(t *testing.T, o Options, rounds int) (dirty []int) {
	l := mustOpen(t, o)
	for round := range rounds {
		text := fmt.Sprintf("needle %d of %d in the log", round, rounds)
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", round), text, 1)); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(o.Dir, "*.mem"))
		if err != nil {
			t.Fatal(err)
		}
		held := -1
		for _, file := range files {
			if kib, at := logtest.Unwritten(t, file, []byte(text)); at >= 0 {
				held = kib
			}
		}
		if held < 0 {
			t.Fatalf("round %d: the acknowledged event is in none of %v", round, files)
		}
		dirty = append(dirty, held)
	}
	return dirty
}

// When an append is acknowledged, it is on the disk: the kernel has no page with the event that it still has to write.
// Killing the process would not test this, because the kernel writes such pages later. The same check on a log that
// does not sync shows that the check can fail.
func TestAcknowledgedIsOnDisk(t *testing.T) {
	for round, kib := range afterAppend(t, Options{Dir: logtest.DiskDir(t)}, 20) {
		if kib != 0 {
			t.Errorf("append %d was acknowledged with %d KiB not on the disk", round, kib)
		}
	}
	seen := 0
	for _, kib := range afterAppend(t, Options{Dir: logtest.DiskDir(t), noSync: true}, 20) {
		seen += kib
	}
	if seen == 0 {
		t.Error("without sync nothing was seen to wait for the disk: this test cannot tell")
	}
}
