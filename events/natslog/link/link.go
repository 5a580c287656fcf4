// Package link is a connection to NATS servers that waits for answers patiently: it survives lost connections and
// leaders. It also reports an action that is not permitted, for which servers send no answer.
package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

var (
	// ErrNotPermitted means that the server does not let this user do that.
	ErrNotPermitted = errors.New("not permitted")
	// ErrNoAnswer means that no server that can answer did so for the whole of Options.Patience.
	ErrNoAnswer = errors.New("no answer")
	// ErrSetOtherwise means that a stream does not have the required settings.
	ErrSetOtherwise = errors.New("the stream is not set up as it should be")
	// ErrOptions means that an option is invalid: an address, a file, or the name of a stream.
	ErrOptions = errors.New("bad options")
	// ErrClosed means that this process closed the link.
	ErrClosed = errors.New("the connection is closed")
)

// DefaultPatience is how long to wait for an answer when Options name no time.
const DefaultPatience = 2 * time.Minute

// MaxBatch is how many messages may be requested at once. There is a buffer for this many.
const MaxBatch = 4096

// Options say where the servers are and as which user to connect.
type Options struct {
	URL      string        // of one server or several, with commas between
	Patience time.Duration // how long to wait for an answer, over lost connections and leaders; 0 means DefaultPatience
	Logger   *slog.Logger  // logs lost connections and waiting; nil for no log

	Credentials string // file with a user's JWT and seed; "" for none
	NKey        string // file with a user's nkey seed; "" for none
	CA          string // file with the certificate authorities to trust; "" for the system's
	Cert, Key   string // files with the client's certificate and key; "" for none

	Connect []nats.Option // for tests: a server in the same process
}

// Link is a connection. All methods may be called from any goroutine.
type Link struct {
	NC *nats.Conn
	JS jetstream.JetStream

	o       Options
	waiting waitList

	mu   sync.Mutex           // guards told
	told map[string]time.Time // what is waited for: when that was last logged
}

// How long to wait for one answer, and between two attempts.
const (
	answerTime = 3 * time.Second
	firstPause = 20 * time.Millisecond
	maxPause   = time.Second
	tellEvery  = 10 * time.Second
)

// If a server does not answer this many pings, one each pingEvery, the link connects to another server.
const (
	pingEvery = 3 * time.Second
	pings     = 2
)

// Open connects to the servers.
func Open(ctx context.Context, o Options) (*Link, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	l := &Link{o: o, told: map[string]time.Time{}}
	options := []nats.Option{
		nats.Name("assay"), nats.Timeout(answerTime), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectWait(100 * time.Millisecond), nats.SyncQueueLen(MaxBatch), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(pings),
		nats.ReconnectBufSize(-1), // a lost message is sent again by its sender, or not at all
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { l.lost(err) }),
		nats.ReconnectHandler(func(nc *nats.Conn) { o.Logger.Info("connected again", "server", nc.ConnectedAddr()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { l.waiting.fail(err) }),
	}
	own, err := o.identity()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.NC, err = nats.Connect(o.URL, append(append(options, own...), o.Connect...)...); err != nil {
		return nil, Explained(fmt.Errorf("no connection: %w", err))
	}
	if l.JS, err = jetstream.New(l.NC, jetstream.WithDefaultTimeout(answerTime)); err != nil {
		l.NC.Close()
		return nil, err
	}
	return l, nil
}

// Close ends the connection. Requests that wait for an answer get an error.
func (l *Link) Close() { l.NC.Close() }

// Logger returns the logger for operations that take long.
func (l *Link) Logger() *slog.Logger { return l.o.Logger }

// maxName is the longest name of a log's stream. Other streams of the log have longer names, and servers accept 255
// characters.
const maxName = 200

// CheckName returns ErrOptions if a name cannot be that of a log's stream.
func CheckName(stream string) error {
	if stream == "" || len(stream) > maxName || strings.ContainsFunc(stream, notInName) {
		return fmt.Errorf("%w: %.40q is no name for a stream: up to %d letters, digits, - and _ are", ErrOptions, stream, maxName)
	}
	return nil
}

func notInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
}

