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

// Keeper publishes every series on record ahead, day after day. Nothing depends on its tick: every
// publishing catches up.
type Keeper struct {
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

// NewKeeper gives a keeper that has published nothing yet.
func NewKeeper(r *Registry, log *slog.Logger) *Keeper {
	return &Keeper{registry: r, log: log, done: map[string]round{}, told: map[string]string{}}
}

// Run publishes whenever the date of a series changes, or the log grows, until the context ends. What fails is logged, once,
// and tried again.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.Round(ctx)
		}
	}
}

// Round publishes each series if its date has changed since the last round, or the log has grown: there may be stock now for
// a date that had none. What fails is logged.
func (k *Keeper) Round(ctx context.Context) {
	names, err := k.registry.seriesNames()
	if err != nil {
		k.tell("", err)
	}
	for _, series := range names {
		if err := k.publish(ctx, series); err != nil && ctx.Err() == nil {
			k.tell(series, err)
		}
	}
}

func (k *Keeper) publish(ctx context.Context, series string) error {
	today, err := k.registry.Today(ctx, series)
	if err != nil {
		return err
	}
	now, err := k.round(today)
	if err != nil || k.done[series] == now {
		return err
	}
	_, added, err := k.registry.Publish(ctx, PublishRequest{Series: series, Ahead: DefaultAhead, Actor: ActorSystem})
	if err != nil {
		return err
	}
	if added > 0 || k.done[series].today != today {
		k.log.Info("published", "series", series, "today", today.String(), "new", added)
	}
	k.done[series] = now // what others record meanwhile is seen the next time
	delete(k.told, series)
	return nil
}

// round returns the round of a date as the tables stand.
func (k *Keeper) round(today schedule.Date) (round, error) {
	seq, err := k.registry.Store.Cursor(archive.Table.Name())
	return round{today, seq}, err
}

// tell logs what is wrong with a series, unless that was the last thing logged of it.
func (k *Keeper) tell(series string, err error) {
	if k.told[series] != err.Error() {
		k.told[series] = err.Error()
		k.log.Warn("not published", "series", series, "error", err)
	}
}
