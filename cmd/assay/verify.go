package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/registry"
	"assay/registry/integrity"
)

func (a *app) verifyCommand() *cobra.Command {
	var req integrity.VerifyRequest
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every record against the ledger, and every table against a new one",
		Args:  cobra.NoArgs,
		// A damaged store can end the process that has it open; then the finding is that it did.
		Annotations: map[string]string{runsApart: ""},
	}
	verify := a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
		v, err := r.Holdings().Verify(ctx, req)
		return a.printVerification(v, err)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch err := verify(cmd, args); {
		case events.Shortage(err):
			return fmt.Errorf("could not look: %w", err)
		case errors.Is(err, events.ErrDamaged): // too damaged to open
			return a.printVerification(integrity.NotVerified(err), nil)
		default:
			return err
		}
	}
	cmd.Flags().BoolVar(&req.Deep, "deep", false, "also generate and rate again what the current engine versions made")
	return cmd
}

func (a *app) printVerification(v integrity.Verification, err error) error {
	return finding(!v.OK, give(a, verificationText)(v, err))
}

func verificationText(p *printer, v integrity.Verification) {
	for _, e := range v.Recovered {
		p.linef("event %s, %s of %s, had not been signed when this verb opened the log", number(e.Seq), e.Key, e.Time)
	}
	if v.OK && v.Unsigned > 0 {
		p.linef("ok: %s of %s events, every one as signed, root %s", number(v.Events), number(v.Log), v.Root)
		p.linef("not signed yet: %s. Nobody vouches for what follows until the registry that signs has read it", number(v.Unsigned))
		return
	}
	if v.OK {
		p.linef("ok: %s events, every one as recorded, root %s", number(v.Events), v.Root)
		return
	}
	for _, problem := range v.Problems {
		if problem.Seq > 0 {
			p.linef("event %s: %s", number(problem.Seq), problem.Problem)
		} else {
			p.linef("%s", problem.Problem)
		}
	}
	p.linef("NOT as recorded: %s; do not append to it, and restore a backup beside it", plural(len(v.Problems), "problem"))
}
