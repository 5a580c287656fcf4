package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"assay/events/natslog"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/jobs"
	"assay/registry/jobs/queue"
)

func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "worker",
		Short: "Rate and generate for the processes that share a log on NATS and use --workers",
		Long: `Take jobs from the queue beside the log on NATS that --log names, and do them on all cores, until it is stopped. A worker
needs no directory and records nothing; the process that asked for the jobs does. Any number of workers may join and leave.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.shared.URL == "" {
				return &input.Error{Reason: notShared}
			}
			o := a.queueOptions()
			return queue.Work(cmd.Context(), o, engine.Work(a.genres()), func() {
				fmt.Fprintf(a.env.Stdout, "assay works for %s on %s, on %s\n", o.Log, o.Redacted(), plural(runtime.GOMAXPROCS(0), "core"))
			})
		},
	}
}

// queueOptions returns the queue beside the log.
func (a *app) queueOptions() queue.Options {
	return queue.Options{Options: a.natsOptions(a.shared.URL).Options, Log: a.getStream()}
}

func (a *app) getStream() string {
	if a.shared.Stream == "" {
		return natslog.DefaultStream
	}
	return a.shared.Stream
}

// checkWorkers refuses what ASSAY_WORKERS cannot be.
func (a *app) checkWorkers() error {
	if text := a.env.Getenv("ASSAY_WORKERS"); text != "" {
		if _, err := strconv.ParseBool(text); err != nil {
			return input.Errorf("ASSAY_WORKERS is %.40q, not true or false", text)
		}
	}
	return nil
}

// withCrew does something with what rates and generates in this run: the workers, or this process.
func (a *app) withCrew(ctx context.Context, do func(jobs.Crew) error) error {
	switch {
	case !a.shared.workers:
		return do(jobs.Local{})
	case a.shared.URL == "":
		return do(noWorkers{reason: notShared})
	}
	pool, err := queue.Open(a.queueOptions())
	if err != nil {
		return err
	}
	defer pool.Close()
	return do(pool)
}

// forwardedCrew is the pool of a forwarded verb, in a process that serves with another.
func (a *app) forwardedCrew(of jobs.Crew) jobs.Crew {
	switch pool := of.(type) {
	case *queue.Queue:
		return pool.Telling(slog.New(slog.NewTextHandler(a.env.Stderr, nil)))
	case jobs.Local:
		if a.shared.workers {
			return noWorkers{reason: "the process that serves this directory knows no workers: start it with --workers"}
		}
	}
	return of
}

const notShared = "workers share a log on NATS: name its servers with --log"

// noWorkers is the pool of a run that says --workers where there are none: what submits no work does without.
type noWorkers struct {
	jobs.Local
	reason string
}

func (n noWorkers) Do(context.Context, jobs.Chunk) error {
	return &input.Error{Reason: n.reason}
}
