package natslog

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// A stream that is set otherwise is refused, and each difference is named.
func TestAStreamSetOtherwiseIsRefused(t *testing.T) {
	url := natstest.One(t).ClientURL()
	js := natstest.JetStream(t, url)
	want := mustOpen(t, Options{Options: link.Options{URL: url}, Stream: "MODEL"}).config()
	for name, c := range map[string]struct {
		spoil func(s *jetstream.StreamConfig)
		says  []string
	}{
		"as it is":     {func(*jetstream.StreamConfig) {}, nil},
		"memory":       {func(s *jetstream.StreamConfig) { s.Storage = jetstream.MemoryStorage }, []string{"storage: Memory, not File"}},
		"deletable":    {func(s *jetstream.StreamConfig) { s.DenyDelete = false }, []string{"deny delete: false, not true"}},
		"purgeable":    {func(s *jetstream.StreamConfig) { s.DenyPurge = false }, []string{"deny purge: false, not true"}},
		"limits":       {func(s *jetstream.StreamConfig) { s.MaxMsgs, s.MaxBytes = 1000, 1<<20 }, []string{"max messages: 1000, not -1", "max bytes: 1048576, not -1"}},
		"ages":         {func(s *jetstream.StreamConfig) { s.MaxAge = time.Hour }, []string{"max age: 1h0m0s, not 0s"}},
		"one a key":    {func(s *jetstream.StreamConfig) { s.MaxMsgsPerSubject = 1 }, []string{"max messages per subject: 1, not -1"}},
		"small":        {func(s *jetstream.StreamConfig) { s.MaxMsgSize = 1000 }, []string{"max message size: 1000, not -1"}},
		"drops old":    {func(s *jetstream.StreamConfig) { s.Discard = jetstream.DiscardOld }, []string{"discard: DiscardOld, not DiscardNew"}},
		"a queue":      {func(s *jetstream.StreamConfig) { s.Retention = jetstream.WorkQueuePolicy }, []string{"retention: WorkQueue, not Limits"}},
		"rolls up":     {func(s *jetstream.StreamConfig) { s.DenyPurge, s.AllowRollup = false, true }, []string{"deny purge: false, not true", "allow rollup: true, not false"}},
		"no batches":   {func(s *jetstream.StreamConfig) { s.AllowAtomicPublish = false }, []string{"allow atomic batches: false, not true"}},
		"no direct":    {func(s *jetstream.StreamConfig) { s.AllowDirect = false }, []string{"allow direct get: false, not true"}},
		"TTL":          {func(s *jetstream.StreamConfig) { s.AllowMsgTTL = true }, []string{"allow message TTL: true, not false"}},
		"republishes":  {func(s *jetstream.StreamConfig) { s.RePublish = &jetstream.RePublish{Source: ">", Destination: "x.>"} }, []string{"republish: true, not false"}},
		"begins later": {func(s *jetstream.StreamConfig) { s.FirstSeq = 10 }, []string{"first sequence: 10, not 1"}},
		"more":         {func(s *jetstream.StreamConfig) { s.Subjects = append(s.Subjects, "other") }, []string{"subjects: ["}},
		"async": {func(s *jetstream.StreamConfig) {
			s.AllowAtomicPublish, s.PersistMode = false, jetstream.AsyncPersistMode
		}, []string{"persist mode: "}},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Options: link.Options{URL: url}, Stream: fmt.Sprint("SET", streams.Add(1))}
			stream := want
			stream.Name, stream.Subjects = o.Stream, []string{o.Stream + ".log.>"}
			c.spoil(&stream)
			if _, err := js.CreateStream(t.Context(), stream); err != nil {
				t.Fatal(err)
			}
			l, err := Open(t.Context(), o)
			if err == nil {
				l.Close()
			}
			if errors.Is(err, link.ErrSetOtherwise) != (c.says != nil) || err != nil && c.says == nil {
				t.Fatal(err)
			}
			for _, says := range c.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("it does not say %q: %v", says, err)
				}
			}
		})
	}
}

