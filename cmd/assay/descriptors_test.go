package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// manyPuzzles writes a file of this many sudoku puzzles, which are others with their digits exchanged.
func manyPuzzles(t *testing.T, n int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "raters", "sudoku", "testdata", "bench.sdm"))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Fields(string(text)), func(s string) bool { return len(s) != 81 })
	random := rand.New(rand.NewPCG(3, 4))
	var all strings.Builder
	for i := range n {
		exchange := make([]string, 0, 18)
		for from, to := range random.Perm(9) {
			exchange = append(exchange, fmt.Sprint(from+1), fmt.Sprint(to+1))
		}
		all.WriteString(strings.NewReplacer(exchange...).Replace(lines[i%len(lines)]) + "\n")
	}
	file := filepath.Join(t.TempDir(), "puzzles.sdm")
	if err := os.WriteFile(file, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// limited returns the program as a process of its own that may open this many files.
func (r runner) limited(t *testing.T, files int, args ...string) *exec.Cmd {
	t.Helper()
	plain := r.process(t, args...)
	cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, files), "sh"}, plain.Args...)...)
	cmd.Env = plain.Env
	return cmd
}

// Imports and fillings that may open few files are done or refused, by what they say; what stood before stands after.
// With 128 files nothing is refused.
func TestFaultDescriptors(t *testing.T) {
	whole := newRunner(t)
	whole.done(t, "publish", "--ahead", "5")
	whole.done(t, "import", "--genre", "sudoku", manyPuzzles(t, 9000)) // fills a memtable of the log
	files, before := takeImage(t, whole.dir), whole.done(t, "export")
	more := manyPuzzles(t, fullOr(12000, 4000))
	runs, refusals := fullOr(100, 6), 0
	for i := range runs {
		limit := 38 + i*27/runs
		args := []string{"import", "--genre", "sudoku", more}
		if i%4 == 3 {
			args = []string{"pool", "fill", "sudoku/classic", "--per-level", "20", "--seed", fmt.Sprint(i)}
		}
		r := subject{runner: whole, files: files}.restore(t)
		refused := r.runLimited(t, limit, args, before)
		if limit == 64 && refused {
			t.Errorf("64 files are too few for %s", args[0])
		}
		if refused {
			refusals++
		}
	}
	t.Logf("%d runs, %d refused", runs, refusals)
	r := subject{runner: whole, files: files}.restore(t)
	if r.runLimited(t, 128, []string{"import", "--genre", "sudoku", more}, before) {
		t.Error("128 files are too few")
	}
}

// runLimited runs a verb that may open few files, and looks that nothing was lost. It reports whether the verb was
// refused.
func (r runner) runLimited(t *testing.T, limit int, args []string, before string) (refused bool) {
	t.Helper()
	out, err := r.limited(t, limit, args...).CombinedOutput()
	said := string(out)
	if strings.Contains(said, "panic:") || strings.Contains(said, "goroutine ") {
		t.Fatalf("limit %d: it ended by %s", limit, said)
	}
	if err != nil && !strings.Contains(said, "too few file descriptors") && !strings.Contains(said, "too many open files") {
		t.Errorf("limit %d: %v: %s", limit, err, said)
	}
	r.verified(t)
	if after := r.done(t, "export"); !strings.HasPrefix(after, before) {
		t.Fatalf("limit %d: what stood before is gone: %d bytes of %d", limit, len(after), len(before))
	}
	return err != nil
}

// A serving process that may open few files is flooded with connections that say nothing. An import beside it is done or
// refused; when the flood has ended, imports are done again by the same process, and nothing was lost.
func TestFaultFlood(t *testing.T) {
	first, more := manyPuzzles(t, 9000), manyPuzzles(t, 9300) // the same, and 300
	for i := range fullOr(20, 2) {
		files := []int{64, 100, 150, 256, 512}[i%5]
		r := newRunner(t)
		cmd := r.limited(t, files, "serve", "--addr", "127.0.0.1:0", "--trusted-proxy", "127.0.0.0/8")
		address, errs := startServing(t, cmd)
		conns := dialMany(address, 700)
		_, said, code := r.run(t, "", "import", "--genre", "sudoku", first)
		if code != exitDone && !strings.Contains(said, "too few file descriptors") {
			t.Errorf("%d files: exit %d: %s", files, code, said)
		}
		for _, conn := range conns {
			conn.Close()
		}
		r.done(t, "import", "--genre", "sudoku", more)
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			t.Errorf("%d files: %v: %s", files, err, errs)
		}
		if strings.Contains(errs.String(), "panic:") {
			t.Fatalf("%d files: %s", files, errs)
		}
		r.verified(t)
		if n := strings.Count(r.done(t, "export"), `"kind":"imported/1"`); n != 9300 {
			t.Errorf("%d files: %d puzzles on record", files, n)
		}
	}
}

// startServing starts a serving process, and returns its address and what it says, which is whole when it has ended.
func startServing(t *testing.T, cmd *exec.Cmd) (address string, errs *bytes.Buffer) {
	t.Helper()
	errs = new(bytes.Buffer)
	cmd.Stderr = errs
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	_, address, _ = strings.Cut(strings.TrimSpace(line), "http://")
	return address, errs
}

// dialMany opens connections, as many as there can be.
func dialMany(address string, n int) (conns []net.Conn) {
	for range n {
		if conn, err := net.Dial("tcp", address); err == nil {
			conns = append(conns, conn)
		}
	}
	return conns
}
