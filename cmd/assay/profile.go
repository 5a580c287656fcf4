package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/engine"
	"assay/registry/input"
)

func (a *app) profileCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "profile", Short: "Show a rater's profile: technique order and levels, or bands"}
	cmd.AddCommand(a.profileShowCommand())
	return cmd
}

func (a *app) profileShowCommand() *cobra.Command {
	recorded := a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
		return give(a, profileText)(r.RecordedProfile(ctx, args[0]))
	})
	var variant string
	cmd := &cobra.Command{
		Use:   "show RATER[@VERSION]|DIGEST",
		Short: "Print a rater's built-in profile, or one on record, as TOML",
		Long: `Print a rater's built-in profile, or one on record, as TOML.

The techniques are listed in the order in which they are tried. Levels never descend in this order. Change the order,
the tiers or the levels, or leave techniques out, and pass the file to rate --profile. The rater then has another
version, named by the digest of the profile, such as sudoku.tiers 1+3f2a90c1d7e4. A rater has a profile for each variant
of its genre.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			profile, ok, err := engine.BuiltInProfile(a.genres(), args[0], variant)
			switch {
			case ok || err != nil:
				return give(a, profileText)(profile, err)
			case variant != "":
				return input.Errorf("--variant is of a rater of this program, and %q is none", args[0])
			case !a.exists():
				return input.Errorf("%q is neither a rater of this program nor the digest of a profile on record: there is no registry in %s", args[0], a.path(a.dir))
			}
			return recorded(cmd, args)
		},
	}
	cmd.Flags().StringVar(&variant, "variant", "", "the variant of the rater's genre (default: the first)")
	return cmd
}

func profileText(p *printer, profile engine.Profile) {
	p.linef("%s", lines(strings.TrimSuffix(profile.Text, "\n")))
}

// raterFlags are the flags of commands that use a rater.
type raterFlags struct{ name, profile string }

func (f *raterFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "rater", "", "the rater (default: that of the profile, else the variant's first)")
	cmd.Flags().StringVar(&f.profile, "profile", "", "a TOML file with the rater's techniques or bands, as profile show prints them")
}

// choice reads the profile.
func (f *raterFlags) choice(a *app) (engine.RaterChoice, error) {
	choice := engine.RaterChoice{Name: f.name}
	if f.profile == "" {
		return choice, nil
	}
	file, err := a.open(f.profile)
	if err != nil {
		return choice, err
	}
	defer file.Close()
	choice.Profile, err = io.ReadAll(io.LimitReader(file, engine.MaxProfile+1))
	if err != nil {
		return choice, &input.Error{Reason: "read the profile: " + err.Error()}
	}
	return choice, nil
}
