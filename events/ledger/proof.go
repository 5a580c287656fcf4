package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assay/events"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	proofLine = "c2sp.org/tlog-proof@v1"
	maxProof  = 16 << 10 // bytes of a proof that is read: 60 hashes and a checkpoint
)

// Prove returns the proof that the event at a position is under the newest checkpoint, as text in the form of
// c2sp.org/tlog-proof. The index in it is the position minus one.
func (l *Ledger) Prove(seq events.Seq) ([]byte, error) {
	c := l.Checkpoint()
	if seq < 1 || seq > c.Size {
		return nil, fmt.Errorf("event %d has no proof under a checkpoint of %d: %w", seq, c.Size, events.ErrNotFound)
	}
	index := int64(seq) - 1
	hashes, err := tlog.ProveRecord(int64(c.Size), index, l.hashes)
	if err != nil {
		return nil, fmt.Errorf("proof of event %d: %w", seq, err)
	}
	leaf, err := l.hashes.at(tlog.StoredHashIndex(0, index))
	if err == nil {
		err = tlog.CheckRecord(hashes, int64(c.Size), c.Root, index, leaf)
	}
	if err != nil {
		return nil, damaged(fmt.Errorf("the tree hashes do not prove event %d: %w", seq, err))
	}
	return formatProof(fmt.Sprintf("%s\nindex %d\n", proofLine, index), hashes, c), nil
}

func formatProof(head string, hashes []tlog.Hash, c Checkpoint) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for _, h := range hashes {
		fmt.Fprintln(&b, h)
	}
	b.WriteString("\n")
	b.Write(c.Note)
	return b.Bytes()
}

// parseProof splits a proof into the lines of its head, its hashes and its checkpoint.
func parseProof(text []byte, lines int, trusted note.Verifiers) (head []string, hashes []tlog.Hash, c Checkpoint, err error) {
	if len(text) > maxProof {
		return nil, nil, c, fmt.Errorf("%d bytes", len(text))
	}
	proof, signed, ok := strings.Cut(string(text), "\n\n")
	head = strings.Split(proof, "\n")
	if !ok || len(head) < lines {
		return nil, nil, c, errors.New("it ends too early")
	}
	for _, line := range head[lines:] {
		h, err := parseHash(line)
		if err != nil {
			return nil, nil, c, err
		}
		hashes = append(hashes, h)
	}
	c, err = ParseCheckpoint([]byte(signed), trusted)
	return head[:lines], hashes, c, err
}

// CheckProof returns the position at which a proof shows a record to be in the log, under a checkpoint that a trusted
// key has signed. It returns an error if the proof does not show that.
func CheckProof(proof, record []byte, trusted note.Verifiers) (events.Seq, Checkpoint, error) {
	head, hashes, c, err := parseProof(proof, 2, trusted)
	if err != nil {
		return 0, Checkpoint{}, fmt.Errorf("proof: %w", err)
	}
	number, ok := strings.CutPrefix(head[1], "index ")
	if head[0] != proofLine || !ok {
		return 0, Checkpoint{}, fmt.Errorf("proof: it does not begin with %s and an index", proofLine)
	}
	index, err := parseNumber(number)
	if err == nil && index >= int64(c.Size) {
		err = fmt.Errorf("index %d in a log of %d", index, c.Size)
	}
	if err == nil {
		err = tlog.CheckRecord(hashes, int64(c.Size), c.Root, index, tlog.RecordHash(record))
	}
	if err != nil {
		return 0, Checkpoint{}, fmt.Errorf("proof: %w", err)
	}
	return events.Seq(index) + 1, c, nil
}

// Consistency returns the proof that the log of a newer size begins with the whole log of an older size. Check it with
// tlog.CheckTree. From the empty log it has no hash.
func (l *Ledger) Consistency(old, size events.Seq) (tlog.TreeProof, error) {
	if old > size || size > l.Size() {
		return nil, fmt.Errorf("no proof from %d to %d events in a ledger of %d: %w", old, size, l.Size(), events.ErrNotFound)
	}
	if old == 0 {
		return nil, nil
	}
	proof, err := tlog.ProveTree(int64(size), int64(old), l.hashes)
	if err != nil {
		return nil, fmt.Errorf("proof from %d to %d events: %w", old, size, err)
	}
	return proof, nil
}

// ProveGrowth returns the proof that the newest checkpoint contains everything that an older one contained. Its text is
// that of c2sp.org/tlog-witness: "old" and the size, the hashes, an empty line, the checkpoint.
func (l *Ledger) ProveGrowth(old events.Seq) ([]byte, error) {
	c := l.Checkpoint()
	hashes, err := l.Consistency(old, c.Size)
	if err != nil {
		return nil, err
	}
	return formatProof(fmt.Sprintf("old %d\n", old), hashes, c), nil
}

// CheckGrowth returns the newer checkpoint if a proof shows that the log of an older checkpoint has only grown.
func CheckGrowth(proof []byte, old Checkpoint, trusted note.Verifiers) (Checkpoint, error) {
	head, hashes, c, err := parseProof(proof, 1, trusted)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("proof of growth: %w", err)
	}
	if head[0] != fmt.Sprintf("old %d", old.Size) || c.Origin != old.Origin || old.Size > c.Size {
		return Checkpoint{}, fmt.Errorf("proof of growth: it is not from %d events of %s", old.Size, old.Origin)
	}
	if err := checkTree(hashes, c, old); err != nil {
		return Checkpoint{}, fmt.Errorf("proof of growth: %w", err)
	}
	return c, nil
}

// checkTree is tlog.CheckTree that also accepts the empty tree as the old one.
func checkTree(hashes []tlog.Hash, c, old Checkpoint) error {
	if old.Size > 0 {
		return tlog.CheckTree(hashes, int64(c.Size), c.Root, int64(old.Size), old.Root)
	}
	if len(hashes) > 0 || old.Root != (&frontier{}).root() {
		return errors.New("of no events the root is another, and no hash is needed")
	}
	return nil
}
