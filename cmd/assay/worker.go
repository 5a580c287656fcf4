package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"assay/events/natslog"
	"assay/registry"
	"assay/registry/jobs"
	"assay/registry/jobs/queue"
)

func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "worker",
		Short: "Rate and generate for all who share a log on NATS and say --workers",
		Long: `Take work from the queue beside the log on NATS that --log names, and do it on all cores, until it is stopped. It
needs no directory and records nothing: who hands in the work does. Any number of workers come and go.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := a.queueOptions()
			if err != nil {
				return err
			}
			return queue.Work(cmd.Context(), o, registry.Work(a.genres()), func() {
				fmt.Fprintf(a.env.Stdout, "assay works for %s on %s, on %s\n", o.Log, o.URL, plural(runtime.GOMAXPROCS(0), "core"))
			})
		},
	}
}

// queueOptions gives the queue beside the log.
func (a *app) queueOptions() (queue.Options, error) {
	if a.shared.URL == "" {
		return queue.Options{}, &registry.InputError{Reason: "workers share a log on NATS: name its servers with --log"}
	}
	o := a.natsOptions(a.shared.URL)
	return queue.Options{Options: o.Options, Log: a.getStream()}, nil
}

func (a *app) getStream() string {
	if a.shared.Stream == "" {
		return natslog.DefaultStream
	}
	return a.shared.Stream
}

// withPool does something with what rates and generates in this run: the workers, or this process.
func (a *app) withPool(ctx context.Context, do func(jobs.Pool) error) error {
	if text := a.env.Getenv("ASSAY_WORKERS"); text != "" {
		if _, err := strconv.ParseBool(text); err != nil {
			return &registry.InputError{Reason: fmt.Sprintf("ASSAY_WORKERS is %.40q, not true or false", text)}
		}
	}
	if !a.shared.workers {
		return do(jobs.Local{})
	}
	o, err := a.queueOptions()
	if err != nil {
		return err
	}
	pool, err := queue.Open(ctx, o)
	if err != nil {
		return err
	}
	defer pool.Close()
	return do(pool)
}
