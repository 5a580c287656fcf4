// Package carry forwards commands to the process that serves a registry's directory. The arguments, the directory for
// relative paths and a few settings of the environment go over a connection. The command's output and its exit status
// come back.
package carry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"assay/registry/limits"
)

// Verb is a forwarded command.
type Verb struct {
	Args       []string `json:"args"`
	Dir        string   `json:"dir"`      // where it was typed
	Registry   string   `json:"registry"` // the registry's directory
	Now        string   `json:"now"`
	SecretFile string   `json:"secret_file"`
	NoColor    string   `json:"no_color"`
	Terminal   bool     `json:"terminal"`
}

// Streams are the input and output of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Send lets the process at the other end of a connection run a command, and returns its exit status. s.In is sent too,
// unless it is nil.
func Send(ctx context.Context, conn net.Conn, v Verb, s Streams) (exit int, err error) {
	head, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	var body io.Reader = strings.NewReader(string(head) + "\n")
	if s.In != nil {
		body = io.MultiReader(body, s.In)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://assay/run", body)
	if err != nil {
		return 0, err
	}
	answer, err := over(conn).Do(req)
	if ctx.Err() != nil {
		return 0, stoppedHere(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("the serving process ended, or does not answer; what it recorded of the command stands: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the serving process refused the command: %s", answer.Status)
	}
	exit, err = s.replay(json.NewDecoder(answer.Body))
	if err != nil && ctx.Err() != nil {
		err = stoppedHere(ctx)
	}
	return exit, err
}

// stoppedHere returns the error of a forwarded command that was interrupted. This ends it in the serving process too.
func stoppedHere(ctx context.Context) error {
	return fmt.Errorf("stopped: %w; the serving process ends the command too, and what it recorded stands", context.Cause(ctx))
}

// replay prints what the serving process sends, up to the exit status.
func (s Streams) replay(frames *json.Decoder) (exit int, err error) {
	for {
		var f frame
		if err := frames.Decode(&f); err != nil {
			return 0, fmt.Errorf("the serving process broke off: %w", err)
		}
		_, outErr := s.Out.Write(f.Out)
		_, errErr := s.Err.Write(f.Err)
		if err := errors.Join(outErr, errErr); err != nil {
			return 0, err
		}
		if f.Exit != nil {
			return *f.Exit, nil
		}
	}
}

// over returns a client for one request on a connection.
func over(conn net.Conn) *http.Client {
	dial := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	return &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
}

// Run runs a forwarded command, and returns its exit status.
type Run func(ctx context.Context, v Verb, s Streams) (exit int)

// Host accepts forwarded commands until it is closed.
type Host struct {
	run    Run
	server *http.Server
}

// Most is how many forwarded commands run at a time; further ones wait.
const Most = 32

// Serve starts to accept forwarded commands from a listener. Their contexts are derived from ctx.
func Serve(ctx context.Context, listener net.Listener, run Run) *Host {
	h := &Host{run: run}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /run", h.take)
	h.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	h.server.SetKeepAlivesEnabled(false)
	go h.server.Serve(limits.Listen(listener, limits.Options{Total: Most})) // ends with Close
	return h
}

// Close returns running commands some seconds to end, and accepts no more.
func (h *Host) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := h.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.server.Close()
	}
	return err
}

// take runs the command of a request.
func (h *Host) take(w http.ResponseWriter, req *http.Request) {
	input := json.NewDecoder(req.Body)
	var v Verb
	if err := input.Decode(&v); err != nil {
		http.Error(w, "not a command: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	stdin := io.MultiReader(input.Buffered(), req.Body)
	if _, err := io.ReadFull(stdin, make([]byte, 1)); err != nil { // the end of the command's line
		http.Error(w, "not a command: "+err.Error(), http.StatusBadRequest)
		return
	}
	out := newFrames(w)
	exit := h.run(req.Context(), v, Streams{
		In:  stdin,
		Out: writer{out, func(b []byte) frame { return frame{Out: b} }},
		Err: writer{out, func(b []byte) frame { return frame{Err: b} }},
	})
	out.send(frame{Exit: &exit}) // the sender may be gone
}

// frame is a part of the answer: output, or the exit status at the end.
type frame struct {
	Out  []byte `json:"out,omitempty"`
	Err  []byte `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// frames sends parts of an answer as they come.
type frames struct {
	mu      sync.Mutex // guards encoder and flusher: a command may print from several goroutines
	encoder *json.Encoder
	flusher *http.ResponseController
}

func newFrames(w http.ResponseWriter) *frames {
	return &frames{encoder: json.NewEncoder(w), flusher: http.NewResponseController(w)}
}

func (f *frames) send(part frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.encoder.Encode(part); err != nil {
		return err
	}
	return f.flusher.Flush()
}

// writer sends written bytes as frames of its form.
type writer struct {
	*frames
	form func([]byte) frame
}

// Write is as in io.Writer.
func (w writer) Write(b []byte) (int, error) {
	if err := w.send(w.form(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
