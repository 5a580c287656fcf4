package main

import (
	"runtime/debug"
	"slices"
	"strconv"

	"assay/registry/engine"

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
	Name    string         `json:"name"`
	Version engine.Version `json:"version"`
}

// add lists an engine, once in each of its versions.
func (v *versions) add(name, version string) {
	if e := (engineVersion{name, engine.Version(version)}); !slices.Contains(v.Engines, e) {
		v.Engines = append(v.Engines, e)
	}
}

func (a *app) versions() versions {
	v := versions{Schema: "version/1", Program: "devel"}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Program = info.Main.Version
	}
	for _, g := range a.genres() {
		first := g.Variants[0].Generator.Version()
		v.add(g.Name+" generator", strconv.Itoa(first))
		for _, variant := range g.Variants {
			if own := variant.Generator.Version(); own != first {
				v.add(variant.String()+" generator", strconv.Itoa(own))
			}
			for _, scale := range variant.Scales {
				v.add(scale.Rater.Name(), scale.Rater.Version())
			}
		}
	}
	return v
}
