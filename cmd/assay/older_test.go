package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// older unpacks testdata/directory-1.tar.gz: a directory as a serving process left it that was killed, of the program
// before groups of the log had marks, stores merged by our own hand, and verbs went over a socket. It holds 189 events,
// the newest of them in write-ahead logs, tables at a deeper level, and an address to carry verbs to.
func older(t *testing.T) runner {
	t.Helper()
	r := newRunner(t)
	r.secret = "" // it has its own
	packed, err := os.Open(filepath.Join("testdata", "directory-1.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	files, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(files); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(r.dir, strings.TrimPrefix(header.Name, "old"))
		if header.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o755)
		} else {
			err = unpack(path, header, archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unpack(path string, header *tar.Header, from io.Reader) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, header.FileInfo().Mode())
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}

// olderExport is the digest of what the program of that time exported.
const olderExport = "931349733f837808bae6502153e007fac5a0156bb4c5090d823326f02ed4536e"

func formats(t *testing.T, r runner) string {
	t.Helper()
	var all []string
	for _, name := range []string{"format", filepath.Join("log", "FORMAT")} {
		text, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(string(text)))
	}
	return strings.Join(all, ", ")
}

// A directory of before opens as it is and loses nothing. It stays one that the older program can read, until something
// is recorded.
func TestOlderDirectories(t *testing.T) {
	r := older(t)
	r.verified(t)
	sum := sha256.Sum256([]byte(r.done(t, "export")))
	if got := hex.EncodeToString(sum[:]); got != olderExport {
		t.Errorf("it exports what has digest %s", got)
	}
	if got := formats(t, r); got != "assay directory 1, assay-log/1" {
		t.Errorf("read only, it is of %s", got)
	}
	r.done(t, "withdraw", "2026-12-11", "--reason", "a test")
	if got := formats(t, r); got != "assay directory 2, assay-log/2" {
		t.Errorf("written to, it is of %s", got)
	}
	before := r.done(t, "export")
	if out := r.done(t, "compact"); !strings.Contains(out, "→ 1 file") {
		t.Error(out)
	}
	if r.done(t, "export") != before {
		t.Error("compacted, it exports something else")
	}
	r.verified(t)
}

// dropNotes removes the newest notes of a directory that nobody holds.
func dropNotes(t *testing.T, r runner, notes int) {
	t.Helper()
	path := filepath.Join(r.dir, "ledger", "checkpoints")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitAfter(string(text), "\n\n") // a note has two, and the last part is empty
	if err := os.WriteFile(path, []byte(strings.Join(parts[:len(parts)-1-2*notes], "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What was not signed when the log is opened is told, event by event, and is on record.
func TestUnsignedEventsAreTold(t *testing.T) {
	for name, make := range map[string]func(*testing.T) runner{
		"of this program": func(t *testing.T) runner {
			r := newRunner(t)
			r.done(t, "publish", "--ahead", "2")
			r.done(t, "withdraw", "2026-12-02", "--reason", "a test")
			return r
		},
		"of an older one": older,
	} {
		t.Run(name, func(t *testing.T) {
			r := make(t)
			before := r.done(t, "export")
			events := strings.Split(strings.TrimSpace(before), "\n")
			dropNotes(t, r, 1)
			out, errs, code := r.child(t, "verify", "--json")
			if code != exitDone || !strings.Contains(out, `"recovered":[{"seq":`) {
				t.Fatalf("exit %d: %s%s", code, out, errs)
			}
			if !strings.Contains(errs, "had not been signed") {
				t.Errorf("stderr: %s", errs)
			}
			after := strings.Split(strings.TrimSpace(r.done(t, "export")), "\n")
			if len(after) != len(events)+1 || !strings.Contains(after[len(events)], `"key":"recovered/`) {
				t.Fatalf("%d events, and before %d: %s", len(after), len(events), after[len(after)-1])
			}
			if out, _, _ := r.child(t, "verify", "--json"); strings.Contains(out, "recovered") {
				t.Errorf("told again: %s", out)
			}
		})
	}
}

// What cannot be put on record at once, here for want of a clock that is right, is told and recorded at the next opening.
func TestUnsignedEventsAreRecordedLater(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	dropNotes(t, r, 1)
	wrong := r
	wrong.now = "2036-12-01T09:00:00Z"
	if _, errs, code := wrong.run(t, "", "archive"); code != exitDone || !strings.Contains(errs, "had not been signed") || !strings.Contains(errs, "opened next") {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if out := r.done(t, "export"); strings.Count(out, `"key":"recovered/`) != 1 {
		t.Error("not on record")
	}
	if _, errs, _ := r.run(t, "", "archive"); errs != "" {
		t.Errorf("told again: %s", errs)
	}
}

// Two appends that were not signed are more than an interrupted one.
func TestMoreUnsignedEventsAreDamage(t *testing.T) {
	r := older(t)
	r.done(t, "verify")
	dropNotes(t, r, 2)
	if _, errs, code := r.run(t, "", "archive"); code != exitFinding || !strings.Contains(errs, "more than the last append") {
		t.Fatalf("exit %d: %s", code, errs)
	}
}
