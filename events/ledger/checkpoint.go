package ledger

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/events"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is a signed statement: the first Size events of the log with this origin have this root.
type Checkpoint struct {
	Origin string
	Size   events.Seq
	Root   tlog.Hash
	Marked bool   // the groups of the log have marks: see Ledger.Extend
	Note   []byte // the signed note itself
}

// maxNote limits the notes that are read, in bytes. A name and a key fit.
const maxNote = 4096

// ParseCheckpoint reads a checkpoint that one of the trusted keys has signed. It ignores signatures by unknown keys,
// such as those of witnesses.
func ParseCheckpoint(text []byte, trusted note.Verifiers) (Checkpoint, error) {
	c, err := parseCheckpoint(text, trusted)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return c, nil
}

func parseCheckpoint(text []byte, trusted note.Verifiers) (Checkpoint, error) {
	n, err := openNote(text, trusted)
	if err != nil {
		return Checkpoint{}, err
	}
	if len(n.Sigs) != 1 {
		return Checkpoint{}, fmt.Errorf("%d known signatures", len(n.Sigs))
	}
	lines := strings.Split(n.Text, "\n")
	marked := len(lines) == 5 && lines[3] == markedLine
	if len(lines) != 4 && !marked || lines[0] != n.Sigs[0].Name {
		return Checkpoint{}, errors.New("not an origin, a size and a root")
	}
	size, err := parseNumber(lines[1])
	if err != nil {
		return Checkpoint{}, err
	}
	root, err := parseHash(lines[2])
	return Checkpoint{Origin: lines[0], Size: events.Seq(size), Root: root, Marked: marked, Note: text}, err
}

// openNote checks the signatures of a note by trusted keys. Each must be in plain base64, so that a note has only one
// form.
func openNote(text []byte, trusted note.Verifiers) (*note.Note, error) {
	if len(text) > maxNote {
		return nil, fmt.Errorf("note of %d bytes", len(text))
	}
	n, err := note.Open(text, trusted)
	if err != nil {
		return nil, err
	}
	for _, s := range n.Sigs {
		if _, err := base64.StdEncoding.Strict().DecodeString(s.Base64); err != nil || strings.ContainsAny(s.Base64, "\r\n") {
			return nil, errors.New("a signature not in plain base64")
		}
	}
	return n, nil
}

func parseNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > maxSize || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%.30q is not a number of events", text)
	}
	return n, nil
}

// maxSize keeps the arithmetic of stored hash indexes within 64 bits.
const maxSize = 1 << 60

func parseHash(text string) (tlog.Hash, error) {
	h, err := tlog.ParseHash(text)
	if err == nil && h.String() != text {
		err = errors.New("not in plain base64")
	}
	if err != nil {
		return h, fmt.Errorf("hash %.60q: %w", text, err)
	}
	return h, nil
}
