package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/events"
	"assay/events/durable"

	"golang.org/x/mod/sumdb/note"
)

// The list of checkpoints is thinned when it has maxKept notes.
const (
	maxKept    = 512
	keptRecent = 256
	maxList    = 64 << 20 // bytes of the file that are read
)

// list is the file of checkpoints and key rotations.
type list struct {
	path string
	kept []Checkpoint // the checkpoints among the notes, as of opening

	mu    sync.Mutex // guards the fields below
	file  *os.File
	notes [][]byte
	fault error // a failed write; the content of the file is unknown until it is opened again
}

// openList reads the list, checks it backwards from the key, and drops an unfinished note at its end.
func openList(o Options, path string) (key, *list, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return key{}, nil, damaged(fmt.Errorf("the checkpoints are missing: %w", err))
	}
	if err != nil {
		return key{}, nil, err
	}
	l := &list{path: path, file: file}
	k, err := l.load(o)
	if err != nil {
		return key{}, nil, errors.Join(err, file.Close())
	}
	return k, l, nil
}

func (l *list) load(o Options) (key, error) {
	data, err := io.ReadAll(io.LimitReader(l.file, maxList+1))
	if err != nil {
		return key{}, err
	}
	if len(data) > maxList {
		return key{}, damaged(fmt.Errorf("the checkpoints have more than %d bytes", maxList))
	}
	whole := 0
	if l.notes, whole = splitNotes(data); whole < len(data) {
		if err := l.file.Truncate(int64(whole)); err != nil {
			return key{}, err
		}
	}
	k, err := o.currentKey(l.notes)
	if err != nil {
		return key{}, err
	}
	if o.PublicKey != "" && len(l.notes) == 0 {
		return k, nil
	}
	if l.kept, err = checkNotes(l.notes, k.verifier); err != nil {
		return key{}, damaged(err)
	}
	return k, nil
}

// splitNotes cuts a list into its notes. Whole is how many bytes they take; the rest was left by an interrupted write.
func splitNotes(data []byte) (notes [][]byte, whole int) {
	for {
		rest := data[whole:]
		text := bytes.Index(rest, []byte("\n\n"))
		if text < 0 {
			return notes, whole
		}
		signatures := bytes.Index(rest[text+2:], []byte("\n\n"))
		if signatures < 0 {
			return notes, whole
		}
		end := text + 2 + signatures + 1
		notes = append(notes, rest[:end:end])
		whole += end + 1
	}
}

// currentKey returns the key of the newest notes.
func (o Options) currentKey(notes [][]byte) (key, error) {
	if o.PublicKey != "" {
		return trustedKey(o.PublicKey, notes)
	}
	return currentKey(o.keyFile(), notes)
}

// trustedKey returns the key that key rotations lead to from a public key.
func trustedKey(public string, notes [][]byte) (k key, err error) {
	k.public = public
	for _, text := range notes {
		if from, to, ok := parseRotation(text); ok && from == k.public {
			k.public = to // checkNotes checks that it is signed
		}
	}
	k.verifier, err = note.NewVerifier(k.public)
	return k, err
}

// currentKey reads the signing key, and finishes a rotation that was interrupted after its statement.
func currentKey(path string, notes [][]byte) (key, error) {
	k, err := readKey(path)
	next, nextErr := readKey(path + ".new")
	if nextErr != nil {
		return k, err
	}
	for _, text := range notes {
		if _, to, ok := parseRotation(text); ok && to == next.public {
			return next, durable.Rename(path+".new", path)
		}
	}
	return k, err
}

