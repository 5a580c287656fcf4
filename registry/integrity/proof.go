package integrity

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"assay/events"
	"assay/events/ledger"
	"assay/registry/input"
)

// Proof shows that an event is in the log, to anyone who has the public key: the object proof/1.
type Proof struct {
	Schema string     `json:"schema"`
	Seq    events.Seq `json:"seq"`
	Key    events.Key `json:"key"`
	Size   events.Seq `json:"size"` // events under the checkpoint
	Root   string     `json:"root"`
	Origin string     `json:"origin"`
	Text   string     `json:"text"` // the proof itself, as written to a file
}

// A proof file is the line proofHeader, "record " and the stored record in base64, an empty line, and the proof in the
// form of c2sp.org/tlog-proof. A proof of growth has proofHeader, "since " and the older checkpoint in base64,
// "rotation " and the statement in base64 for each later key rotation, oldest first, an empty line, and the proof in
// the form of c2sp.org/tlog-witness.
const (
	proofHeader  = "assay proof 1"
	recordLine   = "record "
	sinceLine    = "since "
	rotationLine = "rotation "
)

// maxProofFile is the largest proof file that is read, in bytes.
const maxProofFile = 1 << 20

// ProveEvent proves an event.
func (h Holdings) ProveEvent(ctx context.Context, seq events.Seq) (Proof, error) {
	e, err := events.At(ctx, h.Log, seq)
	if err != nil {
		return Proof{}, err
	}
	text, err := h.Ledger.Prove(seq)
	if err != nil {
		return Proof{}, err
	}
	file := proofHeader + "\n" + recordLine + base64.StdEncoding.EncodeToString(e.Raw) + "\n\n" + string(text)
	return CheckProof([]byte(file), h.Ledger.VerifierKey())
}

// ErrNotGrown means that the log does not contain everything that an older checkpoint covers.
var ErrNotGrown = errors.New("the log does not contain the checkpoint")

// ProveGrowth proves that the log contains everything that an older checkpoint covers. The checkpoint is a signed note,
// with or without signatures of others. If the log does not contain it, the error is ErrNotGrown.
func (h Holdings) ProveGrowth(older []byte) (Proof, error) {
	c, rotations, err := h.parseOlder(older)
	if err != nil {
		return Proof{}, &input.Error{Reason: err.Error()}
	}
	if size := h.Ledger.Size(); c.Size > size {
		return Proof{}, fmt.Errorf("%w: it is of %d events, and the log has %d: its end is lost, or the log was put back to an earlier state", ErrNotGrown, c.Size, size)
	}
	text, err := h.Ledger.ProveGrowth(c.Size)
	if err != nil {
		return Proof{}, err
	}
	file := proofHeader + "\n" + sinceLine + base64.StdEncoding.EncodeToString(older) + "\n"
	for _, statement := range rotations {
		file += rotationLine + base64.StdEncoding.EncodeToString(statement) + "\n"
	}
	p, err := CheckProof([]byte(file+"\n"+string(text)), h.Ledger.VerifierKey())
	if err != nil {
		return Proof{}, fmt.Errorf("%w: of its first %d events it has another root: %w", ErrNotGrown, c.Size, err)
	}
	return p, nil
}

// CheckProof says what a proof file shows to anyone who trusts a public key. It needs nothing else.
func CheckProof(file []byte, key string) (Proof, error) {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return Proof{}, input.Errorf("the key %.60q is not a verifier key: %v", key, err)
	}
	if len(file) > maxProofFile {
		return Proof{}, input.Errorf("a proof of %d bytes is longer than %d", len(file), maxProofFile)
	}
	head, proof, ok := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) < 2 || lines[0] != proofHeader {
		return Proof{}, input.Errorf("the file does not begin with %q", proofHeader)
	}
	p, err := checkProof(lines[1:], proof, key, note.VerifierList(verifier))
	p.Schema, p.Text = "proof/1", string(file)
	return p, err
}

func checkProof(head []string, proof []byte, key string, trusted note.Verifiers) (Proof, error) {
	if record, err := headLine(head[0], recordLine); err == nil && len(head) == 1 {
		return checkInclusion(record, proof, trusted)
	}
	older, err := headLine(head[0], sinceLine)
	if err != nil {
		return Proof{}, fmt.Errorf("the proof does not hold: its second line has neither a record nor a checkpoint: %w", err)
	}
	var rotations [][]byte
	for _, line := range head[1:] {
		statement, err := headLine(line, rotationLine)
		if err != nil {
			return Proof{}, fmt.Errorf("the proof does not hold: a key rotation: %w", err)
		}
		rotations = append(rotations, statement)
	}
	old, err := ledger.ParseOlder(older, key, rotations)
	if err != nil {
		return Proof{}, fmt.Errorf("the proof does not hold: %w", err)
	}
	return checkGrowth(old, proof, trusted)
}

// headLine returns what a line of a proof's head has after its first word: bytes, in the one form that base64 has.
func headLine(line, word string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(line, word)
	if !ok || encoded == "" || strings.ContainsAny(encoded, "\r\n") {
		return nil, fmt.Errorf("%.20q does not begin with %q and go on", line, word)
	}
	return base64.StdEncoding.Strict().DecodeString(encoded)
}

func checkInclusion(record, proof []byte, trusted note.Verifiers) (Proof, error) {
	seq, c, err := ledger.CheckProof(proof, record, trusted)
	if err != nil {
		return Proof{}, fmt.Errorf("the proof does not hold: %w", err)
	}
	e, err := events.Decode(record)
	if err != nil {
		return Proof{}, fmt.Errorf("the proof holds, of a record that cannot be read: %w", err)
	}
	return Proof{Seq: seq, Key: e.Key, Size: c.Size, Root: c.Root.String(), Origin: c.Origin}, nil
}

func checkGrowth(old ledger.Checkpoint, proof []byte, trusted note.Verifiers) (Proof, error) {
	c, err := ledger.CheckGrowth(proof, old, trusted)
	if err != nil {
		return Proof{}, fmt.Errorf("the proof does not hold: %w", err)
	}
	return Proof{Seq: old.Size, Size: c.Size, Root: c.Root.String(), Origin: c.Origin}, nil
}

// parseOlder reads a checkpoint that the ledger's key, or a key before it, has signed. It returns the key rotations
// since then.
func (h Holdings) parseOlder(text []byte) (c ledger.Checkpoint, since [][]byte, err error) {
	rotations := h.Ledger.Rotations()
	for i := len(rotations); i >= 0; i-- {
		if c, err = ledger.ParseOlder(text, h.Ledger.VerifierKey(), rotations[i:]); err == nil {
			return c, rotations[i:], nil
		}
	}
	return c, nil, fmt.Errorf("it is no checkpoint that a key of this log has signed: %w", err)
}
