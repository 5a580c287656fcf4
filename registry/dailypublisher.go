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

// DailyPublisher publishes every series on record ahead, day after day. Nothing depends on its tick: every
// publishing catches up.
type DailyPublisher struct {
	registry *Registry
	log      *slog.Logger
	done     map[string]round  // of each series, when it was published ahead
	told     map[string]string // what was said of each series that could not be
}

// round is when a series was published: on which date, and up to which event.
type round struct {
	today schedule.Date
	seq   events.Seq
}

// NewDailyPublisher returns one that has published nothing yet.
func NewDailyPublisher(r *Registry, log *slog.Logger) *DailyPublisher {
	return &DailyPublisher{registry: r, log: log, done: map[string]round{}, told: map[string]string{}}
}

// Run publishes whenever the date of a series changes, or the log grows, until the context ends. What fails is logged, once,
// and tried again.
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

// Round publishes each series if its date has changed since the last round, or the log has grown: there may be stock now for
// a date that had none. What fails is logged.
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
	p.done[series] = now // what others record meanwhile is seen the next time
	delete(p.told, series)
	return nil
}

// round returns the round of a date as the tables stand.
func (p *DailyPublisher) round(today schedule.Date) (round, error) {
	seq, err := p.registry.Store.Cursor(archive.Table.Name())
	return round{today, seq}, err
}

// tell logs what is wrong with a series, unless that was the last thing logged of it.
func (p *DailyPublisher) tell(series string, err error) {
	if p.told[series] != err.Error() {
		p.told[series] = err.Error()
		p.log.Warn("not published", "series", series, "error", err)
	}
}
