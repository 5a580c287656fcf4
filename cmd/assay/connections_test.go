package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestWhatServeRefuses(t *testing.T) {
	r := newRunner(t)
	for _, args := range [][]string{
		{"--max-connections", "0"}, {"--max-connections", "9999999"}, {"--max-connections-per-address", "-1"},
		{"--trusted-proxy", "proxy"}, {"--trusted-proxy", "10.0.0.0/33"}, {"--trusted-proxy", ""},
	} {
		if _, errs, code := r.run(t, "", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...); code != exitInput || !strings.Contains(errs, args[0]) {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	for text, want := range map[string]string{"10.1.2.3": "10.1.2.3/32", "::ffff:10.1.2.3": "10.1.2.3/32", "2001:db8::1": "2001:db8::1/128", "10.0.0.0/8": "10.0.0.0/8"} {
		if got, err := parseNetwork(text); err != nil || got.String() != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
}

func FuzzParseNetwork(f *testing.F) {
	for _, text := range []string{"10.0.0.0/8", "::1", "fe80::1%eth0", "10.1.2.3", "::ffff:10.0.0.0/104"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		network, err := parseNetwork(text)
		if err == nil && (!network.IsValid() || !network.Contains(network.Addr())) {
			t.Errorf("%q is %v", text, network)
		}
	})
}

// 800 connections that say nothing take neither the store's descriptors nor the operator's: with few of them, verbs are
// done beside, days are published, and who asks is answered once they are gone.
func TestIdleConnectionsStarveNobody(t *testing.T) {
	const files, idle = 512, 800
	r := newRunner(t)
	cmd := r.limited(t, files, "serve", "--addr", "127.0.0.1:0", "--max-connections", "1000", "--trusted-proxy", "127.0.0.0/8")
	address, errs := startServing(t, cmd)
	var conns []net.Conn
	for range idle {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn)
	}
	if out := r.done(t, "publish", "--ahead", "60"); !strings.Contains(out, "30 of 61 days new") {
		t.Error(out)
	}
	if out := r.done(t, "pool", "fill", "sudoku/classic", "--per-level", "2", "--seed", "1"); !strings.Contains(out, "kept") {
		t.Error(out)
	}
	r.done(t, "verify")
	for _, conn := range conns {
		conn.Close()
	}
	if status, body := get(t, "http://"+address+"/v1/series/daily/2026-12-01"); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
		t.Error(err)
	}
	lowered := "connections at a time, not 1000: the process may open 512 files"
	if said := errs.String(); !strings.Contains(said, lowered) || strings.Contains(said, "too many open files") {
		t.Errorf("the process says %s", said)
	}
}

// No page and no answer may be framed, and a browser loads nothing but the style sheet for one.
func TestAnswersHaveAPolicy(t *testing.T) {
	s := serve(t, newRunner(t))
	for _, path := range []string{"/", "/days/2026-12-01", "/days/never", "/style.css", "/v1/series/daily", "/openapi.json", "/none"} {
		answer, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Error(err)
		}
		answer.Body.Close()
		if got := answer.Header.Values("Content-Security-Policy"); len(got) != 1 || got[0] != policy || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %q", path, got)
		}
	}
	s.end(t)
}
