package logtest

import (
	"errors"
	"fmt"
	"testing"

	"assay/events"

	"pgregory.net/rapid"
)

// model is the simplest form of a log: the facts in sequence. In the log under test they come after a base, because one
// log serves all runs of the property, each under names of its own.
type model struct {
	log    *openedLog
	t      testing.TB
	run    int
	base   events.Seq
	facts  []events.Event
	number uint64
}

func testModel(t *testing.T, l *openedLog) {
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := &model{log: l, t: t, run: run, base: events.Seq(len(contents(t, l, 0)))}
		rt.Repeat(map[string]func(*rapid.T){
			"append": m.append,
			"get":    m.get,
			"read":   m.read,
			"reopen": m.reopen,
		})
	})
}

func (m *model) draw(t *rapid.T) events.Event {
	m.number++
	name := fmt.Sprintf("r%d-%d", m.run, rapid.IntRange(0, 9).Draw(t, "name"))
	return Fact(name, rapid.SampledFrom([]string{"text", "text", "text", "another"}).Draw(t, "text"), m.number)
}

// find returns the position of a key in the model, or -1.
func (m *model) find(key events.Key) int {
	for i, e := range m.facts {
		if e.Key == key {
			return i
		}
	}
	return -1
}

func (m *model) append(t *rapid.T) {
	batch := rapid.SliceOfN(rapid.Custom(m.draw), 1, 5).Draw(t, "batch")
	want, grown, wantErr := m.expect(batch)
	got, err := m.log.Append(m.t.Context(), batch...)
	var conflict *events.ConflictError
	switch {
	case errors.As(wantErr, &conflict):
		if g := new(events.ConflictError); !errors.As(err, &g) || *g != *conflict {
			t.Fatalf("%v, want %v", err, wantErr)
		}
	case wantErr != nil || err != nil:
		if wantErr == nil || !errors.Is(err, wantErr) {
			t.Fatalf("%v, want %v", err, wantErr)
		}
	case fmt.Sprint(got) != fmt.Sprint(want):
		t.Fatalf("receipt %v, want %v", got, want)
	}
	m.facts = grown
}

// expect returns what Append must answer, and the facts after it.
func (m *model) expect(batch []events.Event) (events.Receipt, []events.Event, error) {
	receipt, grown, named := events.Receipt{}, m.facts, map[events.Key]bool{}
	var conflict error
	for _, e := range batch {
		if named[e.Key] {
			return nil, m.facts, events.ErrTooLarge
		}
		named[e.Key] = true
		at := m.find(e.Key)
		switch {
		case at < 0:
			grown = append(grown[:len(grown):len(grown)], e)
			receipt = append(receipt, events.Placed{Seq: m.base + events.Seq(len(grown)), Appended: true})
		case m.facts[at].Body == e.Body:
			receipt = append(receipt, events.Placed{Seq: m.base + events.Seq(at+1)})
		case conflict == nil:
			conflict = &events.ConflictError{Key: e.Key, At: m.base + events.Seq(at+1)}
		}
	}
	if conflict != nil {
		return nil, m.facts, conflict
	}
	return receipt, grown, nil
}

func (m *model) get(t *rapid.T) {
	key := m.draw(t).Key
	got, err := m.log.Get(m.t.Context(), key)
	if at := m.find(key); at >= 0 {
		if err != nil || got.Seq != m.base+events.Seq(at+1) {
			t.Fatalf("%s: event %d, %v", key, got.Seq, err)
		}
		wantStored(m.t, m.facts[at], got)
	} else if !errors.Is(err, events.ErrNotFound) {
		t.Fatalf("%s: event %d, %v", key, got.Seq, err)
	}
}

func (m *model) read(t *rapid.T) {
	after := rapid.IntRange(0, len(m.facts)).Draw(t, "after")
	got := contents(m.t, m.log, m.base+events.Seq(after))
	if len(got) != len(m.facts)-after {
		t.Fatalf("%d events after %d, want %d", len(got), after, len(m.facts)-after)
	}
	for i, e := range got {
		wantStored(m.t, m.facts[after+i], e)
	}
}

// reopen is rare, because it may cost as much as hundreds of other steps.
func (m *model) reopen(t *rapid.T) {
	if rapid.IntRange(0, 29).Draw(t, "seldom") == 7 {
		m.log.reopen(m.t)
	}
}
