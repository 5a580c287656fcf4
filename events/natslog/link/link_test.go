package link

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay/events/natslog/identity"
)

// What was given wrongly is told of before anybody is asked, and passwords are in no text.
func TestOptions(t *testing.T) {
	dir := t.TempDir()
	if _, err := identity.Make(dir, []string{"n1"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	junk := filepath.Join(dir, "junk")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	cert, key := filepath.Join(dir, "servers", "server.pem"), filepath.Join(dir, "servers", "server.key")
	for _, c := range []struct {
		o    Options
		says string // "" when nothing is wrong
	}{
		{Options{URL: "nats://n1:4222"}, ""},
		{Options{URL: "nats://n1:4222, tls://u:p@n2"}, ""},
		{Options{URL: "ws://n1", CA: cert, Cert: cert, Key: key}, ""},
		{Options{}, "is not nats://HOST:PORT"},
		{Options{URL: "n1:4222"}, "is not nats://HOST:PORT"},
		{Options{URL: "nats://"}, "is not nats://HOST:PORT"},
		{Options{URL: "http://n1"}, "is not nats://HOST:PORT"},
		{Options{URL: "nats://n1,"}, "is not nats://HOST:PORT"},
		{Options{URL: "nats://n1:x"}, "is not nats://HOST:PORT"},
		{Options{URL: "nats://n1", CA: filepath.Join(dir, "none")}, "none"},
		{Options{URL: "nats://n1", CA: junk}, "junk holds no certificate"},
		{Options{URL: "nats://n1", CA: key}, "server.key holds no certificate"},
		{Options{URL: "nats://n1", Cert: cert}, "needs its key"},
		{Options{URL: "nats://n1", Key: key}, "needs its key"},
		{Options{URL: "nats://n1", Cert: junk, Key: junk}, "PEM"},
		{Options{URL: "nats://n1", NKey: junk}, "junk"},
		{Options{URL: "nats://n1", Credentials: junk}, "junk holds no credentials"},
	} {
		err := c.o.check()
		if err == nil {
			_, err = c.o.identity()
		}
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.o, err)
		}
		if _, open := Open(t.Context(), c.o); err != nil && !errors.Is(open, ErrOptions) {
			t.Errorf("%+v: opened with %v", c.o, open)
		}
	}
	for url, want := range map[string]string{
		"nats://n1:4222": "nats://n1:4222",
		"nats://me:hunter2@n1:4222, tls://:hunter2@n2": "nats://me:xxxxx@n1:4222,tls://:xxxxx@n2",
		"nats://TOKEN@n1": "nats://:xxxxx@n1",
		"me:hunter2":      "servers",
	} {
		if got := (Options{URL: url}).Redacted(); got != want {
			t.Errorf("%s is told as %s", url, got)
		}
	}
}

// A denial ends what asked at that subject, or at one that begins with it, and nothing else.
func TestADenialEndsWhatItIsAbout(t *testing.T) {
	for _, c := range []struct {
		own, denied string
		ends        bool
	}{
		{"$JS.API.STREAM.INFO.ASSAY", "$JS.API.STREAM.INFO.ASSAY", true},
		{"$JS.API.STREAM.INFO.ASSAY", "$JS.API.STREAM.INFO.ASSAY-checkpoints", false},
		{"$JS.API.DIRECT.GET.ASSAY", "$JS.API.DIRECT.GET.ASSAY.ASSAY.log.x", true},
		{"ASSAY.log.", "ASSAY.log.x", true},
		{"ASSAY.log.x", "ASSAY.log.", false},
	} {
		var w waitList
		ctx, cancel := context.WithCancelCause(t.Context())
		remove := w.add(&request{[]string{"other", c.own}, cancel})
		w.fail(errors.Join(nats.ErrPermissionViolation, errors.New(`Permissions Violation for Publish to "`+c.denied+`"`)))
		remove()
		if ended := errors.Is(context.Cause(ctx), ErrNotPermitted); ended != c.ends {
			t.Errorf("%s denied, %s: %t", c.denied, c.own, ended)
		}
	}
}
