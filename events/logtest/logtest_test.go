package logtest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"assay/events"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemory(t *testing.T) {
	Run(t, func(testing.TB) Open {
		m := NewMemory()
		return func(testing.TB) (events.Log, func()) { return m, func() {} }
	})
}

// until appends a batch until the log says that it stands.
func until(t testing.TB, log events.Log, batch []events.Event) events.Receipt {
	for {
		receipt, err := log.Append(t.Context(), batch...)
		if err == nil {
			return receipt
		}
		if !errors.Is(err, ErrInjected) {
			t.Error(err)
			return nil
		}
	}
}

// A caller that retries ends with exactly one event each, in the order of its batch, whatever the log
// does, and so do many callers with the same facts.
func TestRetriesEndInExactlyOneEventEach(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		faults := rapid.SliceOfN(rapid.SampledFrom([]Fault{None, NotWritten, NotAcknowledged, Repeated}), 1, 60).Draw(rt, "faults")
		var mu sync.Mutex // guards faults
		log := Faulty{Log: NewMemory(), Next: func() Fault {
			mu.Lock()
			defer mu.Unlock()
			if len(faults) == 0 {
				return None
			}
			next := faults[0]
			faults = faults[1:]
			return next
		}}
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for b := range 10 {
					receipt := until(t, log, facts(fmt.Sprint("batch", b), 3))
					if len(receipt) != 3 || receipt[2].Seq != receipt[0].Seq+2 {
						t.Errorf("batch %d: receipt %v", b, receipt)
					}
				}
			})
		}
		group.Wait()
		if got := len(contents(t, log, 0)); got != 30 {
			rt.Fatalf("%d events, want 30", got)
		}
	})
}

// The faults are what they are called.
func TestFaults(t *testing.T) {
	fault := None
	log := Faulty{Log: NewMemory(), Next: func() Fault { return fault }}
	for i, c := range []struct {
		fault    Fault
		fails    bool
		recorded int
		appended int
	}{{None, false, 1, 1}, {NotWritten, true, 1, 0}, {NotAcknowledged, true, 2, 0}, {Repeated, false, 3, 0}} {
		fault = c.fault
		receipt, err := log.Append(t.Context(), Fact(fmt.Sprint(i), "text", 1))
		if errors.Is(err, ErrInjected) != c.fails || (err != nil) != c.fails || receipt.Appended() != c.appended {
			t.Errorf("fault %d: %v, %v", c.fault, receipt, err)
		}
		if got := len(contents(t, log, 0)); got != c.recorded {
			t.Errorf("fault %d: %d events recorded, want %d", c.fault, got, c.recorded)
		}
	}
	fault = NotAcknowledged
	var conflict *events.ConflictError
	if _, err := log.Append(t.Context(), Fact("0", "another", 1)); !errors.As(err, &conflict) {
		t.Errorf("a conflict under a fault: %v", err)
	}
}
