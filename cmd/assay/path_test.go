package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A path is what it says, also with the characters of patterns: everything works there, and the exported keys have the
// secret.
func TestPathsAreNoPatterns(t *testing.T) {
	for _, name := range []string{"a[b]*?", "a[b", `a\[`, "[", "a b"} {
		r := newRunner(t)
		r.secret, r.dir = "", filepath.Join(t.TempDir(), name)
		r.done(t, "publish", "--ahead", "1")
		if err := os.WriteFile(filepath.Join(r.dir, "log", "000077.vlog"), nil, 0o600); err != nil { // as a killed process leaves it
			t.Fatal(err)
		}
		backup, keys := filepath.Join(t.TempDir(), name+" backup"), filepath.Join(t.TempDir(), name+" keys")
		r.done(t, "backup", backup)
		r.done(t, "keys", "export", keys)
		exported, err := os.ReadFile(keys)
		if err != nil || !strings.Contains(string(exported), `"daily"`) {
			t.Errorf("%s: the secret is not exported: %v", name, err)
		}
		back := newRunner(t)
		back.secret, back.dir = "", filepath.Join(t.TempDir(), name)
		back.done(t, "restore", backup, "--keys", keys)
		back.done(t, "publish", "--ahead", "2")
		back.done(t, "verify", "--deep")
	}
}
