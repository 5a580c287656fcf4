package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/events/natslog"
	"assay/events/natslog/link"
	"assay/registry"
)

// sharedVersion is the version of a directory's layout beside a log on NATS: as formatVersion has it, without log/.
// A directory that signs has keys/log.key; one that verifies has
//
//	ledger/public    the public key of the registry that signs
const sharedVersion = "assay directory 1, log on NATS\n"

// logFlags say which log on NATS to use, and as whom; without a URL the log is in the directory.
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
	text(&l.URL, "log", "ASSAY_LOG", "the log is on NATS: nats://HOST:PORT, several with commas; the directory holds the tables")
	text(&l.Stream, "log-stream", "ASSAY_LOG_STREAM", "the stream of the log, else "+natslog.DefaultStream)
	text(&l.publicKey, "log-key", "ASSAY_LOG_KEY", "the public key of the registry that signs, where this one only verifies")
	text(&l.Credentials, "creds", "ASSAY_CREDS", "a file of NATS credentials")
	text(&l.NKey, "nkey", "ASSAY_NKEY", "a file with an nkey seed")
	text(&l.CA, "tls-ca", "ASSAY_TLS_CA", "a file with the certificates to trust NATS servers by")
	text(&l.Cert, "tls-cert", "ASSAY_TLS_CERT", "a file with the certificate to show to NATS servers")
	text(&l.Key, "tls-key", "ASSAY_TLS_KEY", "a file with the key of that certificate")
	on, _ := strconv.ParseBool(a.env.Getenv("ASSAY_WORKERS")) // what is neither true nor false is refused by checkWorkers
	flags.BoolVar(&l.workers, "workers", on, "let workers rate and generate, see assay worker (env ASSAY_WORKERS)")
	flags.DurationVar(&l.Patience, "log-wait", link.DefaultPatience, "how long to wait for NATS servers that do not answer, once connected")
}

// natsOptions gives the options with the paths as this run sees them.
func (a *app) natsOptions(url string) natslog.Options {
	o := a.shared.Options
	o.URL = url
	for _, file := range []*string{&o.Credentials, &o.NKey, &o.CA, &o.Cert, &o.Key} {
		*file = a.path(*file)
	}
	o.Logger = slog.New(slog.NewTextHandler(a.env.Stderr, nil))
	return o
}

// openDirectory opens the run's directory, with the log in it or on NATS.
func (a *app) openDirectory(ctx context.Context, verb string) (*directory, error) {
	return a.openAt(ctx, a.path(a.dir), verb, a.path(a.secretFile))
}

func (a *app) openAt(ctx context.Context, path, verb, secret string) (*directory, error) {
	if a.shared.URL == "" {
		return openDirectory(path, verb, secret, a.env.Stderr)
	}
	return openWith(path, verb, secret, a.env.Stderr, func(d *directory) error {
		return d.openShared(ctx, a.natsOptions(a.shared.URL), a.shared.publicKey)
	})
}

// openShared opens the stores of a directory whose log is on NATS. An empty log that nobody signs is signed by this
// directory from now on; one that another signs needs the public key.
func (d *directory) openShared(ctx context.Context, o natslog.Options, publicKey string) error {
	format := filepath.Join(d.path, "format")
	fresh, err := checkFormat(format, sharedVersion)
	if err != nil {
		return err
	}
	log, err := natslog.Open(ctx, o)
	if err != nil {
		return err
	}
	d.log = log
	if fresh {
		if err := d.beginSharedRun(ctx, log); err != nil {
			return err
		}
	}
	board := log.Board()
	if publicKey, err = d.publicKey(ctx, board, publicKey, fresh); err != nil {
		return err
	}
	if d.ledger, err = openLedger(ledger.Options{Dir: filepath.Join(d.path, "ledger"), KeyFile: keyFile(d.path), New: fresh, PublicKey: publicKey}); err != nil {
		return err
	}
	shared, err := ledger.Share(ctx, log, d.ledger, board)
	if err != nil {
		return err
	}
	d.shared = shared
	return d.openTables(fresh, format, sharedVersion)
}

// publicKey gives the public key of the registry that signs, "" when it is this one.
func (d *directory) publicKey(ctx context.Context, board *natslog.Board, given string, fresh bool) (string, error) {
	if given != "" {
		if err := ledger.CheckKey(given); err != nil {
			return "", &registry.InputError{Reason: fmt.Sprintf("the public key %.60q: %v", given, err)}
		}
	}
	file := filepath.Join(d.path, "ledger", "public")
	kept, err := os.ReadFile(file)
	switch {
	case err == nil:
		return strings.TrimSpace(string(kept)), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	case !fresh:
		return "", nil
	}
	if _, err := os.Stat(keyFile(d.path)); err == nil {
		return "", nil
	}
	posted, err := board.Posted(ctx)
	switch {
	case err != nil:
		return "", err
	case given == "" && posted == nil:
		return "", nil
	case given == "":
		return "", &registry.InputError{Reason: "another registry signs this log: give its public key with --log-key (there, assay keys show prints it)"}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return given, durable.WriteFile(file, []byte(given+"\n"))
}

// rebuildSharedLedger is rebuildLedger for a log on NATS.
func rebuildSharedLedger(ctx context.Context, path string, o natslog.Options) (err error) {
	lock, err := lockDirectory(path, "rebuild")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	log, err := natslog.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	l := ledger.Options{Dir: filepath.Join(path, "ledger"), KeyFile: keyFile(path)}
	if public, err := os.ReadFile(filepath.Join(l.Dir, "public")); err == nil {
		l.PublicKey = strings.TrimSpace(string(public))
	}
	return ledger.Rebuild(ctx, l, log)
}

// settle lets a shared log's ledger vouch for what came last, and post it, before the directory is given back.
func (d *directory) settle() error {
	if d.shared == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	err := d.shared.CatchUp(ctx)
	if err != nil && !errors.Is(err, events.ErrDamaged) {
		err = fmt.Errorf("the newest events are signed when the directory is opened next: %w", err)
	}
	return err
}

// settleTime is how long giving a directory back waits for NATS servers.
const settleTime = 10 * time.Second