// addresses returns the address of each server.
func (o Options) addresses() (list []*url.URL, err error) {
	for i, one := range strings.Split(o.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return nil, fmt.Errorf("address %d is not nats://HOST:PORT or tls://HOST:PORT (several have commas between)", i+1)
		}
		list = append(list, u)
	}
	return list, nil
}

// Redacted returns the addresses of the servers without passwords and tokens.
func (o Options) Redacted() string {
	list, err := o.addresses()
	if err != nil {
		return "servers"
	}
	var texts []string
	for _, u := range list {
		if _, has := u.User.Password(); u.User != nil && !has {
			u.User = url.UserPassword("", "") // a user without a password is a token
		}
		texts = append(texts, u.Redacted())
	}
	return strings.Join(texts, ",")
}

// check returns an error for invalid addresses, and for files that are missing or have other content.
func (o Options) check() error {
	if _, err := o.addresses(); err != nil {
		return err
	}
	for _, file := range []string{o.Credentials, o.NKey, o.CA, o.Cert, o.Key} {
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	if o.Credentials != "" {
		data, err := os.ReadFile(o.Credentials)
		if err == nil {
			_, err = nkeys.ParseDecoratedNKey(data)
		}
		if err != nil {
			return fmt.Errorf("%s holds no credentials: %w", o.Credentials, err)
		}
	}
	if o.CA != "" {
		data, err := os.ReadFile(o.CA)
		if err == nil && !x509.NewCertPool().AppendCertsFromPEM(data) {
			err = fmt.Errorf("%s holds no certificate", o.CA)
		}
		if err != nil {
			return err
		}
	}
	if o.Cert == "" && o.Key == "" {
		return nil
	}
	if o.Cert == "" || o.Key == "" {
		return errors.New("a certificate to show to servers needs its key, and a key its certificate")
	}
	_, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	return err
}

// identity returns the options by which the link and the servers authenticate each other.
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
	if o.Cert != "" {
		list = append(list, nats.ClientCert(o.Cert, o.Key))
	}
	return list, nil
}

func (l *Link) lost(err error) {
	if err != nil {
		l.o.Logger.Warn("connection lost", "error", err)
	}
}

// Explained marks the errors of a closed link, and of a server that refuses this user.
func Explained(err error) error {
	if errors.Is(err, nats.ErrConnectionClosed) {
		return ErrClosed
	}
	for _, known := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrPermissionViolation} {
		if errors.Is(err, known) {
			return fmt.Errorf("%w: %w", ErrNotPermitted, err)
		}
	}
	return err
}

// waitList is the list of requests that wait for an answer. A server does not answer a request that it denies. It
// reports the denial separately, and only the subject shows which request is meant.
type waitList struct {
	mu   sync.Mutex // guards list
	list map[*request]struct{}
}

type request struct {
	subjects []string // its own subject, or prefixes of its subjects
	cancel   context.CancelCauseFunc
}

func (r *request) isAbout(subject string) bool {
	return slices.ContainsFunc(r.subjects, func(own string) bool {
		rest, begins := strings.CutPrefix(subject, own)
		return begins && (rest == "" || rest[0] == '.' || strings.HasSuffix(own, "."))
	})
}

var deniedSubject = regexp.MustCompile(`(?i)(?:publish|subscription) to "([^"]*)"`)

// fail cancels the requests that an error of the connection is about.
func (w *waitList) fail(err error) {
	denied := deniedSubject.FindStringSubmatch(err.Error())
	if !errors.Is(err, nats.ErrPermissionViolation) || denied == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.list {
		if r.isAbout(denied[1]) {
			r.cancel(fmt.Errorf("%w: %w", ErrNotPermitted, err))
		}
	}
}

