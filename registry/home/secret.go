package home

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"assay/events/durable"
	"assay/registry"
	"assay/registry/input"
)

// secretFiles stores the secret of each series in a file of mode 0600.
type secretFiles struct {
	dir   string
	given string // a file that holds the secret to use, or ""
}

// Sizes of a secret in bytes: of a new one, and the largest.
const (
	secretSize    = 32
	maxSecretSize = 4096
)

// Secrets returns the secrets of the series in the directory; given is a file with the secret to use, or "".
func (h *Home) Secrets(given string) registry.Secrets {
	return secretFiles{dir: h.file("keys"), given: given}
}

// Make returns the series' secret: the stored one or, the first time, the given one or a new one.
func (s secretFiles) Make(series string) ([]byte, error) {
	secret, err := s.load(series)
	if secret != nil || err != nil {
		return secret, err
	}
	secret = make([]byte, secretSize)
	rand.Read(secret) // never fails
	return secret, durable.WriteFile(s.file(series), secret)
}

// Secret returns the series' secret, or registry.ErrNoSecret. A lost secret is not made again, because it would give
// other days.
func (s secretFiles) Secret(series string) ([]byte, error) {
	secret, err := s.load(series)
	if secret == nil && err == nil {
		err = fmt.Errorf("%w: that of %s is not in %s: give the file with --secret-file (a new one of %d random bytes gives other days)",
			registry.ErrNoSecret, series, s.file(series), secretSize)
	}
	return secret, err
}

// secretEnding ends the name of a file with the secret of a series.
const secretEnding = ".secret"

func (s secretFiles) file(series string) string { return filepath.Join(s.dir, series+secretEnding) }

// load returns the stored secret, or the given one after storing it; nil when there is neither. A given secret must
// equal the stored one.
func (s secretFiles) load(series string) ([]byte, error) {
	file := s.file(series)
	kept, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the secret of %s: %w", series, err)
	}
	given, err := s.readGiven()
	switch {
	case err != nil:
		return nil, err
	case kept == nil && given != nil:
		return given, durable.WriteFile(file, given)
	case kept != nil && given != nil && !bytes.Equal(kept, given):
		return nil, &input.Error{Reason: fmt.Sprintf("%s holds another secret than %s, which %s was adopted with", s.given, file, series)}
	case kept != nil:
		return kept, checkSecret(file, kept)
	}
	return nil, nil
}

func (s secretFiles) readGiven() ([]byte, error) {
	if s.given == "" {
		return nil, nil
	}
	secret, err := os.ReadFile(s.given)
	if err == nil {
		err = checkSecret(s.given, secret)
	}
	if err != nil {
		return nil, &input.Error{Reason: "read the secret: " + err.Error()}
	}
	return secret, nil
}

func checkSecret(file string, secret []byte) error {
	if len(secret) < secretSize || len(secret) > maxSecretSize {
		return fmt.Errorf("the secret in %s has %d bytes, not %d to %d", file, len(secret), secretSize, maxSecretSize)
	}
	return nil
}
