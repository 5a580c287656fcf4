package registry

import (
	"context"
	"log/slog"
	"time"

	"assay/events"
	"assay/projections/archive"
	"assay/registry/schedule"
)

// checkEvery is how often a serving registry looks whether a new day has come.
const checkEvery = 20 * time.Second

// DailyPublisher publishes every series on record ahead, day after day. A missed tick does no harm, because every round
// catches up.
type DailyPublisher struct {
	registry *Registry
	log      *slog.Logger
	done     map[string]round  // of each series, the last round that published it
	told     map[string]string // of each series that failed, the error that was logged
}

// round is the state in which a series was published: the date, and the last event.
type round struct {
	today schedule.Date
	seq   events.Seq
}

// NewDailyPublisher returns a publisher that has published nothing yet.
func NewDailyPublisher(r *Registry, log *slog.Logger) *DailyPublisher {
	return &DailyPublisher{registry: r, log: log, done: map[string]round{}, told: map[string]string{}}
}

// Run publishes whenever the date of a series changes or the log grows, until the context ends. An error is logged
// once, and the series is tried again.
func (p *DailyPublisher) Run(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.Round(ctx)
		}
	}
}

// Round publishes each series if its date has changed since the last round, or if the log has grown: a date without a
// puzzle may have stock now. Errors are logged.
func (p *DailyPublisher) Round(ctx context.Context) {
	names, err := p.registry.seriesNames()
	if err != nil {
		p.tell("", err)
	}
	for _, series := range names {
		if err := p.publish(ctx, series); err != nil && ctx.Err() == nil {
			p.tell(series, err)
		}
	}
}

func (p *DailyPublisher) publish(ctx context.Context, series string) error {
	today, err := p.registry.Today(ctx, series)
	if err != nil {
		return err
	}
	now, err := p.round(today)
	if err != nil || p.done[series] == now {
		return err
	}
	_, added, err := p.registry.Publish(ctx, PublishRequest{Series: series, Ahead: DefaultAhead, Actor: ActorSystem})
	if err != nil {
		return err
	}
	if added > 0 || p.done[series].today != today {
		p.log.Info("published", "series", series, "today", today.String(), "new", added)
	}
	p.done[series] = now // events of others meanwhile are seen in the next round
	delete(p.told, series)
	return nil
}

// round returns the round of a date with the present state of the tables.
func (p *DailyPublisher) round(today schedule.Date) (round, error) {
	seq, err := p.registry.Store.Cursor(archive.Table.Name())
	return round{today, seq}, err
}

// tell logs the error of a series, unless it was the last one logged for it.
func (p *DailyPublisher) tell(series string, err error) {
	if p.told[series] != err.Error() {
		p.told[series] = err.Error()
		p.log.Warn("not published", "series", series, "error", err)
	}
}
