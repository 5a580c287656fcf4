package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// deployment is what docker-compose.yml describes, as processes of this machine: with the same command lines, environments and
// files. Each container has an address of the loopback of its own, and a directory that stands for its root.
type deployment struct {
	t *testing.T
	compose
	image   dockerfile
	project string // where docker-compose.yml is
	dir     string // of the volumes and the roots
	path    string // PATH of the containers
	block   string // what the addresses begin with
	servers *regexp.Regexp

	containers map[string][]*container // by service, while they run
	started    []string                // services, in this order
}

type container struct {
	*service
	cmd     *exec.Cmd // of its first process
	out     *natstest.Heard
	address string
	root    string
	paths   *regexp.Regexp // what of a command line is a path inside the container
}

func newDeployment(t *testing.T) *deployment {
	t.Helper()
	project, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{
		t: t, compose: readCompose(t), image: readDockerfile(t), project: project, dir: natstest.StoreDir(t),
		path: natstest.Installed(t) + ":/usr/bin:/bin", containers: map[string][]*container{},
	}
	var names []string
	for name, s := range d.Services {
		if s.isServer() {
			names = append(names, name)
		}
	}
	d.servers = regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	own, err := net.Listen("tcp", "127.0.0.1:0") // as long as it is held, no other run has this port
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	port := own.Addr().(*net.TCPAddr).Port
	d.block = fmt.Sprintf("127.%d.%d.", port>>8, port&0xff)
	return d
}

// address is that of a service's container.
func (d *deployment) address(name string, replica int) string {
	return fmt.Sprint(d.block, 10*(1+slices.Index(slices.Sorted(maps.Keys(d.Services)), name))+replica)
}

// up starts a service and what it depends on, each when that is so far, as docker compose up does.
func (d *deployment) up(name string) {
	d.t.Helper()
	s := d.Services[name]
	if s == nil {
		d.t.Fatalf("there is no service %s", name)
	}
	if slices.Contains(d.started, name) {
		return
	}
	for on := range s.DependsOn {
		d.up(on)
	}
	for on, until := range s.DependsOn {
		d.await(on, until.Condition)
	}
	d.started = append(d.started, name)
	d.containers[name] = nil
	for i := range s.replicas() {
		d.containers[name] = append(d.containers[name], d.start(name, i))
	}
}

func (d *deployment) await(name, condition string) {
	d.t.Helper()
	for _, c := range d.containers[name] {
		switch condition {
		case "service_completed_successfully":
			if err := c.wait(); err != nil {
				d.t.Fatalf("%s: %v", name, err)
			}
		case "service_healthy":
			natstest.Until(d.t, name+" that is healthy", func() bool { return d.probe(c) == nil })
		default:
			d.t.Fatalf("%s is waited for until %q, which this does not know", name, condition)
		}
	}
}

// wait waits until a container has ended, and tells when it did not end well.
func (c *container) wait() error {
	if c.cmd.ProcessState == nil {
		return c.cmd.Wait()
	}
	if !c.cmd.ProcessState.Success() {
		return fmt.Errorf("%v", c.cmd.ProcessState)
	}
	return nil
}

// probe checks a container's health in the way that the file says.
func (d *deployment) probe(c *container) error {
	test := c.Healthcheck.Test
	if len(test) < 3 || test[0] != "CMD" || test[1] != "wget" {
		d.t.Fatalf("the health of %s is checked by %q, which this does not know", c.Image, test)
	}
	answer, err := http.Get(d.inside(c, test[len(test)-1]))
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", answer.Status)
	}
	return nil
}

