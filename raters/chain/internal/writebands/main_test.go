package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestFileIsWhatTheRunGives(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	want, err := measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the calibration gives: raise chain.GeneratorVersion (generate.go) "+
			"and run go generate ./raters/chain, or undo the change\nfile\n%s\nrun\n%s", file, got, want)
	}
}