func (w *waitList) add(r *request) (remove func()) {
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

// Guard returns a context that ends, with ErrNotPermitted as its cause, when the server denies a subject that begins
// with one of these.
func (l *Link) Guard(ctx context.Context, subjects ...string) (guarded context.Context, end func()) {
	guarded, cancel := context.WithCancelCause(ctx)
	remove := l.waiting.add(&request{subjects, cancel})
	return guarded, func() {
		remove()
		cancel(nil)
	}
}

// Attempt calls ask once. Ask uses a subject, or several that begin with it.
func (l *Link) Attempt(ctx context.Context, subject string, ask func(ctx context.Context) error) error {
	asking, end := l.Guard(ctx, subject)
	defer end()
	timed, stop := context.WithTimeout(asking, answerTime)
	defer stop()
	err := ask(timed)
	switch {
	case ctx.Err() == nil && asking.Err() != nil: // a denial, whatever else happened
		return context.Cause(asking)
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return Explained(err)
}

// Passing reports whether the next attempt may succeed after this error: no answer, no connection, no leader.
func Passing(err error) bool {
	for _, known := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, jetstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	api := APIError(err)
	return api != nil && (api.Code == 503 || api.Code == 429 || api.ErrorCode == noPeers)
}

// noPeers is the error of a cluster that has too few servers for a stream: more may be starting.
const noPeers jetstream.ErrorCode = 10005

// APIError returns the error with which JetStream refused a request; nil when err is something else.
func APIError(err error) *jetstream.APIError {
	var api jetstream.JetStreamError
	if errors.As(err, &api) {
		return api.APIError()
	}
	return nil
}

// Patience limits how long one operation waits for an answer.
type Patience struct {
	l     *Link
	what  string
	until time.Time
	tell  time.Time
	pause time.Duration
}

// Patience starts the waiting of an operation. What is its name in the log.
func (l *Link) Patience(what string) *Patience {
	now := time.Now()
	return &Patience{l: l, what: what, until: now.Add(l.o.Patience), tell: now.Add(maxPause), pause: firstPause}
}

// Extend starts the time again, because there was an answer, even if it was not the expected one.
func (p *Patience) Extend() { p.until = time.Now().Add(p.l.o.Patience) }

// Wait waits before the next attempt, and logs when it takes long. When the patience is used up, it returns ErrNoAnswer
// with the reason.
func (p *Patience) Wait(ctx context.Context, why error) error {
	now := time.Now()
	if now.After(p.until) {
		return fmt.Errorf("%w for %v from a majority of the servers: %w", ErrNoAnswer, p.l.o.Patience, why)
	}
	if now.After(p.tell) && p.l.mayTell(p.what, now) {
		p.l.o.Logger.Warn("waiting for NATS servers", "to", p.what, "until", p.until.Format(time.TimeOnly), "error", why)
	}
	timer := time.NewTimer(p.pause)
	defer timer.Stop()
	p.pause = min(2*p.pause, maxPause)
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if denied := context.Cause(ctx); errors.Is(denied, ErrNotPermitted) {
			return denied
		}
		return ctx.Err()
	}
}

// Tell logs a warning about a subject, unless it did so a moment ago: several operations may find the same.
func (l *Link) Tell(subject, what string, args ...any) {
	if l.mayTell(what+" "+subject, time.Now()) {
		l.o.Logger.Warn(what, args...)
	}
}

func (l *Link) mayTell(what string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.told[what]) < tellEvery {
		return false
	}
	l.told[what] = now
	return true
}

// Retry calls ask until there is an answer.
func (l *Link) Retry(ctx context.Context, what, subject string, ask func(ctx context.Context) error) error {
	for p := l.Patience(what); ; {
		err := l.Attempt(ctx, subject, ask)
		if err == nil || ctx.Err() != nil || !Passing(err) {
			return err
		}
		if err := p.Wait(ctx, err); err != nil {
			return err
		}
	}
}
