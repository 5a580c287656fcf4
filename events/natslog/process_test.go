package natslog

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
	"go.uber.org/goleak"

	"assay/events/logtest"
)

// asServer names a configuration file: this program is then the server of it, to be killed.
const asServer = "NATSLOG_TEST_SERVER"

// TestMain sees that no goroutine outlives the tests: neither of a log nor of the servers.
func TestMain(m *testing.M) {
	if file := os.Getenv(asServer); file != "" {
		serve(file)
	}
	goleak.VerifyTestMain(m)
}

func serve(file string) {
	o, err := server.ProcessConfigFile(file)
	if err == nil {
		var s *server.Server
		if s, err = server.NewServer(o); err == nil {
			s.ConfigureLogger()
			s.Start()
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// processes are servers of a cluster that are processes of their own.
type processes struct {
	t       testing.TB
	dir     string
	ports   []int // of clients, then of routes
	running []*exec.Cmd
	errs    []*bytes.Buffer
}

func startProcesses(t testing.TB) *processes {
	t.Helper()
	p := &processes{t: t, dir: logtest.DiskDir(t), ports: freePorts(t, 6), running: make([]*exec.Cmd, 3), errs: make([]*bytes.Buffer, 3)}
	t.Cleanup(func() {
		for i := range p.running {
			p.kill(i)
			if t.Failed() {
				t.Logf("server %d: %.4000s", i, p.errs[i])
			}
		}
	})
	for i := range 3 {
		p.errs[i] = &bytes.Buffer{}
		p.start(i)
	}
	return p
}

func (p *processes) start(i int) {
	p.t.Helper()
	file := filepath.Join(p.dir, fmt.Sprintf("n%d.conf", i))
	conf := fmt.Sprintf(`
		server_name: n%d, listen: "127.0.0.1:%d"
		jetstream { store_dir: %q, sync_interval: always, max_mem: 1G, max_file: 8G }
		cluster { name: assay, listen: "127.0.0.1:%d", routes: ["nats://127.0.0.1:%d", "nats://127.0.0.1:%d", "nats://127.0.0.1:%d"] }
	`, i, p.ports[i], filepath.Join(p.dir, fmt.Sprint("store", i)), p.ports[3+i], p.ports[3], p.ports[4], p.ports[5])
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.running[i] = startProcess(p.t, file, p.errs[i])
}

// startProcess starts the server of a configuration file as a process of its own, with more of an environment.
func startProcess(t testing.TB, file string, errs io.Writer, env ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(append(os.Environ(), asServer+"="+file), env...)
	cmd.Stderr = errs
	if _, err := cmd.StdinPipe(); err != nil { // its end tells the server that this process has ended
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// kill ends a server as a crash does.
func (p *processes) kill(i int) {
	if p.running[i] == nil {
		return
	}
	p.running[i].Process.Kill()
	p.running[i].Wait() // says that it was killed
	p.running[i] = nil
}

func (p *processes) url() string {
	var list []string
	for _, port := range p.ports[:3] {
		list = append(list, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	return strings.Join(list, ",")
}
