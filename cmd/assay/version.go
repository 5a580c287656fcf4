package main

import (
	"runtime/debug"
	"strconv"

	"assay/registry"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its engines",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := a.versions()
			return a.print(v, func(p *printer) {
				p.linef("assay %s", v.Program)
				for _, e := range v.Engines {
					p.linef("  %-24s %s", e.Name, e.Version)
				}
			})
		},
	}
}

// versions is the object version/1.
type versions struct {
	Schema  string          `json:"schema"`
	Program string          `json:"program"`
	Engines []engineVersion `json:"engines"`
}

type engineVersion struct {
	Name    string           `json:"name"`
	Version registry.Version `json:"version"`
}

func (a *app) versions() versions {
	v := versions{Schema: "version/1", Program: "devel"}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Program = info.Main.Version
	}
	for _, g := range a.genres() {
		v.Engines = append(v.Engines, engineVersion{g.Name + " generator", registry.Version(strconv.Itoa(g.Generator.Version()))})
		for _, r := range g.Raters {
			v.Engines = append(v.Engines, engineVersion{r.Name(), registry.Version(r.Version())})
		}
	}
	return v
}
