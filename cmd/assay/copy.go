package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/events/ledger"
	"assay/registry"
	"assay/registry/home"
)

// copied tells what a copy came to: the object copy/1.
type copied struct {
	Schema string     `json:"schema"`
	Events events.Seq `json:"events"` // in both logs now
	New    events.Seq `json:"new"`    // of those, copied by this run
	Root   string     `json:"root"`   // of both
}

func (a *app) copyCommand() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy --from DIR|nats://… --to DIR|nats://…",
		Short: "Copy a log, record for record, into a directory or a stream; a copy that was cut short goes on",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.host != nil || from == "" || to == "" || from == to {
				return &registry.InputError{Reason: "give two logs with --from and --to: directories that nobody holds, or nats:// addresses"}
			}
			c, err := a.copyLog(cmd.Context(), from, to)
			if err != nil {
				return err
			}
			return a.print(c, func(p *printer) {
				p.linef("%s events in both, %s of them new, root %s", number(c.Events), number(c.New), c.Root)
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the log to copy")
	cmd.Flags().StringVar(&to, "to", "", "the log to copy to: empty, or the beginning of the other")
	return cmd
}

func (a *app) copyLog(ctx context.Context, from, to string) (c copied, err error) {
	if _, err := os.Stat(a.path(from)); !isAddress(from) && err != nil {
		return c, &registry.InputError{Reason: fmt.Sprintf("there is no registry in %s", from)}
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
	had, before, err := ledger.RootOf(ctx, target, 1<<62)
	if err != nil {
		return c, err
	}
	size, want, err := ledger.RootOf(ctx, source, had)
	if err != nil {
		return c, err
	}
	if size != had || want != before {
		return c, fmt.Errorf("the %d events of %s are not the beginning of %s: copy into an empty log", had, to, from)
	}
	if _, err := registry.Copy(ctx, source.Read(ctx, had), target); err != nil {
		return c, err
	}
	return compareLogs(ctx, source, target, had)
}

// compareLogs reads both logs as far as the copy has events; the source may have grown meanwhile.
func compareLogs(ctx context.Context, source, target events.Log, had events.Seq) (copied, error) {
	size, root, err := ledger.RootOf(ctx, target, 1<<62)
	if err != nil {
		return copied{}, err
	}
	also, want, err := ledger.RootOf(ctx, source, size)
	if err != nil {
		return copied{}, err
	}
	if also != size || want != root {
		return copied{}, fmt.Errorf("the copy of %d events has root %v, the log has %v: %w", size, root, want, events.ErrDamaged)
	}
	return copied{Schema: "copy/1", Events: size, New: size - had, Root: root.String()}, nil
}

// isAddress tells an address of servers from a directory.
func isAddress(where string) bool { return strings.Contains(where, "://") }

// openLog opens the log in a directory, under its ledger, or a stream.
func (a *app) openLog(ctx context.Context, where string) (home.Log, error) {
	p := home.Place{Dir: a.path(where), Warn: a.env.Stderr}
	if isAddress(where) {
		p.NATS = a.natsOptions(where)
	}
	return p.OpenLog(ctx, "copy")
}
