package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/events/natslog/natstest"
	"assay/registry/home"
)

// TestMain lets the scripts, and tests that need a process of its own, run the program under its name, or a NATS server.
func TestMain(m *testing.M) {
	home.Private()
	natstest.Main()
	if os.Getenv("ASSAY_TEST_MAIN") != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"assay": main})
}

// The scripts are sessions with the program; each runs in an empty directory with a fixed clock and
// secret.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ASSAY_NOW", "2026-12-01T09:00:00Z")
			env.Setenv("ASSAY_SECRET_FILE", filepath.Join(env.WorkDir, "secret"))
			env.Setenv("ASSAY_DIR", filepath.Join(env.WorkDir, "data"))
			env.Setenv("ESC", "\x1b")
			env.Setenv("RLO", "\u202e")
			env.Setenv("LF", "\n")
			return os.WriteFile(filepath.Join(env.WorkDir, "secret"), []byte(testSecret), 0o600)
		},
	})
}

const testSecret = "0123456789abcdef0123456789abcdef"
