package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	someChain  = "21 200 5 -37 +70 /3 +82 +84 +76"
	someSudoku = ".46...8.9....8..........12..61..3....9.6...3....25...4..91.6....74.....6.13..9..2"
)

// Flags that exclude one another, that mean nothing without another, or whose value cannot be, are refused with what to
// do. Nothing is recorded.
func TestFlagsThatCannotMeanAnything(t *testing.T) {
	r := newRunner(t)
	id := strings.Fields(r.done(t, "publish", "--ahead", "4"))[3]
	before := r.done(t, "checkpoint")
	for _, c := range []struct{ line, says string }{
		{"generate chain --no-record --actor desk", "--actor and --no-record exclude each other"},
		{"generate chain --level ''", "--level is empty: give it a value, or leave it out"},
		{"generate chain --count x", `--count "x": wanted a whole number`},
		{"generate chain --seed -1", `--seed "-1": wanted a whole number from 0 on`},
		{"generate chain --seed 1e3", `--seed "1e3": wanted a whole number from 0 on`},
		{"import --variant daily file", "--variant goes with --genre"},
		{"import --genre sudoku --reason '' file", "--reason is empty"},
		{"rate --in file x", "a puzzle and --in do not go together"},
		{"rate --genre chain " + id, "leave them out where it is given by ID"},
		{"rate --variant daily " + id, "--variant goes with --genre"},
		{"rate --genre chain --actor desk '" + someChain + "'", "the rating of a text is not recorded"},
		{"rate --genre chain --actor desk --in file", "the rating of a text is not recorded"},
		{"solve --genre chain " + id, "leave them out where it is given by ID"},
		{"hint --genre chain " + id, "leave them out where it is given by ID"},
		{"hint --variant classic x", "--variant goes with --genre"},
		{"solve https://puzz.link/p?box/4", "wanted the number of rows"},
		{"pool fill sudoku/classic --per-level x", `--per-level "x": wanted a whole number`},
		{"pool fill sudoku/classic --seed x", `seed "x" is not a number from 0 to`},
		{"freq sudoku/classic --as-of -1", `--as-of "-1": wanted a whole number from 0 on`},
		{"freq sudoku/classic --csv --json", "--csv and --json are two forms of one answer: say one of them"},
		{"freq sudoku/classic --all --stuck", "--all and --stuck exclude each other"},
		{"freq sudoku/classic --uses x --as-of 3", "--as-of and --uses exclude each other"},
		{"freq sudoku/classic --limit 3", "--limit goes with --uses"},
		{"freq sudoku/classic --after x", "--after goes with --uses"},
		{"freq sudoku/classic --list ''", "--uses is empty"},
		{"freq sudoku/classic --list x --rater a --rater b", "a list is of one rater"},
		{"replay --series daily --all", "--all goes with --pool"},
		{"replay --series daily --stuck", "--stuck goes with --pool"},
		{"compare a b --pool sudoku/classic --all --stuck", "--all and --stuck exclude each other"},
		{"replay --pool sudoku/classic --series daily", "--pool and --series exclude each other"},
		{"replay --using x --series daily", "--using goes with --pool"},
		{"replay --pool sudoku/classic --dry-run --actor desk", "--actor and --dry-run exclude each other"},
		{"replay --pool sudoku/classic --list -1", "--list -1 is less than 0"},
		{"replay --pool sudoku/classic " + id, "say which puzzles"},
		{"compare a b --pool sudoku/classic --series daily", "--pool and --series exclude each other"},
		{"compare a b --pool sudoku/classic --ids x", "--ids and --pool exclude each other"},
		{"compare a b --series daily --ids x", "--ids and --series exclude each other"},
		{"compare a b --series daily --list -1", "--list -1 is less than 0"},
		{"compare a b --ids x --using y", "--using goes with --pool"},
		{"compare a b --ids ''", "--ids is empty"},
		{"replay x", `"x" is not the ID of a puzzle`},
		{"compare a b --ids x", `"x" is not the ID of a puzzle`},
		{"adopt sudoku/classic", "name the rater with --rater, or its profile with --profile"},
		{"publish --from 2026-12-01", "--from goes with --to or --again"},
		{"publish --to 2026-12-01", "--to goes with --from"},
		{"publish --from 2026-12-09 --to 2026-12-01", "the last date 2026-12-01 is before the first"},
		{"publish --from 2026-12-01 --to 2026-12-01 --ahead 3", "exclude each other"},
		{"publish --date 2026-12-01 --ahead 3", "--ahead and --date exclude each other"},
		{"publish --again", "--again goes with --from"},
		{"publish --again --from 2026-12-01 --to 2026-12-02", "--again and --to exclude each other"},
		{"publish --puzzle " + id, "--puzzle goes with --date"},
		{"publish --released", "--released goes with --date"},
		{"publish --date 2026-02-30", `"2026-02-30" is not a date of the calendar: write YYYY-MM-DD`},
		{"publish --ahead x", `--ahead "x": wanted a whole number`},
		{"withdraw 2026-12-03 --empty --released --reason r", "--empty and --released exclude each other"},
		{"withdraw 2026-13-03 --reason r", `"2026-13-03" is not a date of the calendar`},
		{"archive --from 2026-12-05 --to 2026-12-01", "the last date 2026-12-01 is before the first, 2026-12-05"},
		{"archive --from 2026-13-01", `"2026-13-01" is not a date of the calendar`},
		{"archive --label purple", `no policy of daily gives the label "purple"; there are easy, hard, medium`},
		{"archive --limit x", `--limit "x": wanted a whole number`},
		{"archive --limit -1", "a limit of -1 days is less than 0"},
		{"archive --released=maybe", `--released "maybe": wanted true or false, after =`},
		{"archive --series ''", "--series is empty"},
		{"show " + id + " --seed chain/daily/g1/1", "an ID and --seed exclude each other"},
		{"audit 2026-13-01", `"2026-13-01" is not a date of the calendar`},
		{"audit 2026-1-2", `"2026-1-2" is not a date of the calendar`},
		{"proof 2026-02-30", `"2026-02-30" is not a date of the calendar`},
		{"proof --since file 2026-12-01", "give one of them"},
		{"proof --since file --series daily", "--series and --since exclude each other"},
		{"proof check file", "say with --key what assay keys show prints"},
		{"restore file --keys a --new-key b", "--keys and --new-key exclude each other"},
		{"backup nofolder/file", "there is no folder"},
		{"export --after x", `--after "x": wanted a whole number from 0 on`},
		{"copy --dir x --from a --to b", "copy takes no --dir: name both logs with --from and --to"},
		{"copy --log nats://x --from a --to b", "copy takes no --log"},
		{"serve --zone UTC --series file", "--series and --zone exclude each other"},
		{"serve --max-connections x", `--max-connections "x": wanted a whole number`},
		{"archive --creds file", "--creds is for a log on NATS: name its servers with --log"},
		{"archive --log-wait soon", `--log-wait "soon": wanted a time such as 30s or 2m`},
		{"archive --log-wait -1s", "--log-wait -1s is less than 0"},
		{"archive --limit", "--limit has no value: say it after the flag"},
		{"archive --nosuch", "assay archive has no flag --nosuch: see assay archive --help"},
		{"archive -x", "assay archive has no flag -x"},
		{"archive --=x", `"--=x" is no flag`},
		{"nosuch", `assay has no command "nosuch"`},
		{"completion nosuch", `assay completion has no command "nosuch"`},
	} {
		out, errs, code := r.run(t, "", words(c.line)...)
		if code != exitInput || out != "" || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit %d: %s%s", c.line, code, out, errs)
		}
	}
	if after := r.done(t, "checkpoint"); after != before {
		t.Errorf("something was recorded: %s, before %s", after, before)
	}
}

