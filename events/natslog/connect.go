package natslog

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events"
)

// The waiting for one answer, and between two attempts.
const (
	answerTime = 3 * time.Second
	firstPause = 20 * time.Millisecond
	maxPause   = time.Second
	tellEvery  = 10 * time.Second
)

// maxHeader is room for the headers of a message in bytes: the server counts them to its payload.
const maxHeader = 1 << 10

func (l *Log) connect(ctx context.Context) (err error) {
	options := []nats.Option{
		nats.Name("assay"), nats.Timeout(answerTime), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectBufSize(-1), // what was not sent is sent again by whoever wanted it, or not at all
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { l.lost(err) }),
		nats.ReconnectHandler(func(nc *nats.Conn) { l.o.Logger.Info("connected again", "server", nc.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { l.waiting.fail(err) }),
	}
	own, err := l.o.identity()
	if err != nil {
		return err
	}
	options = append(append(options, own...), l.o.connect...)
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.nc, err = nats.Connect(l.o.URL, options...); err != nil {
		return explained(fmt.Errorf("no connection: %w", err))
	}
	if most := l.nc.MaxPayload(); most < events.MaxRecord+maxHeader {
		l.nc.Close()
		return fmt.Errorf("%w: the server takes messages of %d bytes, not %d (max_payload)", ErrSetOtherwise, most, events.MaxRecord+maxHeader)
	}
	if l.js, err = jetstream.New(l.nc, jetstream.WithDefaultTimeout(answerTime)); err != nil {
		l.nc.Close()
	}
	return err
}

// identity is who to be for the servers, and how to know them.
func (o Options) identity() (list []nats.Option, err error) {
	if o.Credentials != "" {
		list = append(list, nats.UserCredentials(o.Credentials))
	}
	if o.NKey != "" {
		nkey, err := nats.NkeyOptionFromSeed(o.NKey)
		if err != nil {
			return nil, fmt.Errorf("nkey seed %s: %w", o.NKey, err)
		}
		list = append(list, nkey)
	}
	if o.CA != "" {
		list = append(list, nats.RootCAs(o.CA))
	}
	if o.Cert != "" || o.Key != "" {
		list = append(list, nats.ClientCert(o.Cert, o.Key))
	}
	return list, nil
}

func (l *Log) lost(err error) {
	if err != nil {
		l.o.Logger.Warn("connection lost", "error", err)
	}
}

// explained marks the errors of a log that was closed, and of a server that does not want this user.
func explained(err error) error {
	if errors.Is(err, nats.ErrConnectionClosed) {
		return errClosed
	}
	for _, known := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrPermissionViolation} {
		if errors.Is(err, known) {
			return fmt.Errorf("%w: %w", ErrNotPermitted, err)
		}
	}
	return err
}

// waiting are the requests that wait for an answer. A server does not answer what it denies: it says so apart
// from it, and only the subject tells which request is meant.
type waiting struct {
	mu   sync.Mutex // guards list
	list map[*request]struct{}
}

type request struct {
	subject string // its own, or what its subjects begin with
	cancel  context.CancelCauseFunc
}

var deniedSubject = regexp.MustCompile(`(?i)(?:publish|subscription) to "([^"]*)"`)

// fail ends the requests that an error of the connection is about.
func (w *waiting) fail(err error) {
	denied := deniedSubject.FindStringSubmatch(err.Error())
	if !errors.Is(err, nats.ErrPermissionViolation) || denied == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.list {
		if strings.HasPrefix(denied[1], r.subject) {
			r.cancel(fmt.Errorf("%w: %w", ErrNotPermitted, err))
		}
	}
}

func (w *waiting) add(r *request) (remove func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil {
		w.list = map[*request]struct{}{}
	}
	w.list[r] = struct{}{}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.list, r)
	}
}

// attempt does what asks the server once, at a subject or at several that begin with it.
func (l *Log) attempt(ctx context.Context, subject string, ask func(ctx context.Context) error) error {
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer l.waiting.add(&request{subject, cancel})()
	timed, stop := context.WithTimeout(asking, answerTime)
	defer stop()
	err := ask(timed)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case asking.Err() != nil:
		return context.Cause(asking)
	}
	return explained(err)
}

// passing tells whether an error of an attempt may be gone at the next: no answer, no connection, no leader.
func passing(err error) bool {
	for _, known := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, jetstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	api := apiError(err)
	return api != nil && (api.Code == 503 || api.Code == 429)
}

func apiError(err error) *jetstream.APIError {
	var api jetstream.JetStreamError
	if errors.As(err, &api) {
		return api.APIError()
	}
	return nil
}

// patience is the waiting of one operation for an answer.
type patience struct {
	l     *Log
	what  string
	until time.Time
	tell  time.Time
	pause time.Duration
}

func (l *Log) patience(what string) *patience {
	now := time.Now()
	return &patience{l: l, what: what, until: now.Add(l.o.Patience), tell: now.Add(maxPause), pause: firstPause}
}

// wait waits before the next attempt, and says so when it takes long. When the patience is at its end it gives
// ErrNoAnswer with the reason.
func (p *patience) wait(ctx context.Context, why error) error {
	now := time.Now()
	if now.After(p.until) {
		return fmt.Errorf("%w for %v from a majority of the servers: %w", ErrNoAnswer, p.l.o.Patience, why)
	}
	if now.After(p.tell) {
		p.tell = now.Add(tellEvery)
		p.l.o.Logger.Warn("waiting for the log", "to", p.what, "until", p.until.Format(time.TimeOnly), "error", why)
	}
	timer := time.NewTimer(p.pause)
	defer timer.Stop()
	p.pause = min(2*p.pause, maxPause)
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retry attempts until there is an answer.
func (l *Log) retry(ctx context.Context, what, subject string, ask func(ctx context.Context) error) error {
	for p := l.patience(what); ; {
		err := l.attempt(ctx, subject, ask)
		if err == nil || ctx.Err() != nil || !passing(err) {
			return err
		}
		if err := p.wait(ctx, err); err != nil {
			return err
		}
	}
}
