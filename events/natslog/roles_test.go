package natslog

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

func (o Options) as(seed string) Options {
	o.NKey = seed
	return o
}

// The three roles on servers with the documented configuration: what each may do, and that it says so when it may
// not.
func TestRoles(t *testing.T) {
	t.Parallel()
	ids := natstest.MakeIdentities(t)
	for name, o := range map[string]link.Options{"cluster": natstest.Documented(t, ids), "single": natstest.DocumentedOne(t, ids)} {
		t.Run(name, func(t *testing.T) { testRoles(t, ids, Options{Options: o}) })
	}
}

func testRoles(t *testing.T, ids *natstest.Identities, o Options) {
	natstest.Until(t, "servers that answer", func() bool {
		_, err := Open(t.Context(), o.as(ids.Reader))
		return errors.Is(err, link.ErrNotPermitted) && strings.Contains(err.Error(), "there is no stream")
	})
	registry := openWhenReady(t, o.as(ids.Registry))
	worker, reader := mustOpen(t, o.as(ids.Worker)), mustOpen(t, o.as(ids.Reader))
	if _, err := Open(t.Context(), o.as(ids.Stranger)); !errors.Is(err, link.ErrNotPermitted) {
		t.Errorf("a stranger: %v", err)
	}
	for i, l := range []*Log{registry, worker} {
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", 1), logtest.Fact(fmt.Sprint("b-", i), "text", 1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := reader.Append(t.Context(), logtest.Fact("a", "text", 1)); !errors.Is(err, link.ErrNotPermitted) || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("a reader appends: %v", err)
	}
	if err := registry.Board().Post(t.Context(), []byte("checkpoint")); err != nil {
		t.Error(err)
	}
	for name, l := range map[string]*Log{"registry": registry, "worker": worker, "reader": reader} {
		if n, err := readAll(t.Context(), l); n != 4 || err != nil {
			t.Errorf("%s: %d events, %v", name, n, err)
		}
		if _, err := l.Get(t.Context(), events.ImportedKey("none")); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if notes, err := l.Board().Posted(t.Context()); string(notes) != "checkpoint" || err != nil {
			t.Errorf("%s: %q, %v", name, notes, err)
		}
		await(t, l, 4)
	}
	for name, l := range map[string]*Log{"worker": worker, "reader": reader} {
		b := l.Board()
		if _, err := b.Posted(t.Context()); err != nil {
			t.Error(err)
		}
		if err := b.Post(t.Context(), []byte("forged")); !errors.Is(err, link.ErrNotPermitted) {
			t.Errorf("%s posts a checkpoint: %v", name, err)
		}
		wantDenied(t, l, "STREAM.CREATE.ASSAY", "STREAM.CREATE.OTHER")
	}
	wantNothingStored(t, reader, registry)
	for _, l := range []*Log{registry, worker, reader} {
		wantDenied(t, l, "STREAM.UPDATE.ASSAY", "STREAM.DELETE.ASSAY", "STREAM.PURGE.ASSAY", "STREAM.MSG.DELETE.ASSAY", "STREAM.RESTORE.ASSAY",
			"STREAM.SNAPSHOT.ASSAY", "STREAM.PEER.REMOVE.ASSAY", "STREAM.LEADER.STEPDOWN.ASSAY", "STREAM.UPDATE.ASSAY-checkpoints",
			"STREAM.DELETE.ASSAY-checkpoints", "STREAM.CREATE.OTHER", "CONSUMER.CREATE.ASSAY")
	}
}

// wantDenied checks that a user may not even ask the servers for something.
func wantDenied(t *testing.T, l *Log, api ...string) {
	t.Helper()
	for _, name := range api {
		if err := l.servers.NC.PublishRequest("$JS.API."+name, nats.NewInbox(), nil); err != nil {
			t.Fatal(err)
		}
		if err := l.servers.NC.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := l.servers.NC.LastError(); !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not denied: %v", name, err)
		}
	}
}

// wantNothingStored has the servers' answers to a user sent to where events and checkpoints are stored, and checks that
// none is.
func wantNothingStored(t *testing.T, l, registry *Log) {
	t.Helper()
	for _, stream := range []string{"ASSAY", "ASSAY-checkpoints"} {
		for _, api := range []string{"STREAM.INFO.", "STREAM.MSG.GET.", "DIRECT.GET."} {
			for _, to := range []string{"ASSAY.log.evil", registry.Board().subject()} {
				if err := l.servers.NC.PublishRequest("$JS.API."+api+stream, to, []byte(`{"seq":1}`)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := l.servers.NC.Flush(); err != nil {
		t.Fatal(err)
	}
	size, err := registry.Size(t.Context())
	notes, noNotes := registry.Board().Posted(t.Context())
	if size != 4 || string(notes) != "checkpoint" || err != nil || noNotes != nil {
		t.Errorf("%d events, posted %q, %v, %v", size, notes, err, noNotes)
	}
}
