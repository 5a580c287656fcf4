package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/home"
	"assay/registry/input"
	"assay/registry/integrity"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the log and its checkpoints to one new file, without keys and secrets",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			var b integrity.Backup
			err := a.newFile(args[0], func(f *os.File) (err error) {
				b, err = r.Holdings().Backup(ctx, f)
				return err
			})
			return give(a, func(p *printer, b integrity.Backup) {
				p.linef("%s holds %s events, root %s", args[0], number(b.Events), b.Root)
			})(b, err)
		}),
	}
}

func (a *app) restoreCommand() *cobra.Command {
	var keys, newKey string
	cmd := &cobra.Command{
		Use:   "restore FILE --keys KEYS",
		Short: "Create a directory from a backup and its keys, completely and verified, or not at all",
		Long: "Create a directory from a backup and the keys that assay keys export wrote. The directory must not exist, or be\n" +
			"empty. Nothing is left of a restore that fails. Without the keys, the public key that checked the proofs until now\n" +
			"lets the log go on under a new one; the secrets of the series have to be given again. With --log the events go into a\n" +
			"stream, where those that came stay: the same restore goes on with them.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			restored, err := a.restoredKeys(keys, newKey)
			if err != nil {
				return err
			}
			file, err := a.open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			v, err := a.place().Restore(cmd.Context(), file, restored)
			return a.printVerification(v, err)
		},
	}
	cmd.Flags().StringVar(&keys, "keys", "", "the file that assay keys export wrote")
	cmd.Flags().StringVar(&newKey, "new-key", "", "if the keys are lost: verify the backup with this public key, and sign with a new one from now on")
	cmd.MarkFlagsMutuallyExclusive("keys", "new-key")
	return cmd
}

// restoredKeys returns the keys to restore with or, when they are lost, the public key to check the backup with.
func (a *app) restoredKeys(file, public string) (home.Keys, error) {
	switch {
	case file != "" && public == "":
		data, err := a.readFile(file)
		if err != nil {
			return home.Keys{}, err
		}
		return home.ParseKeys(data, file)
	case file == "" && public != "":
		return home.LostKeys(public), nil
	}
	return home.Keys{}, &input.Error{Reason: "a restored registry needs its keys to go on: give the file of assay keys export with --keys, or --new-key when they are lost"}
}
