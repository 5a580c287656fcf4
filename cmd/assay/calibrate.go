package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/engine"
)

func (a *app) calibrateCommand() *cobra.Command {
	var actor string
	cmd := &cobra.Command{
		Use:   "calibrate GENRE",
		Short: "Measure a genre's score bands again, compare them with the built-in ones, and record them",
		Args:  cobra.ExactArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			v, err := engine.Find(a.genres(), args[0], "")
			if err != nil {
				return err
			}
			return give(a, bandsText)(r.Calibrate(ctx, v, actor))
		}),
	}
	recordFlags(cmd, &actor, nil)
	return cmd
}

func bandsText(p *printer, c registry.Calibration) {
	for _, b := range c.Bands {
		p.evidence(b.Label, fmt.Sprintf("%d–%d, median %d, of %s candidates", b.Low, b.High, b.Median, number(b.Sample)), b.Event)
	}
}
