package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
	"assay/registry/integrity"
)

func (a *app) proofCommand() *cobra.Command {
	var series, since string
	cmd := &cobra.Command{
		Use:   "proof DATE|ID",
		Short: "Prove that the log contains a day or a puzzle, or (--since) that it has only grown",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			return give(a, func(p *printer, proof integrity.Proof) { p.WriteString(proof.Text) })(a.prove(ctx, r, series, since, args))
		}),
	}
	seriesFlag(cmd, &series)
	cmd.Flags().StringVar(&since, "since", "", "a file with an older checkpoint, as assay checkpoint printed it")
	cmd.MarkFlagsMutuallyExclusive("since", "series")
	cmd.AddCommand(a.proofCheckCommand())
	return cmd
}

func (a *app) prove(ctx context.Context, r *registry.Registry, series, since string, args []string) (integrity.Proof, error) {
	switch {
	case since != "" && len(args) == 0:
		older, err := a.readFile(since)
		if err != nil {
			return integrity.Proof{}, err
		}
		return r.Holdings().ProveGrowth(older)
	case since == "" && len(args) == 1:
		return r.Prove(ctx, series, args[0])
	}
	return integrity.Proof{}, &input.Error{Reason: "give one of them: a date, a puzzle ID, or --since with a file"}
}

func (a *app) proofCheckCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "check FILE --key KEY",
		Short: "Verify a proof with nothing but the public key (assay keys show prints it)",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if key == "" {
				return input.Errorf("a proof is checked with a key: say with --key what assay keys show prints")
			}
			file, err := a.readFile(args[0])
			if err != nil {
				return err
			}
			proof, err := integrity.CheckProof(file, key)
			var input *input.Error
			if err != nil && !errors.As(err, &input) {
				a.complain(err.Error())
				return &exitError{exitFinding}
			}
			return give(a, checkedText)(proof, err)
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the public key of the log")
	return cmd
}

func checkedText(p *printer, proof integrity.Proof) {
	if proof.Key == "" {
		p.linef("holds: the log of %s had %s events, has %s, and only grew", proof.Origin, number(proof.Seq), number(proof.Size))
		return
	}
	p.linef("holds: %s is event %s of %s in the log of %s", proof.Key, number(proof.Seq), number(proof.Size), proof.Origin)
}

func (a *app) checkpointCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "checkpoint",
		Short: "Print the newest signed checkpoint; keep a copy elsewhere",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			c := r.Ledger.Checkpoint()
			object := map[string]any{"schema": "checkpoint/1", "events": c.Size, "root": c.Root.String(), "origin": c.Origin, "note": string(c.Note)}
			return a.print(object, func(p *printer) { p.Write(c.Note) })
		}),
	}
}
