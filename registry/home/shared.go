package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/events"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/events/natslog"
	"assay/registry/input"
)

// openShared opens the stores of a directory whose log is on NATS. If the log is empty and nobody signs it, this
// directory signs it from now on. If another registry signs it, its public key is needed.
func (h *Home) openShared(ctx context.Context) error {
	fresh, err := checkFormat(h.file("format"), sharedVersion)
	if err != nil {
		return err
	}
	log, err := natslog.Open(ctx, *h.place.NATS)
	if err != nil {
		return err
	}
	h.log = log
	if fresh {
		if err := h.beginSharedRun(ctx, log); err != nil {
			return err
		}
	}
	board := log.Board()
	publicKey, err := h.publicKey(ctx, board, fresh)
	if err != nil {
		return err
	}
	if h.ledger, err = openLedger(ledger.Options{Dir: h.file("ledger"), KeyFile: keyFile(h.place.Dir), New: fresh, PublicKey: publicKey}); err != nil {
		return err
	}
	shared, err := ledger.Share(ctx, log, h.ledger, board)
	if err != nil {
		return err
	}
	h.shared = shared
	return h.openTables(fresh, sharedVersion)
}

// publicKey returns the public key of the signing registry, "" when it is this one.
func (h *Home) publicKey(ctx context.Context, board *natslog.Board, fresh bool) (string, error) {
	given := h.place.PublicKey
	if given != "" {
		if err := ledger.CheckKey(given); err != nil {
			return "", &input.Error{Reason: fmt.Sprintf("the public key %.60q: %v", given, err)}
		}
	}
	file := publicFile(h.place.Dir)
	kept, err := os.ReadFile(file)
	switch {
	case err == nil:
		return strings.TrimSpace(string(kept)), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	case !fresh:
		return "", nil
	}
	if _, err := os.Stat(keyFile(h.place.Dir)); err == nil {
		return "", nil
	}
	posted, err := board.Posted(ctx)
	switch {
	case err != nil:
		return "", err
	case given == "" && posted == nil:
		return "", nil
	case given == "":
		return "", &input.Error{Reason: "another registry signs this log: give its public key with --log-key (there, assay keys show prints it)"}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return given, durable.WriteFile(file, []byte(given+"\n"))
}

// publicFile returns the path of the signing registry's public key in a directory that verifies.
func publicFile(dir string) string { return filepath.Join(dir, "ledger", "public") }

// settleTime is how long unlocking a directory waits for NATS servers.
const settleTime = 10 * time.Second

// settle lets a shared log's ledger vouch for the newest events, and post a checkpoint, before the directory is
// unlocked.
func (h *Home) settle() error {
	if h.shared == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	err := h.shared.CatchUp(ctx)
	if err != nil && !errors.Is(err, events.ErrDamaged) {
		err = fmt.Errorf("the newest events are signed when the directory is opened next: %w", err)
	}
	return err
}
