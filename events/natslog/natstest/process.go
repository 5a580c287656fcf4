package natstest

import (
	"bytes"
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

// asServer is the variable that names a configuration file: the program of the test is then the server of it.
const asServer = "NATSTEST_SERVER"

// Main makes this process a server, and does not return, when StartProcess has started it as one. The TestMain of a
// package whose tests start servers as processes begins with it.
func Main() {
	if file := os.Getenv(asServer); file != "" {
		fmt.Fprintln(os.Stderr, serve(file))
		os.Exit(1)
	}
}

// serve is a server until a signal ends it, or the process that has started it is no more.
func serve(file string) error {
	o, err := server.ProcessConfigFile(file)
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

// StartProcess starts the server of a configuration file as a process of its own, with more of an environment, and kills it
// when the test ends. It does not wait until the server takes connections. What the server said is logged when the test has failed.
func StartProcess(t testing.TB, file string, env ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	errs := &bytes.Buffer{}
	cmd := exec.Command(program)
	cmd.Env, cmd.Stderr = append(append(os.Environ(), asServer+"="+file), env...), errs
	if _, err := cmd.StdinPipe(); err != nil { // its end tells the server that this process has ended
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill(cmd)
		if t.Failed() {
			t.Logf("server of %s: %.4000s", filepath.Base(file), errs)
		}
	})
	return cmd
}

// kill ends a process as a crash does, unless it has ended.
func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		cmd.Process.Kill()
		cmd.Wait() // says that it was killed
	}
}

// Processes are three servers of a cluster, n0, n1 and n2, that are processes of their own.
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
	p.running[i] = StartProcess(p.t, p.files[i])
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
