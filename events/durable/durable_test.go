package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/events/durable"
)

// A file is written whole and for its owner, and what lies where it is drafted is not written to.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, foreign := filepath.Join(dir, "file"), filepath.Join(t.TempDir(), "foreign")
	if err := os.WriteFile(foreign, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(foreign, path+".new"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "second"} {
		if err := durable.WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got, err := os.ReadFile(foreign); err != nil || string(got) != "theirs" {
		t.Errorf("foreign: %q, %v", got, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("left: %v, %v", names, err)
	}
}

// A folder that is not there is an error, and nothing is left.
func TestNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "file")
	if err := durable.WriteFile(path, nil); !os.IsNotExist(err) {
		t.Errorf("written: %v", err)
	}
	if err := durable.Rename(path, path+"2"); err == nil {
		t.Error("renamed")
	}
	if err := durable.SyncDir(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("synced: %v", err)
	}
}
