package main

import (
	"encoding/json"
	"net/http"
	"sync"
)

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

// to gives a writer whose every write is a frame.
func (f *frames) to(form func([]byte) frame) frameWriter {
	return frameWriter{frames: f, form: form}
}

type frameWriter struct {
	frames *frames
	form   func([]byte) frame
}

func (w frameWriter) Write(b []byte) (int, error) {
	if err := w.frames.send(w.form(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
