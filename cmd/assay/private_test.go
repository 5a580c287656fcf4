package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openPaths returns what others may reach of a directory, except for one name.
func openPaths(t *testing.T, dir, but string) (open []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() == but {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode()&0o077 != 0 {
			open = append(open, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// openUp returns everybody everything of a directory.
func openUp(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		mode := fs.FileMode(0o666)
		if entry.IsDir() {
			mode = 0o777
		}
		if err == nil {
			err = os.Chmod(path, mode)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Whoever made the directory, whatever is in it that is ours is the owner's alone, and what is not is let be. What was
// open is told once.
func TestADirectoryIsItsOwners(t *testing.T) {
	r := newRunner(t)
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	openUp(t, r.dir)
	r.done(t, "publish", "--ahead", "2")
	if open := openPaths(t, r.dir, ""); open != nil {
		t.Errorf("made open to others: %v", open)
	}
	writeFile(t, filepath.Join(r.dir, "notes"), "of the owner")
	writeFile(t, filepath.Join(r.dir, "log.new"), "")
	openUp(t, r.dir)
	_, errs, code := r.run(t, "", "verify")
	if code != exitDone || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, r.dir+" was open to other users and is closed now: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if open := openPaths(t, r.dir, "notes"); open != nil {
		t.Errorf("still open to others: %v", open)
	}
	if info, err := os.Stat(filepath.Join(r.dir, "notes")); err != nil || info.Mode() != 0o666 {
		t.Errorf("what is not ours: %v, %v", info.Mode(), err)
	}
	if _, errs, code := r.run(t, "", "verify"); code != exitDone || errs != "" {
		t.Errorf("told again: exit %d: %s", code, errs)
	}
}

// A folder may be a link to another disk, and is closed there; a link inside of a folder is let be.
func TestALinkedFolderIsClosed(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	elsewhere, foreign := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "foreign")
	log := filepath.Join(r.dir, "log")
	if err := os.Rename(log, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, log); err != nil {
		t.Fatal(err)
	}
	writeFile(t, foreign, "")
	openUp(t, elsewhere)
	if err := os.Chmod(foreign, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(foreign, filepath.Join(r.dir, "keys", "link")); err != nil {
		t.Fatal(err)
	}
	r.done(t, "archive")
	if open := openPaths(t, elsewhere, ""); open != nil {
		t.Errorf("open to others: %v", open)
	}
	if info, err := os.Stat(foreign); err != nil || info.Mode() != 0o644 {
		t.Errorf("what a link leads to: %v, %v", info.Mode(), err)
	}
}

// A link that others may have put into the directory changes nothing outside of it.
func TestAPlantedLinkChangesNothing(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	foreign := t.TempDir()
	file := filepath.Join(foreign, "file")
	writeFile(t, file, "")
	if err := errors.Join(os.Chmod(foreign, 0o755), os.Chmod(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tables.new", "serve.json.new", "format.new"} {
		if err := os.Symlink(foreign, filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.done(t, "archive")
	for path, want := range map[string]os.FileMode{foreign: 0o755, file: 0o644} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// A directory that is no registry's is refused as it is.
func TestWhatIsNotOursIsNotClosed(t *testing.T) {
	r := newRunner(t)
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(r.dir, "notes"), "")
	openUp(t, r.dir)
	if _, errs, code := r.run(t, "", "publish"); code != exitInput || !strings.Contains(errs, "no registry's directory") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if open := openPaths(t, r.dir, ""); len(open) != 2 {
		t.Errorf("open to others: %v", open)
	}
}

// The files that hold what is not public have mode 0600, and what lay where they are drafted is not written to.
func TestFilesElsewhereAreTheOwners(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	elsewhere := t.TempDir()
	backup, keys := filepath.Join(elsewhere, "backup"), filepath.Join(elsewhere, "keys")
	theirs := filepath.Join(elsewhere, "theirs")
	writeFile(t, theirs, "")
	for _, draft := range []string{backup + ".new", keys + ".new"} {
		if err := os.Symlink(theirs, draft); err != nil {
			t.Fatal(err)
		}
	}
	r.done(t, "backup", backup)
	r.done(t, "keys", "export", keys)
	for _, file := range []string{backup, keys} {
		if info, err := os.Lstat(file); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if b, err := os.ReadFile(theirs); err != nil || len(b) > 0 {
		t.Errorf("%d bytes of it are another's, %v", len(b), err)
	}
	into := newRunner(t)
	into.done(t, "restore", backup, "--keys", keys)
	if open := openPaths(t, into.dir, ""); open != nil {
		t.Errorf("restored, open to others: %v", open)
	}
}
