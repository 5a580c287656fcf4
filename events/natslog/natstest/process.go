package natstest

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay/events/logtest"
)

// program is the name under which the program of a test is the server.
const program = "nats-server"

// Main turns this process into a server, with the server's command line, if it runs under the server's name. It does
// not return then. The TestMain of a package whose tests start servers as processes calls it first.
func Main() {
	if filepath.Base(os.Args[0]) == program {
		fmt.Fprintln(os.Stderr, serve(os.Args[1:]))
		os.Exit(1)
	}
}

// serve runs a server until a signal ends it, or until the process that started it is gone.
func serve(args []string) error {
	o, err := server.ConfigureOptions(flag.NewFlagSet(program, flag.ContinueOnError), args, func() {}, func() {}, func() {})
	if err != nil {
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	s.Start()
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// Installed creates a directory with the program nats-server in it.
func Installed(t testing.TB) string {
	t.Helper()
	this, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(this, filepath.Join(dir, program)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// maxSaid is how many of the last bytes of a process's output are logged.
const maxSaid = 4000

// StartProcess starts a program as a process of its own, which ends when its input does, and kills it when the test
// ends. Its output is logged when the test has failed.
func StartProcess(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	if _, err := cmd.StdinPipe(); err != nil { // when it closes, the server knows that this process has ended
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill(cmd)
		if t.Failed() {
			said := errs.String()
			t.Logf("%s: %s", cmd, said[max(0, len(said)-maxSaid):])
		}
	})
}

// startServer starts the server of a configuration file, with additions to its environment.
func startServer(t testing.TB, file string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(Installed(t), program), "--config", file)
	cmd.Env = append(os.Environ(), env...)
	StartProcess(t, cmd)
	return cmd
}

// kill ends a process as a crash does, unless it has ended.
func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		cmd.Process.Kill()
		cmd.Wait() // returns that it was killed
	}
}

// Processes are three servers of a cluster, n0, n1 and n2, as processes of their own.
type Processes struct {
	t       testing.TB
	files   []string
	ports   []int // of clients, then of routes
	running []*exec.Cmd
}

// StartProcesses starts three servers. It does not wait until they take connections.
func StartProcesses(t testing.TB) *Processes {
	t.Helper()
	p := &Processes{t: t, ports: FreePorts(t, 6), running: make([]*exec.Cmd, 3)}
	dir := logtest.DiskDir(t)
	for i := range 3 {
		file := filepath.Join(dir, fmt.Sprintf("n%d.conf", i))
		if err := os.WriteFile(file, []byte(p.configuration(dir, i)), 0o600); err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, file)
		p.Start(i)
	}
	return p
}

func (p *Processes) configuration(dir string, i int) string {
	return fmt.Sprintf(`
		server_name: n%d, listen: "127.0.0.1:%d"
		jetstream { store_dir: %q, sync_interval: always, max_mem: 1G, max_file: 8G }
		cluster { name: assay, listen: "127.0.0.1:%d", routes: ["nats://127.0.0.1:%d", "nats://127.0.0.1:%d", "nats://127.0.0.1:%d"] }
	`, i, p.ports[i], filepath.Join(dir, fmt.Sprint("store", i)), p.ports[3+i], p.ports[3], p.ports[4], p.ports[5])
}

// Start starts a server that Kill has ended, with the store that it had.
func (p *Processes) Start(i int) {
	p.t.Helper()
	p.running[i] = startServer(p.t, p.files[i])
}

// Kill ends a server as a crash does.
func (p *Processes) Kill(i int) { kill(p.running[i]) }

// URL names all servers.
func (p *Processes) URL() string {
	var list []string
	for i := range p.running {
		list = append(list, p.URLOf(i))
	}
	return strings.Join(list, ",")
}

// URLOf names one server.
func (p *Processes) URLOf(i int) string { return fmt.Sprintf("nats://127.0.0.1:%d", p.ports[i]) }
