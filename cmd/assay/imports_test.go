package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed says what the packages below a folder may import. The longest folder that fits rules; what is not named is not
// allowed. One of our packages stands for itself, with "/..." for all below it too; the name of a module elsewhere stands
// for all its packages.
var allowed = map[string][]string{
	"events":              {"assay/events/plain", "assay/raters/logic", "github.com/oklog/ulid", "github.com/fxamacker/cbor"},
	"events/plain":        {},
	"events/durable":      {},
	"events/logtest":      {"assay/events", "github.com/oklog/ulid", "pgregory.net/rapid", "go.uber.org/goleak"},
	"events/badgerlog":    {"assay/events", "assay/events/durable", "assay/events/store", "github.com/dgraph-io/badger"},
	"events/store":        {"assay/events", "assay/events/durable", "github.com/dgraph-io/badger", "github.com/dgraph-io/ristretto/v2/z", "google.golang.org/protobuf/proto"}, // tables and manifests as Badger writes them
	"events/natslog":      {"assay/events", "assay/events/ledger", "assay/events/natslog/link", "github.com/nats-io/nats.go", "github.com/synadia-io/orbit.go/jetstreamext"},
	"events/natslog/link": {"github.com/nats-io/nats.go", "github.com/nats-io/nkeys"},
	"events/natslog/natstest": {
		"assay/events/logtest", "assay/events/natslog/identity", "assay/events/natslog/link", "github.com/nats-io/nats-server", "github.com/nats-io/nats.go", "go.uber.org/goleak",
	},
	"events/natslog/identity": {"github.com/nats-io/nkeys"},
	"events/ledger":           {"assay/events", "assay/events/durable", "golang.org/x/mod"},

	"raters":                           {"assay/events/plain", "assay/raters/logic"},
	"raters/logic":                     {},
	"raters/seedrand":                  {},
	"raters/ratertest":                 {"assay/raters/...", "pgregory.net/rapid", "go.uber.org/goleak"},
	"raters/catalog":                   {"assay/raters/..."},
	"raters/deduce":                    {"assay/raters", "assay/raters/logic"},
	"raters/words":                     {"assay/raters"},
	aGenre:                             {"assay/raters", "assay/raters/logic", "assay/raters/seedrand", "assay/raters/deduce", "assay/raters/words", "assay/events/plain"},
	"raters/chain/internal/writebands": {"assay/raters", "assay/raters/chain"},

	"projections": {
		"assay/events", "assay/events/store", "assay/projections/...", "github.com/dgraph-io/badger", "github.com/fxamacker/cbor", "github.com/oklog/ulid",
	},

	"registry": {
		"assay/events", "assay/events/ledger", "assay/events/plain", "assay/projections/...", "assay/raters/...", "assay/registry/...", "github.com/oklog/ulid",
		"github.com/pelletier/go-toml", "github.com/fxamacker/cbor",
	},
	"registry/jobs": {"github.com/fxamacker/cbor"},
	"registry/jobs/queue": {
		"assay/registry/jobs", "assay/events/natslog/link", "assay/events/plain", "github.com/nats-io/nats.go", "github.com/nats-io/nuid", "github.com/fxamacker/cbor",
	},
	"registry/schedule": {"assay/events"},
	"registry/input":    {},
	"registry/batch":    {"assay/events"},
	"registry/engine": {
		"assay/events", "assay/events/plain", "assay/raters/...", "assay/registry/input", "assay/registry/jobs", "github.com/fxamacker/cbor", "github.com/pelletier/go-toml",
	},
	"registry/calendar": {"assay/events", "assay/projections/...", "assay/registry/input", "assay/registry/schedule"},
	"registry/integrity": {
		"assay/events", "assay/events/ledger", "assay/projections/...", "assay/registry/batch", "assay/registry/calendar", "assay/registry/input", "assay/registry/jobs", "assay/registry/schedule",
		"github.com/oklog/ulid", "github.com/klauspost/compress", "golang.org/x/mod/sumdb/note",
	},
	"registry/public":      {"assay/events", "assay/projections/...", "assay/raters", "assay/registry/calendar", "assay/registry/drawing", "assay/registry/schedule"},
	"registry/api":         {"assay/registry/public", "assay/registry/input", "assay/registry/schedule", "assay/events/plain", "github.com/danielgtaylor/huma"},
	"registry/web":         {"assay/registry/public", "assay/registry/drawing", "assay/registry/schedule", "assay/events/plain"},
	"registry/drawing":     {"assay/raters", "assay/raters/logic"},
	"registry/interchange": {"assay/raters/..."},
	"registry/limits":      {},
	"registry/home":        {"assay/events/...", "assay/projections/...", "assay/raters/catalog", "assay/registry/..."},

	"cmd/assay": {"assay/...", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/vbauerster/mpb", "golang.org/x/sys/unix"},
}

// aGenre stands for every folder of a genre: each in raters that has no rule of its own.
const aGenre = "raters/<genre>"

// Who may import whom is the architecture; docs/architecture.md says why, and this test holds it. Tests may import what they like, except for
// the NATS server.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		names, err := imports(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			checkTest(t, path, names)
			return nil
		}
		files++
		checkImports(t, path, filepath.ToSlash(folder), names)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("only %d files were looked at", files)
	}
}

