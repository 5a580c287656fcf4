package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written writes what a verb prints to a file.
func (r runner) written(t testing.TB, args ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "written")
	if err := os.WriteFile(file, []byte(r.done(t, args...)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Growth is proven from the empty log on, and from a checkpoint that somebody else has signed as well.
func TestProofOfGrowth(t *testing.T) {
	r := newRunner(t)
	r.done(t, "init")
	empty := r.written(t, "checkpoint")
	r.done(t, "publish", "--ahead", "2")
	cosigned := r.written(t, "checkpoint")
	note, err := os.ReadFile(cosigned)
	if err != nil {
		t.Fatal(err)
	}
	witness := "— witness.example BnlaPWh0dHBzOi8vd2l0bmVzcy5leGFtcGxlL3NpZ25hdHVyZXM=\n"
	if err := os.WriteFile(cosigned, append(note, witness...), 0o600); err != nil {
		t.Fatal(err)
	}
	r.done(t, "publish", "--ahead", "4")
	key := strings.TrimSpace(r.done(t, "keys", "show"))
	for _, since := range []string{empty, cosigned} {
		if out := r.done(t, "proof", "check", r.written(t, "proof", "--since", since), "--key", key); !strings.Contains(out, "only grew") {
			t.Errorf("%s: %s", since, out)
		}
	}
}

// A log that was put back to an earlier state does not contain a later checkpoint, also when it has grown again: a finding.
func TestALogWithoutTheCheckpointIsAFinding(t *testing.T) {
	r, back := newRunner(t), newRunner(t)
	back.secret = r.secret
	r.done(t, "publish", "--ahead", "2")
	backup, keys := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "keys")
	r.done(t, "backup", backup)
	r.done(t, "keys", "export", keys)
	r.done(t, "publish", "--ahead", "3")
	later := r.written(t, "checkpoint")
	back.done(t, "restore", backup, "--keys", keys)
	wants := func(says string) {
		t.Helper()
		if _, errs, code := back.run(t, "", "proof", "--since", later); code != exitFinding || !strings.Contains(errs, "the log does not contain the checkpoint") || !strings.Contains(errs, says) {
			t.Errorf("exit %d: %s", code, errs)
		}
	}
	wants("its end is lost")
	back.done(t, "withdraw", "2026-12-02", "--reason", "another history")
	wants("another root")
}
