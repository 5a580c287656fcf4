package carry

import (
	"encoding/json"
	"net/http"
	"sync"
)

// frame is a part of the answer: output, or the exit status at the end.
type frame struct {
	Out  []byte `json:"out,omitempty"`
	Err  []byte `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// frames sends parts of an answer as they come.
type frames struct {
	mu      sync.Mutex // guards encoder and flusher: a verb may print from several goroutines
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

// outWriter and errWriter send what is written as frames of output and of errors.
type (
	outWriter struct{ *frames }
	errWriter struct{ *frames }
)

// Write is as in io.Writer.
func (w outWriter) Write(b []byte) (int, error) {
	if err := w.send(frame{Out: b}); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Write is as in io.Writer.
func (w errWriter) Write(b []byte) (int, error) {
	if err := w.send(frame{Err: b}); err != nil {
		return 0, err
	}
	return len(b), nil
}
