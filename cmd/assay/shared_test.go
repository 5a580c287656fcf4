package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/events/natslog/natstest"
	"assay/registry/integrity"
)

// on returns another process of the registry: a directory of its own, the log on NATS.
func (r runner) on(t testing.TB, url, key string) runner {
	t.Helper()
	r.dir = filepath.Join(t.TempDir(), "data")
	r.vars = map[string]string{"ASSAY_LOG": url, "ASSAY_LOG_KEY": key}
	return r
}

// state returns what must be the same wherever the events are: the root, and the digest of each table.
func (r runner) state(t *testing.T) string {
	t.Helper()
	var v integrity.Verification
	if err := json.Unmarshal([]byte(r.done(t, "verify", "--json")), &v); err != nil || !v.OK {
		t.Fatal(v, err)
	}
	return fmt.Sprintln(v.Events, v.Root) + r.done(t, "rebuild", "--json")
}

// The same events give the same root and the same tables, in a directory and on NATS, for the process that signs
// and for one that verifies; copies and backups lead from any to any.
func TestALogOnNATSIsTheSame(t *testing.T) {
	alone, url := newRunner(t), natstest.One(t).ClientURL()
	alone.done(t, "publish")
	alone.done(t, "pool", "fill", "sudoku/classic", "--per-level", "3", "--seed", "1")
	alone.done(t, "withdraw", "2026-12-04", "--reason", "a test")
	want := alone.state(t)

	if out := alone.done(t, "copy", "--from", alone.dir, "--to", url); !strings.Contains(out, "events in both") {
		t.Error(out)
	}
	signer := alone.on(t, url, "")
	if got := signer.state(t); got != want {
		t.Fatalf("on NATS\n%s\nin a directory\n%s", got, want)
	}
	if signer.done(t, "export") != alone.done(t, "export") {
		t.Error("the exports differ")
	}
	key := strings.TrimSpace(signer.done(t, "keys", "show"))
	if _, errs, code := alone.on(t, url, "").run(t, "", "verify"); code != exitInput || !strings.Contains(errs, "--log-key") {
		t.Errorf("a second registry without the public key: exit %d, %s", code, errs)
	}
	verifier := alone.on(t, url, key)
	if got := verifier.state(t); got != want {
		t.Fatalf("verified\n%s\nin a directory\n%s", got, want)
	}

	backup, keys := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "keys")
	verifier.done(t, "backup", backup)
	signer.done(t, "keys", "export", keys)
	into := newRunner(t)
	into.done(t, "restore", backup, "--keys", keys)
	if got := into.state(t); got != want {
		t.Errorf("restored from NATS into a directory\n%s\nwas\n%s", got, want)
	}
	other := natstest.One(t).ClientURL()
	over := alone.on(t, other, "")
	over.done(t, "restore", backup, "--keys", keys)
	if got := over.state(t); got != want {
		t.Errorf("restored to NATS\n%s\nwas\n%s", got, want)
	}
	if strings.TrimSpace(over.done(t, "keys", "show")) != key {
		t.Error("restored, it has another key")
	}
	back := filepath.Join(t.TempDir(), "back")
	alone.done(t, "copy", "--from", url, "--to", back)
	into.dir = back
	if got := into.state(t); got != want {
		t.Errorf("copied back\n%s\nwas\n%s", got, want)
	}
}

// Two processes work on one log: one signs, the other verifies; what one records the other sees, and proofs of
// either check with the one public key.
func TestTwoProcessesOnOneLog(t *testing.T) {
	url := natstest.One(t).ClientURL()
	signer := newRunner(t).on(t, url, "")
	signer.done(t, "publish", "--ahead", "3")
	key := strings.TrimSpace(signer.done(t, "keys", "show"))
	other := newRunner(t).on(t, url, key)
	if out := other.done(t, "publish", "--ahead", "5"); !strings.Contains(out, "2 of 6 days new") {
		t.Error(out)
	}
	if out := other.done(t, "audit", "2026-12-06"); strings.Contains(out, "Proof") {
		t.Errorf("proven before it is signed:\n%s", out)
	}
	if out := other.done(t, "verify"); !strings.Contains(out, "ok: 14 of 20 events, every one as signed") || !strings.Contains(out, "not signed yet: 6.") {
		t.Errorf("verified before it is signed: %s", out)
	}
	if out := other.done(t, "verify", "--json"); !strings.Contains(out, `"events":14,`) || !strings.Contains(out, `"unsigned":6,"log":20}`) {
		t.Errorf("verified before it is signed: %s", out)
	}
	signer.done(t, "verify")
	if out := other.done(t, "verify"); !strings.Contains(out, "ok: 20 events") {
		t.Errorf("verified when it is signed: %s", out)
	}
	if signer.state(t) != other.state(t) {
		t.Error("two states")
	}
	for _, r := range []runner{signer, other} {
		file := filepath.Join(t.TempDir(), "proof")
		writeFile(t, file, r.done(t, "proof", "2026-12-06"))
		r.done(t, "proof", "check", file, "--key", key)
	}
	before := filepath.Join(t.TempDir(), "checkpoint")
	writeFile(t, before, other.done(t, "checkpoint"))
	signer.done(t, "keys", "rotate")
	signer.done(t, "publish", "--ahead", "6")
	grown := filepath.Join(t.TempDir(), "grown")
	writeFile(t, grown, other.done(t, "proof", "--since", before))
	other.done(t, "proof", "check", grown, "--key", strings.TrimSpace(other.done(t, "keys", "show")))
	if _, errs, code := other.run(t, "", "keys", "rotate"); code != exitCannot || !strings.Contains(errs, "does not sign") {
		t.Errorf("who verifies rotates the key: exit %d, %s", code, errs)
	}
	other.done(t, "rebuild", "--ledger")
	signer.done(t, "rebuild", "--ledger", "--discard")
	if signer.state(t) != other.state(t) {
		t.Error("two states after rebuilding")
	}
}

