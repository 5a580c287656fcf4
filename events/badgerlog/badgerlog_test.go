package badgerlog

import (
	"path/filepath"
	"testing"

	"assay/events"
	"assay/events/logtest"

	"go.uber.org/goleak"
)

// When Badger does not open a damaged store it leaves some of these behind, and gives no handle to end them. A
// log that was not closed has others too.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/dgraph-io/badger/v4.(*DB).monitorCache"),
		goleak.IgnoreAnyFunction("github.com/dgraph-io/badger/v4.(*DB).updateSize"),
		goleak.IgnoreAnyFunction("github.com/dgraph-io/badger/v4/y.(*WaterMark).process"),
		goleak.IgnoreAnyFunction("github.com/dgraph-io/ristretto/v2/z.(*AllocatorPool).freeupAllocators"))
}

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
