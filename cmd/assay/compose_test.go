package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"assay/events/natslog/natstest"
)

// compose is docker-compose.yml. What it has that this does not know is an error.
type compose struct {
	Name              string
	Server            any `yaml:"x-server"`
	ServerEnvironment any `yaml:"x-server-environment"`
	Assay             any `yaml:"x-assay"`
	AssayEnvironment  any `yaml:"x-assay-environment"`
	Services          map[string]*service
	Volumes           map[string]any
}

type service struct {
	Image, Build        string
	Entrypoint, Command []string
	Environment         map[string]string
	Volumes, Ports      []string
	DependsOn           map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck         struct {
		Test              []string
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
	}
	Restart   string
	StopGrace string `yaml:"stop_grace_period"`
	MemLimit  string `yaml:"mem_limit"`
	Deploy    struct{ Replicas int }
}

// replicas is how many containers a service has.
func (s *service) replicas() int { return max(1, s.Deploy.Replicas) }

// isServer reports whether a service is a NATS server; the others are the program.
func (s *service) isServer() bool { return strings.HasPrefix(s.Image, "nats:") }

// mounts returns what is mounted where.
func (s *service) mounts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, v := range s.Volumes {
		from, target, ok := strings.Cut(strings.TrimSuffix(v, ":ro"), ":")
		if !ok || strings.Contains(target, ":") {
			t.Fatalf("the volume %q", v)
		}
		all[target] = from
	}
	return all
}

func readCompose(t *testing.T) compose {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(text, '$') {
		t.Fatal("docker-compose.yml has variables, which this does not replace")
	}
	var c compose
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// dockerfile is what the Dockerfile says of the containers of the program.
type dockerfile struct {
	goImage          string
	environment      map[string]string
	entrypoint, exec []string
	dirs             []string
	uid              string
}

func readDockerfile(t *testing.T) dockerfile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\\\n", " ")
	find := func(pattern string) string {
		t.Helper()
		found := regexp.MustCompile(`(?m)^`+pattern+`$`).FindAllStringSubmatch(text, -1)
		if len(found) != 1 {
			t.Fatalf("the Dockerfile has %d lines like %s", len(found), pattern)
		}
		return found[0][1]
	}
	list := func(text string) (words []string) {
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			t.Fatal(text, err)
		}
		return words
	}
	i := dockerfile{goImage: find(`FROM golang:(\S+) AS build`), uid: find(`USER (\d+):\d+`), entrypoint: list(find(`ENTRYPOINT (\[.*\])`)), exec: list(find(`CMD (\[.*\])`))}
	name, value, _ := strings.Cut(find(`ENV (\S+=\S+)`), "=")
	i.environment = map[string]string{name: value}
	for _, dir := range strings.Fields(find(`RUN mkdir -p (.*)`)) {
		i.dirs = append(i.dirs, strings.TrimPrefix(dir, "/image"))
	}
	if chown := find(`COPY --from=build --chown=(\d+):\d+ /image/ /`); chown != i.uid {
		t.Errorf("the directories are %s's, and the program runs as %s", chown, i.uid)
	}
	return i
}

// What docker-compose.yml has to be, besides that it works.
func TestCompose(t *testing.T) {
	c, made := readCompose(t), readDockerfile(t)
	servers, stores := 0, map[string]bool{}
	for name, s := range c.Services {
		if s.isServer() {
			servers++
			stores[s.mounts(t)[s.Environment["NATS_STORE"]]] = true
			if want := "nats:" + natstest.Version + "-alpine"; s.Image != want || s.MemLimit == "" {
				t.Errorf("%s is %s with a memory of %q: the tests are with %s", name, s.Image, s.MemLimit, want)
			}
		}
		for target, from := range s.mounts(t) {
			if _, named := c.Volumes[from]; !named && !strings.HasPrefix(from, "./") {
				t.Errorf("%s mounts %s, which is no volume", name, from)
			}
			if !s.isServer() && slices.Contains(s.Volumes, from+":"+target) && !slices.Contains(made.dirs, target) {
				t.Errorf("%s writes to %s, which the Dockerfile does not make: the volume would be root's", name, target)
			}
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s is open to others than this machine: %s", name, port)
			}
		}
		if once := s.Restart == ""; once != (name == "identity") || !once && (s.Restart != "unless-stopped" || s.StopGrace == "") {
			t.Errorf("%s: restart %q, stop grace %q", name, s.Restart, s.StopGrace)
		}
	}
	if servers != 3 || len(stores) != 3 || stores[""] {
		t.Errorf("%d servers with %d stores", servers, len(stores))
	}
	if c.Services["serve"] == nil || c.Services["worker"] == nil || c.Services["worker"].replicas() != 2 || len(c.Services) != 6 {
		t.Error("not an identity, three servers, one that serves, and two workers")
	}
	if made.uid == "0" || !strings.HasPrefix(runtime.Version(), "go"+made.goImage) {
		t.Errorf("the image is built with Go %s, and runs as user %s", made.goImage, made.uid)
	}
}