// Each label that a policy ever gave is one to ask for, and a list without any day is no error.
func TestLabelsOfTheArchive(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "0")
	if out := r.done(t, "archive", "--label", "hard"); out != "" {
		t.Error(out)
	}
	if out := r.done(t, "archive", "--label", "easy"); strings.Count(out, "\n") != 1 {
		t.Error(out)
	}
}

// A chain that begins below zero is a puzzle wherever it stands, and the value of a flag is its value.
func TestChainsBelowZero(t *testing.T) {
	r := newRunner(t)
	text := "-5 12 3 +10 +4 -8 +3"
	want := r.done(t, "rate", "--genre", "chain", "--", text)
	for _, args := range [][]string{
		{"rate", "--genre", "chain", text}, {"rate", text, "--genre", "chain"}, {"rate", text, "--genre=chain"}, {"--dir", "x", "rate", "--genre", "chain", text},
	} {
		if got := r.done(t, args...); got != want {
			t.Errorf("%q: %s", args, got)
		}
	}
	if got := r.done(t, "rate", "--json", "--genre", "chain", "--steps", text); !strings.HasPrefix(got, `{"schema":"rating/1"`) {
		t.Error(got)
	}
	r.done(t, "publish", "--ahead", "2")
	day := r.done(t, "--json", "withdraw", "2026-12-02", "--reason", "-5 degrees")
	if out := r.done(t, "audit", "2026-12-02"); !strings.Contains(out, ": -5 degrees") {
		t.Errorf("%s%s", day, out)
	}
	if _, errs, code := r.run(t, "", "archive", "--limit", "-5"); code != exitInput || !strings.Contains(errs, "-5 days is less than 0") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// The genre of an address is that which reads it, whatever is asked about the puzzle.
func TestAddressesNeedNoGenre(t *testing.T) {
	const address = "https://puzz.link/p?box/5/5/7a9979672f"
	r := newRunner(t)
	for _, verb := range []string{"rate", "solve", "hint"} {
		if got, want := r.done(t, verb, address), r.done(t, verb, "--genre", "kakurasu", address); got != want {
			t.Errorf("%s: %s, not %s", verb, got, want)
		}
	}
	_, errs, code := r.run(t, "", "solve", "--genre", "kakurasu", "https://puzz.link/p?box/4")
	if code != exitInput || !strings.Contains(errs, "line 1, column ") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// An editor may put a byte order mark before a profile or a policy: it changes nothing.
func TestByteOrderMarks(t *testing.T) {
	r, dir := newRunner(t), t.TempDir()
	plain, marked := filepath.Join(dir, "plain.toml"), filepath.Join(dir, "marked.toml")
	for name, text := range map[string]string{"profile": r.done(t, "profile", "show", "sudoku.tiers"), "policy": eveningPolicy} {
		writeFile(t, plain, text)
		writeFile(t, marked, "\ufeff"+text)
		args := []string{"series", "adopt"}
		if name == "profile" {
			args = []string{"rate", "--genre", "sudoku", someSudoku, "--profile"}
		}
		if got, want := r.done(t, append(args, marked)...), newRunner(t).done(t, append(args, plain)...); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	for text, says := range map[string]string{
		"\ufeffcolour = 1\n":                   "line 1, column 1: colour is not known",
		"series = 5\n":                         "line 1, column 10: wanted a text in quotes, got integer",
		"days = 5\n":                           "wanted a table, got integer",
		"[days]\nmonday = { stuck = 'yes' }\n": "wanted true or false, got string",
	} {
		writeFile(t, plain, text)
		if _, errs, code := r.run(t, "", "series", "adopt", plain); code != exitInput || !strings.Contains(errs, says) {
			t.Errorf("%q: exit %d: %s", text, code, errs)
		}
	}
}
