package queue

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// With the configuration files of docs/nats the registry submits work and workers do it, and no others.
func TestRoles(t *testing.T) {
	ids := natstest.MakeIdentities(t)
	for name, o := range map[string]link.Options{"cluster": natstest.Documented(t, ids), "single": natstest.DocumentedOne(t, ids)} {
		as := func(nkey string) Options {
			own := options(o.URL, "ASSAY")
			own.CA, own.NKey = o.CA, nkey
			return own
		}
		denied := func(who string, err error) {
			t.Helper()
			if !errors.Is(err, link.ErrNotPermitted) || !strings.Contains(err.Error(), "not permitted") {
				t.Errorf("%s: %s: %v", name, who, err)
			}
		}
		registry := open(t, as(ids.Registry))
		end := work(t, as(ids.Worker), kinds())
		mustAsk(t, registry, 1000, 1)
		mustAsk(t, open(t, as(ids.Worker)), 1000, 1)
		end()
		denied("a reader that hands in work", handIn(t, as(ids.Reader)))
		ready := func() {}
		denied("a reader that works", Work(t.Context(), as(ids.Reader), kinds(), ready))
		denied("a registry that works", Work(t.Context(), as(ids.Registry), kinds(), func() { t.Error("a registry is ready for work") }))
		denied("a stranger that works", Work(t.Context(), as(ids.Stranger), kinds(), ready))
		denied("a stranger that hands in work", handIn(t, as(ids.Stranger)))
		forbidden(t, as(ids.Worker), "$JS.API.STREAM.DELETE.ASSAY-jobs", "$JS.API.STREAM.PURGE.ASSAY-jobs", "$JS.API.STREAM.UPDATE.ASSAY-jobs", "$JS.API.STREAM.MSG.DELETE.ASSAY-jobs", "$JS.API.CONSUMER.DELETE.ASSAY-jobs.workers", "$JS.API.CONSUMER.CREATE.ASSAY.workers")
		forbidden(t, as(ids.Registry), "ASSAY.answer.x.1", "$JS.API.STREAM.DELETE.ASSAY-jobs")
	}
}

// handIn submits a job.
func handIn(t *testing.T, o Options) error {
	t.Helper()
	q, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	return ask(t.Context(), q, 100, 1, nil)
}

// forbidden sees that somebody may not publish to any of some subjects.
func forbidden(t *testing.T, o Options, subjects ...string) {
	t.Helper()
	l, err := link.Open(t.Context(), o.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, subject := range subjects {
		err := l.Attempt(t.Context(), subject, func(ctx context.Context) error {
			if err := l.NC.Publish(subject, nil); err != nil {
				return err
			}
			<-ctx.Done() // the denial, or the time for an answer
			return ctx.Err()
		})
		if !errors.Is(err, link.ErrNotPermitted) {
			t.Errorf("%s: %v", subject, err)
		}
	}
}
