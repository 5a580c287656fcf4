package home

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/events/durable"
	"assay/registry/input"
)

// Keys are the secret part of a registry besides its log: the object keys/1, in a file of its own.
type Keys struct {
	Schema  string            `json:"schema"`
	Signing string            `json:"signing"` // the signing key of the log
	Secrets map[string][]byte `json:"secrets"` // of each series, in base64

	lost string // the public key of a log whose keys are lost
}

// keysSchema names the form of Keys.
const keysSchema = "keys/1"

// ParseKeys reads keys as they were exported; name is that of their file.
func ParseKeys(data []byte, name string) (Keys, error) {
	var k Keys
	if err := json.Unmarshal(data, &k); err != nil || k.Schema != keysSchema {
		return Keys{}, &input.Error{Reason: name + " is not a file of assay keys export"}
	}
	return k, nil
}

// LostKeys stand for lost keys: old signatures are checked with the public key, and a new key signs from then on.
func LostKeys(public string) Keys { return Keys{lost: public} }

// Keys reads the keys in the directory.
func (p Place) Keys() (Keys, error) {
	k, dir := Keys{Schema: keysSchema, Secrets: map[string][]byte{}}, filepath.Join(p.Dir, "keys")
	signing, err := os.ReadFile(keyFile(p.Dir))
	if err != nil {
		return k, err
	}
	k.Signing = strings.TrimSpace(string(signing))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return k, err
	}
	for _, e := range entries {
		series, is := strings.CutSuffix(e.Name(), secretEnding)
		if !is {
			continue
		}
		if k.Secrets[series], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return k, err
		}
	}
	return k, nil
}

// write writes keys into a directory that has none.
func (k Keys) write(p Place) error {
	err := durable.WriteFile(keyFile(p.Dir), []byte(k.Signing+"\n"))
	for series, secret := range k.Secrets {
		if series != filepath.Base(series) {
			return &input.Error{Reason: fmt.Sprintf("%q is not the name of a series", series)}
		}
		err = errors.Join(err, durable.WriteFile(filepath.Join(p.Dir, "keys", series+secretEnding), secret))
	}
	return err
}
