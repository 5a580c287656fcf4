package natslog

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

const (
	fullBatch = 516      // events
	tightRoom = 3 << 20  // bytes, for some batches and a part of one
	wideRoom  = 64 << 20 // bytes
)

// tight gives the options of a server with little room.
var tight = natstest.OptionsOf(tightRoom)

// fill appends batches until one is refused, and gives it with what it was refused with, and how many events stand.
func fill(t testing.TB, l *Log) (refused []events.Event, stand int, err error) {
	t.Helper()
	for round := range 100 {
		batch := logtest.Batch(t, round, fullBatch, 1000)
		if _, err := l.Append(t.Context(), batch...); err != nil {
			return batch, stand, err
		}
		stand += len(batch)
	}
	t.Fatal("it is not full")
	return nil, 0, nil
}

// A batch for which there is not enough room is refused, the error says what is full, and nobody is shown a part of it:
// neither who reads nor who signs.
func TestAFullStore(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) string{
		"one server": func(t *testing.T) string { return natstest.Start(t, tight(natstest.StoreDir(t))).ClientURL() },
		"account of one server": func(t *testing.T) string {
			s := natstest.One(t)
			natstest.GiveAccount(t, tightRoom, s)
			return s.ClientURL()
		},
		"account of the cluster": func(t *testing.T) string {
			c := natstest.StartCluster(t)
			natstest.GiveAccount(t, tightRoom, c.Servers...)
			return c.URL()
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := start(t)
			l, beside := openWhenReady(t, Options{Options: link.Options{URL: url}}), openWhenReady(t, Options{Options: link.Options{URL: url}})
			batch, stand, err := fill(t, l)
			if !errors.Is(err, events.ErrFull) || errors.Is(err, link.ErrNoAnswer) {
				t.Errorf("refused with: %v", err)
			}
			wantShown(t, beside, stand, batch[0].Key)
			wantShown(t, l, stand, batch[0].Key)
			if _, err := beside.Append(t.Context(), logtest.Fact("other", strings.Repeat("text", 10), 1)); err != nil && !errors.Is(err, events.ErrFull) {
				t.Errorf("another append: %v", err)
			}
		})
	}
}

// In a cluster a full server gives up the lead without a word, and so does the next: the append says what may be.
func TestAFullCluster(t *testing.T) {
	o := Options{Options: link.Options{URL: natstest.StartClusterWith(t, tight).URL(), Patience: time.Second}}
	_, stand, err := fill(t, openWhenReady(t, o))
	if !errors.Is(err, events.ErrFull) && (!errors.Is(err, link.ErrNoAnswer) || !strings.Contains(err.Error(), "has room there")) {
		t.Errorf("refused with: %v", err)
	}
	reader := openWhenReady(t, Options{Options: link.Options{URL: o.URL}})
	if n, err := readAll(t.Context(), reader); n != stand || err != nil {
		t.Errorf("%d events are shown, want %d, %v", n, stand, err)
	}
}

// wantShown sees that a log shows this many events and not that under a key, and signs as many.
func wantShown(t testing.TB, l *Log, want int, not events.Key) {
	t.Helper()
	if n, err := readAll(t.Context(), l); n != want || err != nil {
		t.Errorf("%d events are shown, want %d, %v", n, want, err)
	}
	if e, err := l.Get(t.Context(), not); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("shown: event %d, %v", e.Seq, err)
	}
	if list, err := l.GetEach(t.Context(), []events.Key{not}); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("shown: %d events, %v", len(list), err)
	}
	if size, root, err := ledger.RootOf(t.Context(), l, 1<<40); int(size) != want || err != nil {
		t.Errorf("to be signed: %d events with root %v, %v", size, root, err)
	}
}

// cutOffLog returns a log that ends with a part of a batch, and the account's room to give more of.
func cutOffLog(t *testing.T) (give func(room int64), l *Log, batch []events.Event, stand int) {
	t.Helper()
	s := natstest.One(t)
	give = func(room int64) { natstest.GiveAccount(t, room, s) }
	give(tightRoom)
	l = mustOpen(t, Options{Options: link.Options{URL: s.ClientURL()}})
	batch, stand, _ = fill(t, l)
	info, err := l.servers.StreamInfo(t.Context(), l.o.Stream)
	if err != nil || int(info.State.LastSeq) <= stand || int(info.State.LastSeq) >= stand+len(batch) {
		t.Fatalf("the server does not stop in the middle of a batch any more: %d messages of %d and %d, %v", info.State.LastSeq, stand, len(batch), err)
	}
	return give, l, batch, stand
}

