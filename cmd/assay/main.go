// Command assay is a registry of puzzles: see the README.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // dates need time zones, whatever is installed on the machine

	"assay/registry/home"
)

func main() {
	home.Private()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second ctrl-C ends the program at once
	code := Run(ctx, os.Args[1:], systemEnv())
	stop()
	os.Exit(code)
}
