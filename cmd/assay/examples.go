package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// verbExamples are one or two command lines for each command, shown in its help. A test runs them in a directory that
// has the files and the puzzles that they name.
var verbExamples = map[string]string{
	"init":      "--dir puzzles init",
	"generate":  "generate sudoku --level hard --seed 42 --count 3",
	"import":    "import --genre sudoku --reason 'the book of 2026' book.txt",
	"convert":   "convert --to tatham --in book.txt",
	"rate":      "rate --genre chain '21 200 5 -37 +70 /3 +82 +84 +76'",
	"solve":     "solve 'https://puzz.link/p?box/5/5/7a9979672f'",
	"hint":      "hint --genre sudoku --reveal 2 '.46...8.9....8..........12..61..3....9.6...3....25...4..91.6....74.....6.13..9..2'",
	"calibrate": "calibrate chain",

	"pool fill":    "pool fill sudoku/classic --per-level 10",
	"pool list":    "pool list sudoku/classic",
	"pool verify":  "pool verify sudoku/classic",
	"pool drop":    "pool drop sudoku-z40dr6thpxhzjrb9 --reason 'printed in a book'",
	"pool restore": "pool restore sudoku-z40dr6thpxhzjrb9 --reason 'it was another one'",
	"freq":         "freq sudoku/classic/medium",
	"funnel":       "funnel sudoku/classic",

	"profile show": "profile show sudoku.tiers > mine.toml",
	"replay":       "replay --pool sudoku/classic --profile mine.toml --dry-run",
	"compare":      "compare sudoku.tiers sudoku.canonical --pool sudoku/classic/easy",
	"adopt":        "adopt sudoku/classic --profile mine.toml --reason 'pointing comes later'",
	"history":      "history chain-sdgrqz2t3snzwys8",

	"series show":  "series show daily",
	"series adopt": "series adopt evening.toml --reason 'a second puzzle'",
	"publish":      "publish --ahead 14",
	"withdraw":     "withdraw 2026-12-04 --reason 'the target is a house number in the news'",
	"archive":      "archive --from 2026-12-01 --to 2026-12-07 --label hard",
	"show":         "show chain-sdgrqz2t3snzwys8",
	"audit":        "audit 2026-12-04",

	"rebuild":     "rebuild",
	"compact":     "compact",
	"verify":      "verify",
	"proof":       "proof 2026-12-04 > day.proof",
	"proof check": `proof check day.proof --key "$KEY"`,
	"checkpoint":  "checkpoint > checkpoint.txt",
	"backup":      "backup assay.backup",
	"restore":     "--dir restored restore assay.backup --keys keys.json",
	"export":      "export --after 90",
	"copy":        "copy --from assay-data --to copied",
	"keys show":   "keys show",
	"keys export": "keys export keys.json",
	"keys rotate": "keys rotate",
	"keys nats":   "keys nats nats-keys nats-1 nats-2 nats-3",

	"serve":   "serve --addr 127.0.0.1:8080",
	"worker":  "--log nats://127.0.0.1:4222 worker",
	"version": "version",
	"help":    "help pool fill",

	"completion bash":       "completion bash > assay.bash",
	"completion zsh":        "completion zsh > _assay",
	"completion fish":       "completion fish > assay.fish",
	"completion powershell": "completion powershell > assay.ps1",
}

// setExamples returns a command and its subcommands their examples.
func setExamples(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		setExamples(sub)
	}
	if line, ok := verbExamples[strings.TrimPrefix(cmd.CommandPath(), "assay ")]; ok {
		cmd.Example = "  assay " + line
	}
}