// A serving process on NATS publishes, takes forwarded verbs, and sees what another process records.
func TestServingALogOnNATS(t *testing.T) {
	url := natstest.One(t).ClientURL()
	s := serve(t, newRunner(t).on(t, url, ""))
	other := newRunner(t).on(t, url, strings.TrimSpace(s.done(t, "keys", "show")))
	other.done(t, "publish", "--ahead", "31")
	if out := s.done(t, "audit", "2027-01-01"); !strings.Contains(out, "Proof") {
		t.Error(out)
	}
	s.done(t, "verify")
	s.end(t)
	s.done(t, "verify")
	if s.state(t) != other.state(t) {
		t.Error("two states")
	}
}

// A directory says whether its log is in it; a copy goes on, and refuses what is no beginning.
func TestWhatDoesNotFit(t *testing.T) {
	alone, url := newRunner(t), natstest.One(t).ClientURL()
	alone.done(t, "publish", "--ahead", "2")
	onNATS := alone.on(t, url, "")
	onNATS.done(t, "init")
	mixed := alone
	mixed.dir = onNATS.dir
	if _, errs, code := mixed.run(t, "", "archive"); code != exitInput || !strings.Contains(errs, "is on NATS: give --log") {
		t.Errorf("without --log: exit %d, %s", code, errs)
	}
	if _, errs, code := alone.run(t, "", "--log", url, "archive"); code != exitInput || !strings.Contains(errs, "holds a log of its own") {
		t.Errorf("with --log: exit %d, %s", code, errs)
	}
	alone.done(t, "copy", "--from", alone.dir, "--to", url)
	alone.done(t, "publish", "--ahead", "4")
	if out := alone.done(t, "copy", "--from", alone.dir, "--to", url); !strings.Contains(out, "6 of them new") {
		t.Error(out)
	}
	if out := alone.done(t, "copy", "--from", alone.dir, "--to", url); !strings.Contains(out, "0 of them new") {
		t.Error(out)
	}
	another := newRunner(t)
	another.done(t, "publish", "--ahead", "2")
	if _, errs, code := another.run(t, "", "copy", "--from", another.dir, "--to", url); code != exitCannot || !strings.Contains(errs, "are not the beginning of") {
		t.Errorf("onto another log: exit %d, %s", code, errs)
	}
	for _, args := range [][]string{{"--from", url}, {"--from", url, "--to", url}, {"--from", filepath.Join(another.dir, "none"), "--to", url}} {
		if _, errs, code := another.run(t, "", append([]string{"copy"}, args...)...); code != exitInput {
			t.Errorf("copy %v: exit %d, %s", args, code, errs)
		}
	}
	if _, errs, code := another.on(t, "nats://127.0.0.1:1", "").run(t, "", "archive"); code != exitCannot || !strings.Contains(errs, "no connection") {
		t.Errorf("no server: exit %d, %s", code, errs)
	}
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The roles of docs/nats, as the program meets them: who may not do something is told so.
func TestRolesOnNATS(t *testing.T) {
	ids := natstest.MakeIdentities(t)
	url := natstest.DocumentedOne(t, ids).URL
	as := func(seed, key string) runner {
		r := newRunner(t).on(t, url, key)
		r.vars["ASSAY_NKEY"] = seed
		return r
	}
	denied := func(r runner, args ...string) {
		t.Helper()
		if _, errs, code := r.run(t, "", args...); code != exitCannot || !strings.Contains(errs, "not permitted") {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	denied(as(ids.Worker, ""), "publish")
	denied(as(ids.Reader, ""), "archive")
	registry := as(ids.Registry, "")
	registry.done(t, "publish", "--ahead", "2")
	key := strings.TrimSpace(registry.done(t, "keys", "show"))
	worker, reader := as(ids.Worker, key), as(ids.Reader, key)
	worker.done(t, "publish", "--ahead", "3")
	reader.done(t, "verify")
	reader.done(t, "audit", "2026-12-03")
	denied(reader, "publish", "--ahead", "4")
	registry.done(t, "verify")
	if worker.state(t) != registry.state(t) || reader.state(t) != registry.state(t) {
		t.Error("different states")
	}
	stranger := as(ids.Reader, key)
	stranger.vars["ASSAY_NKEY"] = ""
	denied(stranger, "archive")
}

// A server with TLS is trusted by the certificates that are given, and by no others.
func TestTLSOnNATS(t *testing.T) {
	secured := httptest.NewTLSServer(nil) // for its certificate
	defer secured.Close()
	o := natstest.Options(natstest.StoreDir(t))
	o.TLSConfig, o.TLSTimeout = secured.TLS, 10
	url := natstest.Start(t, o).ClientURL()
	r := newRunner(t).on(t, url, "")
	if _, errs, code := r.run(t, "", "init"); code != exitCannot || !strings.Contains(errs, "certificate") {
		t.Errorf("without the authority: exit %d, %s", code, errs)
	}
	r.vars["ASSAY_TLS_CA"] = filepath.Join(t.TempDir(), "ca.pem")
	writeFile(t, r.vars["ASSAY_TLS_CA"], string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secured.Certificate().Raw})))
	r.done(t, "init")
	r.done(t, "verify")
}
