package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Create the directory of a registry",
		Args:  cobra.NoArgs,
		RunE: a.onRegistry(func(_ context.Context, _ *registry.Registry, _ []string) error {
			return a.print(map[string]string{"schema": "init/1", "dir": a.path(a.dir)}, func(p *printer) {
				p.linef("the registry is in %s; next: assay publish, or assay serve", a.path(a.dir))
			})
		}),
	}
}