// start starts a container: its volumes lie under its root, where the file mounts them.
func (d *deployment) start(name string, replica int) *container {
	d.t.Helper()
	c := &container{service: d.Services[name], out: natstest.NewHeard(), address: d.address(name, replica)}
	c.root = filepath.Join(d.dir, "root", fmt.Sprint(name, "-", replica+1))
	mounts := c.mounts(d.t)
	var tops []string
	for target, from := range mounts {
		tops = append(tops, strings.Split(target, "/")[1])
		d.mount(from, filepath.Join(c.root, target))
	}
	if !c.isServer() {
		for _, dir := range d.image.dirs {
			tops = append(tops, strings.Split(dir, "/")[1])
			if _, mounted := mounts[filepath.Dir(dir)]; !mounted {
				d.must(os.MkdirAll(filepath.Join(c.root, dir), 0o700))
			}
		}
	}
	c.paths = regexp.MustCompile(`(^|[ =])(/(?:` + strings.Join(tops, "|") + `)\b)`)
	command := append(slices.Clone(c.Entrypoint), c.Command...)
	if !c.isServer() {
		command = append(slices.Clone(d.image.entrypoint), c.Command...)
	}
	c.cmd = d.process(context.Background(), c, command)
	c.cmd.Stdout = c.out
	natstest.StartProcess(d.t, c.cmd)
	return c
}

func (d *deployment) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// mount lets a place under a root be a volume, or a directory of the project.
func (d *deployment) mount(from, at string) {
	d.t.Helper()
	source := filepath.Join(d.dir, "volumes", from)
	if strings.HasPrefix(from, "./") {
		source = filepath.Join(d.project, from)
		d.must(os.CopyFS(filepath.Join(d.t.TempDir(), "seen"), os.DirFS(source))) // read here, a change makes the test run again
	} else {
		d.must(os.MkdirAll(source, 0o700))
	}
	d.must(os.MkdirAll(filepath.Dir(at), 0o700))
	if was, err := os.Readlink(at); err != nil || was != source {
		d.must(os.Symlink(source, at))
	}
}

// inside returns a word of the file as it is to be on this machine.
func (d *deployment) inside(c *container, word string) string {
	word = strings.NewReplacer("0.0.0.0", c.address, "127.0.0.1", c.address).Replace(word)
	word = d.servers.ReplaceAllStringFunc(word, func(name string) string { return d.address(name, 0) })
	return c.paths.ReplaceAllString(word, "${1}"+c.root+"${2}")
}

