package main

import (
	"fmt"
	"log/slog"
	"strconv"

	"github.com/spf13/cobra"

	"assay/events/natslog"
	"assay/events/natslog/link"
	"assay/registry/home"
)

// logFlags say which log on NATS to use, and as which user. Without a URL the log is in the directory.
type logFlags struct {
	natslog.Options
	publicKey string
	workers   bool
}

func (a *app) logFlags(root *cobra.Command) {
	l, flags := &a.shared, root.PersistentFlags()
	text := func(to *string, name, variable, usage string) {
		flags.StringVar(to, name, a.env.Getenv(variable), fmt.Sprintf("%s (env %s)", usage, variable))
	}
	text(&l.URL, "log", "ASSAY_LOG", "use a log on NATS: nats://HOST:PORT, several separated by commas; the directory then has only the tables")
	text(&l.Stream, "log-stream", "ASSAY_LOG_STREAM", "the stream of the log (default: "+natslog.DefaultStream+")")
	text(&l.publicKey, "log-key", "ASSAY_LOG_KEY", "the public key of the registry that signs, for one that only verifies")
	text(&l.Credentials, "creds", "ASSAY_CREDS", "a file of NATS credentials")
	text(&l.NKey, "nkey", "ASSAY_NKEY", "a file with an nkey seed")
	text(&l.CA, "tls-ca", "ASSAY_TLS_CA", "a file with the certificates that NATS servers are verified with")
	text(&l.Cert, "tls-cert", "ASSAY_TLS_CERT", "a file with the certificate to present to NATS servers")
	text(&l.Key, "tls-key", "ASSAY_TLS_KEY", "a file with the key of that certificate")
	on, _ := strconv.ParseBool(a.env.Getenv("ASSAY_WORKERS")) // checkWorkers refuses other values than true and false
	flags.BoolVar(&l.workers, "workers", on, "let workers rate and generate; see assay worker (env ASSAY_WORKERS)")
	flags.DurationVar(&l.Patience, "log-wait", link.DefaultPatience, "how long to wait for NATS servers that stop answering")
}

// natsOptions returns the options with paths relative to this run's directory.
func (a *app) natsOptions(url string) *natslog.Options {
	o := a.shared.Options
	o.URL = url
	for _, file := range []*string{&o.Credentials, &o.NKey, &o.CA, &o.Cert, &o.Key} {
		*file = a.path(*file)
	}
	o.Logger = slog.New(slog.NewTextHandler(a.env.Stderr, nil))
	return &o
}

// place returns where the registry of this run is: its directory, with the log in it or on NATS.
func (a *app) place() home.Place {
	p := home.Place{Dir: a.path(a.dir), Secret: a.path(a.secretFile), PublicKey: a.shared.publicKey, Warn: a.env.Stderr}
	if a.shared.URL != "" {
		p.NATS = a.natsOptions(a.shared.URL)
	}
	return p
}