// When there is room again, nothing comes after the part of a batch; the same append completes it, and counts all of it as
// new.
func TestTheSameAppendCompletesABatch(t *testing.T) {
	give, full, batch, stand := cutOffLog(t)
	give(wideRoom)
	l := mustOpen(t, full.o)
	changed := batch[0]
	changed.Body = events.Imported{Puzzle: "another"}
	for what, other := range map[string][]events.Event{
		"another": {logtest.Fact("other", "text", 1)}, "a part of it": batch[:10], "its beginning changed": append([]events.Event{changed}, batch[1:]...),
	} {
		if _, err := l.Append(t.Context(), other...); !errors.Is(err, events.ErrFull) || !strings.Contains(err.Error(), "do again what was appended") {
			t.Errorf("%s: %v", what, err)
		}
	}
	wantShown(t, l, stand, batch[0].Key)
	receipt, err := l.Append(t.Context(), batch...)
	if err != nil || receipt.Appended() != len(batch) || receipt[0].Seq != events.Seq(stand+1) || receipt[len(batch)-1].Seq != events.Seq(stand+len(batch)) {
		t.Fatalf("%d events appended, %v", receipt.Appended(), err)
	}
	wantWhole(t, l, batch, stand)
	if receipt, err := l.Append(t.Context(), logtest.Fact("other", "text", 1)); err != nil || receipt[0].Seq != events.Seq(stand+len(batch)+1) {
		t.Error(receipt, err)
	}
}

// wantWhole sees that a log shows a batch after this many events.
func wantWhole(t testing.TB, l *Log, batch []events.Event, stand int) {
	t.Helper()
	if n, err := readAll(t.Context(), l); n != stand+len(batch) || err != nil {
		t.Errorf("%d events, want %d, %v", n, stand+len(batch), err)
	}
	for i, e := range batch {
		if got, err := l.Get(t.Context(), e.Key); err != nil || got.Seq != events.Seq(stand+i+1) {
			t.Fatalf("event %d of the batch: %d, %v", i, got.Seq, err)
		}
	}
}

// So does the server when it is started again with room.
func TestAServerCompletesABatch(t *testing.T) {
	o := tight(natstest.StoreDir(t))
	s := natstest.Start(t, o.Clone())
	l := mustOpen(t, Options{Options: link.Options{URL: s.ClientURL()}})
	batch, stand, err := fill(t, l)
	wantShown(t, l, stand, batch[0].Key)
	natstest.Stop(s)
	o.JetStreamMaxStore = wideRoom
	l = mustOpen(t, Options{Options: link.Options{URL: natstest.Start(t, o).ClientURL()}})
	wantWhole(t, l, batch, stand)
	if receipt, again := l.Append(t.Context(), batch...); again != nil || receipt.Appended() != 0 {
		t.Errorf("%d events appended, %v; at first %v", receipt.Appended(), again, err)
	}
}

// A batch whose completion was cut off as well is still shown to nobody.
func TestABatchThatIsCutOffTwice(t *testing.T) {
	give, l, batch, stand := cutOffLog(t)
	give(tightRoom + 50_000)
	if _, err := l.Append(t.Context(), batch...); !errors.Is(err, events.ErrFull) {
		t.Error(err)
	}
	wantShown(t, l, stand, batch[0].Key)
	wantShown(t, mustOpen(t, l.o), stand, batch[0].Key)
	give(wideRoom)
	if receipt, err := l.Append(t.Context(), slices.Clone(batch)...); err != nil || receipt.Appended() != len(batch) {
		t.Error(receipt.Appended(), err)
	}
	wantWhole(t, l, batch, stand)
}

// A checkpoint for which there is no room says so.
func TestAFullBoard(t *testing.T) {
	_, l, _, _ := cutOffLog(t)
	if err := l.Board().Post(t.Context(), make([]byte, 100_000)); !errors.Is(err, events.ErrFull) {
		t.Error(err)
	}
}
