package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/registry/input"
)

// root makes the command line: every command and the flags that all of them have.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "assay",
		Short:         "An event-sourced puzzle registry with versioned rater history",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) (err error) {
			a.started = true
			if a.dir == "" {
				return &input.Error{Reason: "--dir is empty: name a directory"}
			}
			if err := a.checkFlags(cmd); err != nil {
				return err
			}
			if a.clock, err = readClock(a.now); err != nil {
				return err
			}
			if cmd.Flags().Changed("workers") {
				return nil
			}
			return a.checkWorkers()
		},
		Args: cobra.NoArgs,
	}
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.SetFlagErrorFunc(plainFlagError)
	a.flags(root.PersistentFlags())
	a.logFlags(root)
	overview := a.onRegistry(a.overview)
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !a.exists() {
			return a.printOverview(0, nil)
		}
		return overview(cmd, args)
	}
	a.addCommands(root)
	sayUsage(root)
	setExamples(root)
	refuseNoCommand(root)
	return root
}

// addCommands adds every command.
func (a *app) addCommands(root *cobra.Command) {
	root.AddCommand(
		a.initCommand(), a.generateCommand(), a.importCommand(), a.convertCommand(), a.rateCommand(), a.solveCommand(), a.hintCommand(), a.calibrateCommand(),
		a.poolCommand(), a.freqCommand(), a.funnelCommand(),
		a.seriesCommand(), a.profileCommand(), a.replayCommand(), a.compareCommand(), a.adoptCommand(), a.historyCommand(), a.publishCommand(), a.withdrawCommand(), a.archiveCommand(), a.showCommand(), a.auditCommand(),
		a.rebuildCommand(), a.compactCommand(), a.verifyCommand(), a.proofCommand(), a.checkpointCommand(), a.backupCommand(), a.restoreCommand(),
		a.exportCommand(), a.copyCommand(), a.keysCommand(), a.serveCommand(), a.workerCommand(), a.versionCommand(),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(a.args...)
	for _, cmd := range root.Commands() {
		needsCommand(cmd)
	}
}

// flags adds the flags of every command, except for those of the log.
func (a *app) flags(flags *pflag.FlagSet) {
	flags.StringVar(&a.dir, "dir", a.getenv("ASSAY_DIR", "assay-data"), "the registry's directory, created at first use (env ASSAY_DIR)")
	flags.BoolVar(&a.json, "json", false, "print JSON, one object per line")
	flags.StringVar(&a.now, "now", a.env.Getenv("ASSAY_NOW"), "set the clock, RFC 3339 (env ASSAY_NOW)")
	flags.BoolVar(&a.catchUp, "catch-up", false, "record even if the clock is more than 400 days from the newest event")
	flags.StringVar(&a.secretFile, "secret-file", a.env.Getenv("ASSAY_SECRET_FILE"), "a file with the series secret (default: created at first use) (env ASSAY_SECRET_FILE)")
}

// refuseNoCommand makes help refuse words that are no command.
func refuseNoCommand(root *cobra.Command) {
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 && found.HasSubCommands() {
			return input.Errorf("there is no command %q: see assay help", strings.Join(args, " "))
		}
		return nil
	}
}

// sayUsage makes a command and its subcommands print their usage when they get wrong arguments.
func sayUsage(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		sayUsage(sub)
	}
	takes := cmd.Args
	if takes == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if takes(cmd, args) == nil {
			return nil
		}
		if cmd.HasSubCommands() {
			return input.Errorf("%s has no command %q: see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())
		}
		return input.Errorf("got %s: the usage is %s", plural(len(args), "argument"), cmd.UseLine())
	}
}

// needsCommand makes a command that only has subcommands refuse a word that is none of them.
func needsCommand(cmd *cobra.Command) {
	if !cmd.Runnable() {
		cmd.Args, cmd.RunE = cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}
