package badgerlog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay/events"
	"assay/events/logtest"

	"go.uber.org/goleak"
)

// When Badger does not open a damaged store it leaves these two behind, and gives no handle to end them. A
// log that was not closed has others too.
func TestMain(m *testing.M) {
	code := m.Run()
	err := goleak.Find(append(abandoned,
		goleak.IgnoreAnyFunction("github.com/dgraph-io/badger/v4.(*DB).monitorCache"),
		goleak.IgnoreAnyFunction("github.com/dgraph-io/ristretto/v2/z.(*AllocatorPool).freeupAllocators"))...)
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// abandoned lets the search for leaks pass over more of what Badger leaves behind: of some thousand flipped bits, a few
// make it give up when more has begun.
var abandoned []goleak.Option

func mustOpen(t testing.TB, o Options) *Log {
	t.Helper()
	if o.Reserve == 0 {
		o.Reserve = 1 // the machine's disk is not what is tested
	}
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestLog(t *testing.T) {
	logtest.Run(t, func(t testing.TB) logtest.Open {
		dir := filepath.Join(t.TempDir(), "log")
		return func(t testing.TB) (events.Log, func()) {
			l := mustOpen(t, Options{Dir: dir})
			return l, func() {
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
