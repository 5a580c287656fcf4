package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/events/plain"
	"assay/registry/input"
)

// checkFlags refuses invalid values, flags that exclude one another, and flags that need another one.
func (a *app) checkFlags(cmd *cobra.Command) error {
	for _, check := range []func(*cobra.Command) error{checkValues, checkExclusive, checkCompany, a.checkLogFlags} {
		if err := check(cmd); err != nil {
			return err
		}
	}
	return nil
}

// checkValues refuses a flag whose value is not plain text, because it may be recorded and appears in messages. It also
// refuses an empty value of a command's own flag.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch e := plain.Check(value); {
		case err != nil:
		case e != nil:
			err = input.Errorf("--%s: %v", f.Name, e)
		case (value == "" || value == "[]") && cmd.InheritedFlags().Lookup(f.Name) == nil:
			err = input.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// allSet finds the flags that were set in Cobra's message about flags that exclude one another.
var allSet = regexp.MustCompile(`\[([^\]]*)\] were all set`)

// checkExclusive refuses flags that exclude one another.
func checkExclusive(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	reason := err.Error()
	if set := allSet.FindStringSubmatch(reason); set != nil {
		reason = "--" + strings.Join(strings.Fields(set[1]), " and --") + " exclude each other: say one of them"
	}
	return &input.Error{Reason: reason}
}

// company is the annotation of a flag that has no meaning without one of some others.
const company = "assay_company"

// goesWith declares that a flag has no meaning unless one of the others is set.
func goesWith(cmd *cobra.Command, flag string, others ...string) {
	if err := cmd.Flags().SetAnnotation(flag, company, others); err != nil {
		panic(err) // the flag is not one of the command's
	}
}

// checkCompany refuses a flag without another flag that it needs.
func checkCompany(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		others := f.Annotations[company]
		if err == nil && len(others) > 0 && !slices.ContainsFunc(others, cmd.Flags().Changed) {
			err = input.Errorf("--%s goes with --%s: say that too, or leave it out", f.Name, strings.Join(others, " or --"))
		}
	})
	return err
}

// checkLogFlags refuses flags for a log on NATS where none is used. Copy has its own flags for its logs.
func (a *app) checkLogFlags(cmd *cobra.Command) error {
	if a.shared.Patience < 0 {
		return input.Errorf("--log-wait %v is less than 0", a.shared.Patience)
	}
	copies := cmd.Name() == "copy"
	for _, name := range []string{"dir", "log"} {
		if copies && cmd.Flags().Changed(name) {
			return input.Errorf("copy takes no --%s: name both logs with --from and --to", name)
		}
	}
	if copies || a.shared.URL != "" || a.host != nil {
		return nil
	}
	for _, name := range []string{"log-stream", "log-key", "log-wait", "creds", "nkey", "tls-ca", "tls-cert", "tls-key"} {
		if cmd.Flags().Changed(name) {
			return input.Errorf("--%s is for a log on NATS: name its servers with --log, or leave it out", name)
		}
	}
	return nil
}

// kinds describes the values of each type of flag.
var kinds = map[string]string{
	"int": "a whole number", "uint": "a whole number from 0 on", "uint64": "a whole number from 0 on",
	"bool": "true or false, after =", "duration": "a time such as 30s or 2m",
}

// plainFlagError describes what is wrong with the flags of a command line.
func plainFlagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &value):
		f := value.GetFlag()
		if what, ok := kinds[f.Value.Type()]; ok {
			return input.Errorf("--%s %.60q: wanted %s", f.Name, value.GetValue(), what)
		}
	case errors.As(err, &missing):
		return input.Errorf("--%s has no value: say it after the flag", missing.GetSpecifiedName())
	case errors.As(err, &syntax):
		return input.Errorf("%q is no flag: see %s --help", syntax.GetSpecifiedFlag(), cmd.CommandPath())
	case errors.As(err, &unknown):
		dashes := "--"
		if unknown.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return input.Errorf("%s has no flag %s%s: see %s --help", cmd.CommandPath(), dashes, unknown.GetSpecifiedName(), cmd.CommandPath())
	}
	return err
}

// belowZero keeps a puzzle that begins with a negative number from being read as flags: it moves the puzzle behind
// them, after "--". An argument after a flag that takes a value is that value.
func belowZero(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	var rest, texts []string
	for i, arg := range args[:end] {
		if err == nil && negative.MatchString(arg) && (i == 0 || !takesValue(cmd, args[i-1])) {
			texts = append(texts, arg)
		} else {
			rest = append(rest, arg)
		}
	}
	if texts == nil {
		return args
	}
	return slices.Concat(rest, []string{"--"}, texts, args[min(end+1, len(args)):])
}

var negative = regexp.MustCompile(`^-[0-9]`)

// takesValue reports whether an argument is a flag whose value is the next argument.
func takesValue(cmd *cobra.Command, arg string) bool {
	name, isFlag := strings.CutPrefix(arg, "--")
	f := cmd.Flag(name)
	return isFlag && f != nil && f.NoOptDefVal == ""
}