// process is a command in a container.
func (d *deployment) process(ctx context.Context, c *container, command []string) *exec.Cmd {
	d.t.Helper()
	program := command[0]
	env := map[string]string{"PATH": d.path}
	if !c.isServer() {
		maps.Copy(env, d.image.environment)
	}
	maps.Copy(env, c.Environment)
	for name, value := range env {
		env[name] = d.inside(c, value)
	}
	switch {
	case program == d.image.entrypoint[0] && !c.isServer():
		var err error
		program, err = os.Executable()
		d.must(err)
		env["ASSAY_TEST_MAIN"] = "1"
	case program != "/bin/sh" || !c.isServer():
		d.t.Fatalf("%s has no program %s", c.Image, program)
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = c.root
	for _, word := range command[1:] {
		cmd.Args = append(cmd.Args, d.inside(c, word))
	}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// exec runs the program in the serving container, as docker compose exec does, and gives what it prints and its exit status.
func (d *deployment) exec(args ...string) (out string, code int) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	var errs bytes.Buffer
	cmd := d.process(ctx, d.containers["serve"][0], append(slices.Clone(d.image.entrypoint), args...))
	cmd.Stderr = &errs
	printed, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > exitFinding {
		d.t.Fatalf("%v: %v: %s%s", args, err, printed, &errs)
	}
	return string(printed), cmd.ProcessState.ExitCode()
}

func (d *deployment) done(args ...string) string {
	d.t.Helper()
	out, code := d.exec(args...)
	if code != exitDone {
		d.t.Fatalf("%v: exit %d: %s", args, code, out)
	}
	return out
}

// down ends all services, the last one first, as docker compose stop does: each ends well.
func (d *deployment) down() {
	d.t.Helper()
	for _, name := range slices.Backward(d.started) {
		for i, c := range d.containers[name] {
			if c.cmd.ProcessState != nil {
				continue // it was to end by itself
			}
			d.must(c.cmd.Process.Signal(syscall.SIGTERM))
			if err := c.wait(); err != nil {
				d.t.Errorf("%s %d ends with %v", name, i+1, err)
			}
		}
	}
	d.started = nil
}

// all starts everything, and waits until it is ready.
func (d *deployment) all() {
	d.t.Helper()
	for _, name := range append([]string{"serve", "worker"}, slices.Sorted(maps.Keys(d.Services))...) {
		d.up(name)
	}
	natstest.Until(d.t, "pages that are served", func() bool {
		answer, err := http.Get(d.served())
		if err == nil {
			answer.Body.Close()
		}
		return err == nil && answer.StatusCode == http.StatusOK
	})
	for _, c := range d.containers["worker"] {
		c.out.Await(d.t, "assay works for ASSAY on tls://")
	}
}

// What docker-compose.yml describes comes up on a fresh machine, serves, has its work done by its workers, ends when it is told
// to, and goes on when it comes up again.
func TestComposeRuns(t *testing.T) {
	d := newDeployment(t)
	d.all()
	if status, page := get(t, d.served()); status != http.StatusOK || !strings.Contains(page, "one puzzle a day") {
		t.Errorf("the page: status %d, %s", status, page)
	}
	d.done("publish", "--ahead", "40")
	d.done("pool", "fill", "sudoku/classic", "--per-level", "2", "--seed", "1")
	if out, code := d.exec("replay", "--pool", "sudoku/classic", "--rater", "sudoku.canonical", "--json"); code != exitFinding || !strings.Contains(out, `"puzzles":10,`) {
		t.Errorf("the replay: exit %d, %s", code, out)
	}
	d.checkServers()
	if _, err := os.Stat(filepath.Join(d.dir, "volumes", "registry", "keys", "log.key")); err != nil {
		t.Errorf("the registry is not in its volume: %v", err)
	}
	if n := d.orders(); n == 0 {
		t.Error("no worker was given any work")
	}
	key, days := d.done("keys", "show"), d.done("archive", "--json")
	if n := strings.Count(days, "\n"); n != 41 {
		t.Errorf("%d days", n)
	}
	d.down()
	d.all()
	if d.done("keys", "show") != key || d.done("archive", "--json") != days {
		t.Error("it comes up as another registry")
	}
	if out := d.done("verify"); !strings.HasPrefix(out, "ok: ") {
		t.Error(out)
	}
	d.down()
}

// served is where this machine reaches the pages: the port is that of the container.
func (d *deployment) served() string {
	d.t.Helper()
	s := d.Services["serve"]
	if len(s.Ports) != 1 {
		d.t.Fatalf("serve has the ports %v", s.Ports)
	}
	return "http://" + d.address("serve", 0) + s.Ports[0][strings.LastIndex(s.Ports[0], ":"):]
}

// connect connects to some of the servers as the service that serves does.
func (d *deployment) connect(url string) *link.Link {
	d.t.Helper()
	c := d.containers["serve"][0]
	file := func(name string) string { return d.inside(c, c.Environment[name]) }
	l, err := link.Open(d.t.Context(), link.Options{URL: url, NKey: file("ASSAY_NKEY"), CA: file("ASSAY_TLS_CA")})
	d.must(err)
	return l
}

// checkServers sees that each server is trusted: who connects goes on to another one when it is not.
func (d *deployment) checkServers() {
	d.t.Helper()
	c := d.containers["serve"][0]
	urls := strings.Split(d.inside(c, c.Environment["ASSAY_LOG"]), ",")
	for _, url := range urls {
		l := d.connect(url)
		if got := "tls://" + l.NC.ConnectedAddr(); got != url {
			d.t.Errorf("who connects to %s comes to %s", url, got)
		}
		l.Close()
	}
	if len(urls) != 3 {
		d.t.Errorf("the log is on %v", urls)
	}
}

// orders is how many orders the workers were given.
func (d *deployment) orders() uint64 {
	d.t.Helper()
	c := d.containers["serve"][0]
	l := d.connect(d.inside(c, c.Environment["ASSAY_LOG"]))
	defer l.Close()
	workers, err := l.JS.Consumer(d.t.Context(), "ASSAY-jobs", "workers")
	d.must(err)
	return workers.CachedInfo().Delivered.Consumer
}
