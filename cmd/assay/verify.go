package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/registry"
)

func (a *app) verifyCommand() *cobra.Command {
	var req registry.VerifyRequest
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Read everything and compare it with what was signed, and every table with a fresh one",
		Args:  cobra.NoArgs,
	}
	verify := a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
		v, err := r.Verify(ctx, req)
		if err != nil {
			return err
		}
		return a.printVerification(v)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.env.Again != nil && a.env.Getenv(apartVariable) == "" {
			return a.apart(cmd.Context())
		}
		err := verify(cmd, args)
		if errors.Is(err, events.ErrDamaged) { // too damaged to open
			return a.printVerification(registry.NotVerified(err))
		}
		return err
	}
	cmd.Flags().BoolVar(&req.Deep, "deep", false, "also generate and rate again whatever this program's versions made")
	return cmd
}

func (a *app) printVerification(v registry.Verification) error {
	err := a.print(v, func(p *printer) {
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
	})
	if err != nil || v.OK {
		return err
	}
	return &exitError{exitFinding}
}

func (a *app) exportCommand() *cobra.Command {
	var after uint64
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print every event as JSON, one a line, in order",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
			p := a.printer()
			err := r.Export(ctx, events.Seq(after), func(e registry.ExportedEvent) error { return p.json.Encode(e) })
			return errors.Join(err, p.Flush())
		}),
	}
	cmd.Flags().Uint64Var(&after, "after", 0, "only the events after this position")
	return cmd
}

func (a *app) proofCommand() *cobra.Command {
	var series, since string
	cmd := &cobra.Command{
		Use:   "proof DATE|ID",
		Short: "Prove that the log has a day or a puzzle, or with --since that it has only grown",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			proof, err := a.prove(ctx, r, series, since, args)
			if err != nil {
				return err
			}
			return a.print(proof, func(p *printer) { fmt.Fprint(p, proof.Text) })
		}),
	}
	seriesFlag(cmd, &series)
	cmd.Flags().StringVar(&since, "since", "", "a file with an older checkpoint, as assay checkpoint printed it")
	cmd.AddCommand(a.proofCheckCommand())
	return cmd
}

func (a *app) prove(ctx context.Context, r *registry.Registry, series, since string, args []string) (registry.Proof, error) {
	switch {
	case since != "" && len(args) == 0:
		older, err := a.readFile(since)
		if err != nil {
			return registry.Proof{}, err
		}
		return r.ProveGrowth(older)
	case since == "" && len(args) == 1:
		return r.Prove(ctx, series, args[0])
	}
	return registry.Proof{}, &registry.InputError{Reason: "give a date, a puzzle ID, or --since with a file"}
}

func (a *app) proofCheckCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "check FILE --key KEY",
		Short: "Check a proof with the public key alone (assay keys show prints it)",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := a.readFile(args[0])
			if err != nil {
				return err
			}
			proof, err := registry.CheckProof(file, key)
			var input *registry.InputError
			if err != nil && !errors.As(err, &input) {
				fmt.Fprintln(a.env.Stderr, "assay:", err)
				return &exitError{exitFinding}
			}
			if err != nil {
				return err
			}
			return a.print(proof, func(p *printer) {
				if proof.Key == "" {
					p.linef("holds: the log of %s had %s events, has %s, and only grew", proof.Origin, number(proof.Seq), number(proof.Size))
					return
				}
				p.linef("holds: %s is event %s of %s in the log of %s", proof.Key, number(proof.Seq), number(proof.Size), proof.Origin)
			})
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the public key of the log")
	return cmd
}

func (a *app) checkpointCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "checkpoint",
		Short: "Print the newest signed checkpoint, to be kept elsewhere",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			c := r.Ledger.Checkpoint()
			object := map[string]any{"schema": "checkpoint/1", "events": c.Size, "root": c.Root.String(), "origin": c.Origin, "note": string(c.Note)}
			return a.print(object, func(p *printer) { p.Write(c.Note) })
		}),
	}
}