func imports(path string) (names []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func checkTest(t *testing.T, path string, names []string) {
	for _, name := range names {
		if strings.HasPrefix(name, "github.com/nats-io/nats-server") {
			t.Errorf("%s: servers are started by events/natslog/natstest, not by %s", path, name)
		}
	}
}

func checkImports(t *testing.T, path, folder string, names []string) {
	rule, ok := ruleFor(folder)
	if !ok {
		t.Errorf("%s: folder %s has no import rule", path, folder)
		return
	}
	for _, name := range names {
		if !isStandard(name) && !mayImport(rule, name) {
			t.Errorf("%s: %s may not import %s", path, folder, name)
		}
	}
}

func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".") && first != "assay"
}

func ruleFor(folder string) (string, bool) {
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if _, ok := allowed[f]; ok {
			return f, true
		}
		if filepath.Dir(f) == "raters" {
			return aGenre, true
		}
	}
	return "", false
}

func mayImport(rule, name string) bool {
	if forTests(name) && !forTests("assay/"+rule) {
		return false
	}
	return slices.ContainsFunc(allowed[rule], func(may string) bool {
		folder, all := strings.CutSuffix(may, "/...")
		all = all || !strings.HasPrefix(may, "assay/")
		return name == folder || all && strings.HasPrefix(name, folder+"/")
	})
}

// forTests reports whether a package is one that only tests import, and its like: the program does not link it.
func forTests(name string) bool {
	return strings.HasPrefix(name, "assay/") && strings.HasSuffix(name, "test")
}

func TestImportRulesBite(t *testing.T) {
	for _, c := range []struct{ folder, imported string }{
		{"projections/archive", "assay/raters"}, {"raters/chain", "assay/raters/sudoku"}, {"raters/deduce", "assay/raters/seedrand"}, {"raters", "assay/events"},
		{"events", "assay/raters"}, {"raters/logic", "assay/raters"}, {"raters/hitori", "assay/raters/sudoku"}, {"raters/hitori", "assay/events"}, {"registry", "github.com/dgraph-io/badger/v4"}, {"events/ledger", "assay/events/badgerlog"},
		{"registry", "github.com/nats-io/nats.go"}, {"cmd/assay", "github.com/nats-io/nats.go"}, {"events/natslog", "github.com/nats-io/nats-server/v2/server"},
		{"raters/kakurasu", "assay/registry/interchange"}, {"registry/drawing", "assay/raters/sudoku"}, {"registry/drawing", "assay/registry"},
		{"cmd/assay", "assay/events/natslog/natstest"}, {"registry/api", "assay/registry"}, {"registry/web", "assay/registry"}, {"registry/web", "assay/registry/calendar"}, {"registry/api", "assay/projections"},
		{"registry/public", "assay/registry"}, {"registry/public", "assay/events/badgerlog"}, {"projections", "assay/events/badgerlog"}, {"registry", "assay/events/badgerlog"}, {"registry", "assay/events/logtest"}, {"raters/catalog", "assay/raters/ratertest"},
	} {
		rule, ok := ruleFor(c.folder)
		if !ok || mayImport(rule, c.imported) {
			t.Errorf("%s may import %s", c.folder, c.imported)
		}
	}
	if _, err := os.Stat(filepath.Join("..", "..", "go.mod")); err != nil {
		t.Fatal("the test does not stand where it thinks: ", err)
	}
}
