package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"assay/registry"
	"assay/registry/limits"
)

// While a process serves a directory, a verb typed beside it is carried to it: the arguments, the paths' origin and the
// few settings of the surroundings go over a socket in the directory (see dialServing); what the verb prints and its exit
// status come back.

// carried is a verb on its way.
type carried struct {
	Args       []string `json:"args"`
	Dir        string   `json:"dir"`      // where it was typed
	Registry   string   `json:"registry"` // the registry's directory
	Now        string   `json:"now"`
	SecretFile string   `json:"secret_file"`
	NoColor    string   `json:"no_color"`
	Terminal   bool     `json:"terminal"`
}

// frame is a part of the answer: output, or the exit status at the end.
type frame struct {
	Out  []byte `json:"out,omitempty"`
	Err  []byte `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// carry has the serving process that holds a directory run this run's verb, and ends with its exit status.
func (a *app) carry(ctx context.Context, held *heldError) error {
	conn, err := dialServing(ctx, held)
	if err != nil {
		return err
	}
	defer conn.Close()
	args := a.args
	if a.shared.workers { // also where the environment says so
		args = append([]string{"--workers"}, args...)
	}
	head, err := json.Marshal(carried{
		Args: args, Dir: a.env.Dir, Registry: a.path(a.dir), Now: a.now, SecretFile: a.path(a.secretFile),
		NoColor: a.env.Getenv("NO_COLOR"), Terminal: a.env.Terminal,
	})
	if err != nil {
		return err
	}
	body := io.Reader(strings.NewReader(string(head) + "\n"))
	if slices.ContainsFunc(a.args, func(s string) bool { return s == "-" || s == "--in=-" }) {
		body = io.MultiReader(body, a.env.Stdin)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://assay/run", body)
	if err != nil {
		return err
	}
	answer, err := over(conn).Do(req)
	if ctx.Err() != nil {
		return stoppedHere(ctx)
	}
	if err != nil {
		return fmt.Errorf("the serving process ended, or does not answer; what it recorded of the verb stands: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the serving process refused the verb: %s", answer.Status)
	}
	err = a.replay(json.NewDecoder(answer.Body))
	if err != nil && ctx.Err() != nil {
		return stoppedHere(ctx)
	}
	return err
}

// stoppedHere tells that a carried verb was interrupted, which ends it in the serving process too.
func stoppedHere(ctx context.Context) error {
	return fmt.Errorf("stopped: %w; the serving process ends the verb too, and what it recorded stands", context.Cause(ctx))
}

// replay prints what the serving process sends.
func (a *app) replay(frames *json.Decoder) error {
	for {
		var f frame
		if err := frames.Decode(&f); err != nil {
			return fmt.Errorf("the serving process broke off: %w", err)
		}
		_, outErr := a.env.Stdout.Write(f.Out)
		_, errErr := a.env.Stderr.Write(f.Err)
		if err := errors.Join(outErr, errErr); err != nil {
			return err
		}
		switch {
		case f.Exit == nil:
		case *f.Exit == exitDone:
			return nil
		default:
			return &exitError{*f.Exit}
		}
	}
}

// over gives a client for one request on a connection.
func over(conn net.Conn) *http.Client {
	dial := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	return &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
}

// host takes carried verbs for a serving process until it is closed.
type host struct {
	registry *registry.Registry
	secrets  secretFiles
	dir      string
	server   *http.Server
}

// maxCarried is how many carried verbs run at a time; more wait.
const maxCarried = 32

// newHost starts to take carried verbs for a directory.
func newHost(ctx context.Context, d *directory, r *registry.Registry) (*host, error) {
	listener, err := listenServing(ctx, d.path)
	if err != nil {
		return nil, fmt.Errorf("listen for carried verbs: %w", err)
	}
	h := &host{registry: r, secrets: d.secrets, dir: d.path}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /run", h.run)
	h.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	h.server.SetKeepAlivesEnabled(false)
	go h.server.Serve(limits.Listen(listener, limits.Options{Total: maxCarried})) // ends with Close
	return h, nil
}

// Close lets the verbs that run end, for at most some seconds, and takes no more.
func (h *host) Close() error {
	err := forgetServing(h.dir)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if h.server.Shutdown(ctx) != nil {
		err = errors.Join(err, h.server.Close())
	}
	return err
}

func (h *host) run(w http.ResponseWriter, req *http.Request) {
	input := json.NewDecoder(req.Body)
	var c carried
	if err := input.Decode(&c); err != nil {
		http.Error(w, "not a verb: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	stdin := io.MultiReader(input.Buffered(), req.Body)
	if _, err := io.ReadFull(stdin, make([]byte, 1)); err != nil { // the end of the verb's line
		http.Error(w, "not a verb: "+err.Error(), http.StatusBadRequest)
		return
	}
	code := h.app(c, stdin, newFrames(w)).run(req.Context())
	newFrames(w).send(frame{Exit: &code})
}

// app is the run of a carried verb.
func (h *host) app(c carried, stdin io.Reader, out *frames) *app {
	own := *h.registry
	own.Secrets = secretFiles{dir: h.secrets.dir, given: c.SecretFile}
	env := Env{
		Stdin: stdin, Stdout: out.to(func(b []byte) frame { return frame{Out: b} }), Stderr: out.to(func(b []byte) frame { return frame{Err: b} }),
		Getenv: carriedEnv(c), Dir: c.Dir, Terminal: c.Terminal,
	}
	return &app{env: env, args: c.Args, hosted: &own}
}

func carriedEnv(c carried) func(string) string {
	return func(name string) string {
		switch name {
		case "ASSAY_DIR":
			return c.Registry
		case "ASSAY_NOW":
			return c.Now
		case "ASSAY_SECRET_FILE":
			return c.SecretFile
		case "NO_COLOR":
			return c.NoColor
		}
		return ""
	}
}
