package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/events/natslog"
	"assay/registry"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the whole log and its checkpoints to one new file; keys and secrets are not in it",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			var b registry.Backup
			err := a.newFile(args[0], func(f *os.File) (err error) {
				b, err = r.Backup(ctx, f)
				return err
			})
			if err != nil {
				return err
			}
			return a.print(b, func(p *printer) { p.linef("%s holds %s events, root %s", args[0], number(b.Events), b.Root) })
		}),
	}
}

func (a *app) restoreCommand() *cobra.Command {
	var keys, newKey string
	cmd := &cobra.Command{
		Use:   "restore FILE --keys KEYS",
		Short: "Make a new directory of a backup and its keys, whole and verified, or not at all",
		Long: "Make a new directory of a backup and the keys that assay keys export wrote. The directory must not exist, or be\n" +
			"empty. Nothing is left of a restore that fails. Without the keys, the public key that checked the proofs until now\n" +
			"lets the log go on under a new one; the secrets of the series have to be given again. With --log the events go into a\n" +
			"stream, where those that came stay: the same restore goes on with them.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ring, err := a.restoredKeys(keys, newKey)
			if err != nil {
				return err
			}
			file, err := a.open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			v, err := a.restore(cmd.Context(), file, ring)
			if err != nil {
				return err
			}
			return a.printVerification(v)
		},
	}
	cmd.Flags().StringVar(&keys, "keys", "", "the file that assay keys export wrote")
	cmd.Flags().StringVar(&newKey, "new-key", "", "when the keys are lost: check the backup with this public key, and sign with a new one from here on")
	cmd.MarkFlagsMutuallyExclusive("keys", "new-key")
	return cmd
}

// restoredKeys gives the keys to restore with, or what the backup is checked with when they are lost.
func (a *app) restoredKeys(file, public string) (keyRing, error) {
	switch {
	case file != "" && public == "":
		return a.readKeyRing(file)
	case file == "" && public != "":
		return keyRing{lost: public}, nil
	}
	return keyRing{}, &registry.InputError{Reason: "a restored registry needs its keys to go on: give the file of assay keys export with --keys, or --new-key when they are lost"}
}

func (a *app) readKeyRing(name string) (keyRing, error) {
	data, err := a.readFile(name)
	if err != nil {
		return keyRing{}, err
	}
	var ring keyRing
	if err := json.Unmarshal(data, &ring); err != nil || ring.Schema != "keys/1" {
		return keyRing{}, &registry.InputError{Reason: name + " is not a file of assay keys export"}
	}
	return ring, nil
}

// restore builds the directory beside its place, verifies it, and moves it there.
func (a *app) restore(ctx context.Context, backup io.Reader, ring keyRing) (registry.Verification, error) {
	target := a.path(a.dir)
	if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one may be there
		return registry.Verification{}, &registry.InputError{Reason: fmt.Sprintf("%s is not empty: restore into a new directory with --dir", target)}
	}
	draft := target + ".restoring"
	if err := os.RemoveAll(draft); err != nil {
		return registry.Verification{}, err
	}
	v, err := a.restoreInto(ctx, draft, backup, ring)
	if err == nil && v.OK {
		err = os.Rename(draft, target)
	}
	if err != nil || !v.OK {
		return v, errors.Join(err, os.RemoveAll(draft))
	}
	return v, nil
}

func (a *app) restoreInto(ctx context.Context, dir string, backup io.Reader, ring keyRing) (registry.Verification, error) {
	notes, records, err := registry.OpenBackup(backup)
	if err != nil {
		return registry.Verification{}, err
	}
	for _, folder := range []string{"keys", "ledger"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			return registry.Verification{}, err
		}
	}
	log, err := a.emptyLog(ctx, dir)
	if err != nil {
		return registry.Verification{}, err
	}
	_, err = registry.Copy(ctx, records, log)
	if err == nil {
		err = restoreLedger(ctx, dir, log, notes, ring, a.shared.URL == "")
	}
	if err := errors.Join(err, log.Close()); err != nil {
		return registry.Verification{}, err
	}
	return a.verifyDirectory(ctx, dir)
}

// emptyLog opens the log to restore into. A stream may hold a beginning of what is restored: of a restore that was
// cut short.
func (a *app) emptyLog(ctx context.Context, dir string) (closingLog, error) {
	if a.shared.URL != "" {
		return natslog.Open(ctx, a.natsOptions(a.shared.URL))
	}
	return badgerlog.Open(badgerlog.Options{Dir: filepath.Join(dir, "log")})
}

// restoreLedger makes the ledger of a restored log, signed with the keys it had, or with a new one.
func restoreLedger(ctx context.Context, dir string, log events.Log, notes []byte, ring keyRing, marks bool) error {
	o := ledger.Options{Dir: filepath.Join(dir, "ledger"), KeyFile: keyFile(dir), Marks: marks}
	if ring.lost != "" {
		return ledger.Renew(ctx, o, log, notes, ring.lost)
	}
	if err := writeKeys(filepath.Join(dir, "keys"), ring); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(o.Dir, "checkpoints"), notes); err != nil {
		return err
	}
	return ledger.Rebuild(ctx, o, log)
}

func (a *app) verifyDirectory(ctx context.Context, dir string) (registry.Verification, error) {
	version := formatVersion
	if a.shared.URL != "" {
		version = sharedVersion
	}
	if err := durable.WriteFile(filepath.Join(dir, "format"), []byte(version)); err != nil {
		return registry.Verification{}, err
	}
	d, err := a.openAt(ctx, dir, "restore", "")
	if err != nil {
		return registry.Verification{}, err
	}
	v, err := d.registry(time.Now).Verify(ctx, registry.VerifyRequest{})
	return v, errors.Join(err, d.Close())
}

// readAtMost reads a whole file that may not be larger than so many bytes.
func readAtMost(r io.Reader, name string, most int64) ([]byte, error) {
	var data bytes.Buffer
	n, err := io.Copy(&data, io.LimitReader(r, most+1))
	if err == nil && n > most {
		err = &registry.InputError{Reason: fmt.Sprintf("%s is larger than %d bytes", name, most)}
	}
	return data.Bytes(), err
}