// checkNotes checks each note with the key of its time and returns the checkpoints. A rotation names the key for the
// notes before it. The sizes of checkpoints never fall, and two of the same size have the same root.
func checkNotes(notes [][]byte, newest note.Verifier) ([]Checkpoint, error) {
	checkpoints := make([]Checkpoint, 0, len(notes))
	for i := len(notes) - 1; i >= 0; i-- {
		if _, _, ok := parseRotation(notes[i]); ok {
			from, to, err := checkRotation(notes[i])
			if err == nil && (to.Name() != newest.Name() || to.KeyHash() != newest.KeyHash()) {
				err = errors.New("it names another key")
			}
			if err != nil {
				return nil, fmt.Errorf("note %d: the key that follows did not sign it: %w", i+1, err)
			}
			newest = from
			continue
		}
		c, err := ParseCheckpoint(notes[i], note.VerifierList(newest))
		if err != nil {
			return nil, fmt.Errorf("note %d: %w", i+1, err)
		}
		if n := len(checkpoints); n > 0 && (c.Size > checkpoints[n-1].Size || c.Size == checkpoints[n-1].Size && c.Root != checkpoints[n-1].Root) {
			return nil, fmt.Errorf("note %d: the checkpoint of %d events contradicts the next", i+1, c.Size)
		}
		checkpoints = append(checkpoints, c)
	}
	if len(checkpoints) == 0 {
		return nil, errors.New("there is no checkpoint")
	}
	slices.Reverse(checkpoints)
	return checkpoints, nil
}

// last returns the newest checkpoint. It is of an empty log when there is none yet.
func (l *list) last() Checkpoint {
	if len(l.kept) == 0 {
		return Checkpoint{Root: (&frontier{}).root()}
	}
	return l.kept[len(l.kept)-1]
}

// append adds a note, durably. After a failure that leaves the content of the file unknown, it refuses all further
// notes.
func (l *list) append(text []byte, sync bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != nil {
		return l.fault
	}
	if len(l.notes) >= maxKept {
		if err := l.thin(); err != nil {
			return fmt.Errorf("thinning the checkpoints: %w", err)
		}
	}
	if err := l.write(append(bytes.Clone(text), '\n'), sync); err != nil {
		return err
	}
	l.notes = append(l.notes, text)
	return nil
}

// write adds an entry to the file. If it fails, it removes what it has written.
func (l *list) write(entry []byte, sync bool) error {
	size, err := l.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(entry); err != nil {
		l.fault = l.file.Truncate(size)
		return errors.Join(err, l.fault)
	}
	if sync {
		l.fault = l.file.Sync()
	}
	return l.fault
}

// thin drops every second checkpoint before the newest ones, but never the first, and no key rotation. If it fails
// before the new file is in its place, the old file stays.
func (l *list) thin() error {
	var kept [][]byte
	old := len(l.notes) - keptRecent
	for i, text := range l.notes {
		if _, _, rotates := parseRotation(text); rotates || i >= old || i%2 == 0 {
			kept = append(kept, text)
		}
	}
	dir, err := os.Open(filepath.Dir(l.path))
	if err != nil {
		return err
	}
	defer dir.Close()
	file, err := durable.Draft(l.path)
	if err != nil {
		return err
	}
	_, err = file.Write(joinNotes(kept))
	if err = errors.Join(err, file.Sync()); err == nil {
		err = os.Rename(file.Name(), l.path)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	before := l.file
	l.file, l.notes = file, kept
	l.fault = dir.Sync()
	return errors.Join(l.fault, before.Close())
}

// upTo returns the notes before the first checkpoint of more events, as in the file.
func (l *list) upTo(size events.Seq) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for n < len(l.notes) && sizeOf(l.notes[n]) <= size {
		n++
	}
	return joinNotes(l.notes[:n])
}

// sizeOf returns the number of events of a checkpoint that was checked before; 0 for a key rotation.
func sizeOf(text []byte) events.Seq {
	lines := strings.SplitN(string(text), "\n", 3)
	if len(lines) < 3 {
		return 0
	}
	n, err := parseNumber(lines[1])
	if err != nil {
		return 0
	}
	return events.Seq(n)
}

func joinNotes(notes [][]byte) (data []byte) {
	for _, text := range notes {
		data = append(append(data, text...), '\n')
	}
	return data
}

// rootsOf returns the checkpoints by size.
func rootsOf(checkpoints []Checkpoint) map[events.Seq]Checkpoint {
	roots := make(map[events.Seq]Checkpoint, len(checkpoints))
	for _, c := range checkpoints {
		roots[c.Size] = c
	}
	return roots
}