// So is the stream of the checkpoints, before one is posted there.
func TestABoardSetOtherwiseIsRefused(t *testing.T) {
	url := natstest.One(t).ClientURL()
	l := mustOpen(t, Options{Options: link.Options{URL: url}})
	otherwise := l.Board().config()
	otherwise.Storage, otherwise.DenyDelete = jetstream.MemoryStorage, false
	js := natstest.JetStream(t, url)
	if _, err := js.CreateStream(t.Context(), otherwise); err != nil {
		t.Fatal(err)
	}
	err := l.Board().Post(t.Context(), []byte("checkpoint"))
	if !errors.Is(err, link.ErrSetOtherwise) || !strings.Contains(err.Error(), "storage: Memory, not File") || !strings.Contains(err.Error(), "deny delete: false, not true") {
		t.Error(err)
	}
}

// One that was deleted is made again by the board that posts.
func TestABoardThatWasDeletedIsMadeAgain(t *testing.T) {
	url := natstest.One(t).ClientURL()
	b := mustOpen(t, Options{Options: link.Options{URL: url}}).Board()
	for _, notes := range []string{"first", "second"} {
		if _, err := b.Posted(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := b.Post(t.Context(), []byte(notes)); err != nil {
			t.Fatal(notes, err)
		}
		if posted, err := b.Posted(t.Context()); string(posted) != notes || err != nil {
			t.Errorf("%s: %q, %v", notes, posted, err)
		}
		if err := natstest.JetStream(t, url).DeleteStream(t.Context(), b.stream()); err != nil {
			t.Fatal(err)
		}
	}
}

// A name that cannot be a stream's, a server that takes too little, and no server.
func TestWhatCannotBeOpened(t *testing.T) {
	o := natstest.Options(natstest.StoreDir(t))
	o.MaxPayload = 64 << 10
	small := natstest.Start(t, o).ClientURL()
	for url, c := range map[string]struct {
		o    Options
		says string
	}{
		"name":    {Options{Options: link.Options{URL: small}, Stream: "a.b"}, "no name for a stream"},
		"payload": {Options{Options: link.Options{URL: small}}, "max_payload"},
		"nobody":  {Options{Options: link.Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", natstest.FreePorts(t, 1)[0])}}, "no connection"},
		"CA":      {Options{Options: link.Options{URL: small, CA: "none.pem"}}, "none.pem"},
		"nkey":    {Options{Options: link.Options{URL: small, NKey: "none.nk"}}, "none.nk"},
	} {
		if _, err := Open(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// Messages that are gone, or were never events, are told of when the log is opened or read.
func TestAStreamThatWasTamperedWith(t *testing.T) {
	url := natstest.One(t).ClientURL()
	js := natstest.JetStream(t, url)
	ctx := t.Context()

	l := mustOpen(t, Options{Options: link.Options{URL: url}, Stream: "FOREIGN"})
	if _, err := l.Append(ctx, logtest.Fact("a", "text", 1)); err != nil {
		t.Fatal(err)
	}
	raw, err := events.Encode(logtest.Fact("b", "text", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "FOREIGN.log.imported.c", raw); err != nil {
		t.Fatal(err)
	}
	if n, err := readAll(ctx, l); n != 1 || !errors.Is(err, events.ErrDamaged) || !strings.Contains(err.Error(), "lies at the subject") {
		t.Errorf("an event at another's subject: %d events, %v", n, err)
	}
	if _, err := l.Get(ctx, events.ImportedKey("c")); !errors.Is(err, events.ErrDamaged) {
		t.Errorf("got: %v", err)
	}

	short := mustOpen(t, Options{Options: link.Options{URL: url}, Stream: "SHORT"})
	if _, err := short.Append(ctx, logtest.Fact("a", "text", 1)); err != nil {
		t.Fatal(err)
	}
	short.Certain(2)
	if n, err := readAll(ctx, short); n != 1 || !errors.Is(err, events.ErrDamaged) || !strings.Contains(err.Error(), "event 2 is missing") {
		t.Errorf("a log without what is certain: %d events, %v", n, err)
	}

	gone := l.config()
	gone.Name, gone.Subjects, gone.DenyDelete = "GONE", []string{"GONE.log.>"}, false
	s, err := js.CreateStream(ctx, gone)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := js.Publish(ctx, fmt.Sprint("GONE.log.imported.", i), raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteMsg(ctx, 2); err != nil {
		t.Fatal(err)
	}
	gone.DenyDelete = true
	if _, err := js.UpdateStream(ctx, gone); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, Options{Options: link.Options{URL: url}, Stream: "GONE"}); !errors.Is(err, events.ErrDamaged) {
		t.Errorf("a stream with a gap: %v", err)
	}
}
