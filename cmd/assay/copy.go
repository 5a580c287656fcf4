package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry/home"
	"assay/registry/input"
	"assay/registry/integrity"
)

func (a *app) copyCommand() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy --from DIR|nats://… --to DIR|nats://…",
		Short: "Copy a log record by record into a directory or a stream; an interrupted copy continues",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.host != nil || from == "" || to == "" || from == to {
				return &input.Error{Reason: "give two logs with --from and --to: directories that nobody holds, or nats:// addresses"}
			}
			return give(a, func(p *printer, c integrity.Copied) {
				p.linef("%s events in both, %s of them new, root %s", number(c.Events), number(c.New), c.Root)
			})(a.copyLog(cmd.Context(), from, to))
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the log to copy")
	cmd.Flags().StringVar(&to, "to", "", "the log to copy to: empty, or a copy that was interrupted")
	return cmd
}

func (a *app) copyLog(ctx context.Context, from, to string) (c integrity.Copied, err error) {
	if _, err := os.Stat(a.path(from)); !isAddress(from) && err != nil {
		return c, input.Errorf("there is no registry in %s", from)
	}
	source, err := a.openLog(ctx, from)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := a.openLog(ctx, to)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return integrity.CopyLog(ctx, source, target, from, to)
}

// isAddress reports whether a log is on servers, not in a directory.
func isAddress(where string) bool { return strings.Contains(where, "://") }

// openLog opens the log in a directory, under its ledger, or a stream.
func (a *app) openLog(ctx context.Context, where string) (home.Log, error) {
	p := home.Place{Dir: a.path(where), Warn: a.env.Stderr}
	if isAddress(where) {
		p.NATS = a.natsOptions(where)
	}
	return p.OpenLog(ctx, "copy")
}
