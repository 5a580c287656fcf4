package ledger

import (
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"assay/events"
	"assay/events/durable"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// key is a signing key.
type key struct {
	signer   note.Signer
	verifier note.Verifier
	public   string      // of the verifier
	marking  cipher.AEAD // makes the marks of groups; nil without a signing key
}

// parseKey reads a key as note.GenerateKey writes it: PRIVATE+KEY+name+hash+base64(algorithm ‖ seed).
func parseKey(text string) (k key, err error) {
	if k.signer, err = note.NewSigner(text); err != nil {
		return key{}, err
	}
	parts := strings.SplitN(text, "+", 5)
	secret, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(secret) != 1+ed25519.SeedSize {
		return key{}, errors.New("not an ed25519 key")
	}
	if k.marking, err = marking(secret[1:]); err != nil {
		return key{}, err
	}
	public := ed25519.NewKeyFromSeed(secret[1:]).Public().(ed25519.PublicKey)
	if k.public, err = note.NewEd25519VerifierKey(k.signer.Name(), public); err != nil {
		return key{}, err
	}
	k.verifier, err = note.NewVerifier(k.public)
	return k, err
}

func readKey(path string) (key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return key{}, fmt.Errorf("signing key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return key{}, fmt.Errorf("signing key %s has mode %v: others can read it, it must be 0600", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return key{}, fmt.Errorf("signing key: %w", err)
	}
	k, err := parseKey(strings.TrimSpace(string(text)))
	if err != nil {
		return key{}, fmt.Errorf("signing key %s: %w", path, err)
	}
	return k, nil
}

// makeKey draws a key and writes it. If its name is "", it draws a new origin as its name.
func makeKey(path, name string) (key, error) {
	if name == "" {
		var id [8]byte
		rand.Read(id[:])
		name = "assay/" + hex.EncodeToString(id[:])
	}
	secret, _, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return key{}, err
	}
	if err := durable.WriteFile(path, []byte(secret+"\n")); err != nil {
		return key{}, fmt.Errorf("signing key: %w", err)
	}
	return parseKey(secret)
}

// markedLine is the extension line of the checkpoints of a log whose groups have marks.
const markedLine = "groups are marked"

// checkpoint signs the root of the first size events.
func (k key) checkpoint(size events.Seq, root tlog.Hash, marked bool) (Checkpoint, error) {
	origin := k.signer.Name()
	text := fmt.Sprintf("%s\n%d\n%v\n", origin, size, root)
	if marked {
		text += markedLine + "\n"
	}
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	return Checkpoint{Origin: origin, Size: size, Root: root, Marked: marked, Note: signed}, err
}

const rotationLine = "key rotation"

// rotation returns the statement that one key follows another, signed by both.
func rotation(from, to key) ([]byte, error) {
	text := strings.Join([]string{from.signer.Name(), rotationLine, from.public, to.public, ""}, "\n")
	return note.Sign(&note.Note{Text: text}, from.signer, to.signer)
}

// parseRotation returns the verifier keys before and after a rotation. It does not check the signatures: see
// checkRotation.
func parseRotation(text []byte) (from, to string, ok bool) {
	lines := strings.SplitN(string(text), "\n", 5)
	if len(lines) != 5 || lines[1] != rotationLine {
		return "", "", false
	}
	return lines[2], lines[3], true
}

// checkRotation returns the two verifiers of a rotation if both keys have signed it.
func checkRotation(text []byte) (from, to note.Verifier, err error) {
	old, next, _ := parseRotation(text)
	if from, err = note.NewVerifier(old); err != nil {
		return nil, nil, fmt.Errorf("key rotation: %w", err)
	}
	if to, err = note.NewVerifier(next); err != nil {
		return nil, nil, fmt.Errorf("key rotation: %w", err)
	}
	n, err := openNote(text, note.VerifierList(from, to))
	if err == nil && (len(n.Sigs) != 2 || len(n.UnverifiedSigs) != 0) {
		err = fmt.Errorf("%d known signatures and %d others", len(n.Sigs), len(n.UnverifiedSigs))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("key rotation: %w", err)
	}
	want := strings.Join([]string{from.Name(), rotationLine, old, next, ""}, "\n")
	if n.Text != want || n.Sigs[0].Hash == n.Sigs[1].Hash || from.Name() != to.Name() {
		return nil, nil, errors.New("key rotation: not from one key of an origin to another")
	}
	return from, to, nil
}

// CheckKey returns an error that says what is wrong with the text of a public key, or nil.
func CheckKey(public string) error {
	_, err := note.NewVerifier(public)
	return err
}

// ParseOlder reads a checkpoint that was signed before some key rotations. They are sorted from the oldest; the last
// one led to the verifier key.
func ParseOlder(text []byte, verifierKey string, rotations [][]byte) (Checkpoint, error) {
	signer, err := note.NewVerifier(verifierKey)
	if err != nil {
		return Checkpoint{}, err
	}
	next := verifierKey
	for i := len(rotations) - 1; i >= 0; i-- {
		before, after, _ := parseRotation(rotations[i])
		if after != next {
			return Checkpoint{}, errors.New("key rotation: not to the key that was used next")
		}
		if signer, _, err = checkRotation(rotations[i]); err != nil {
			return Checkpoint{}, err
		}
		next = before
	}
	return ParseCheckpoint(text, note.VerifierList(signer))
}
