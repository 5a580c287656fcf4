package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/events"
	"assay/events/durable"
	"assay/events/natslog"
)

// firstRun is what a first run makes, in this order; the format comes last. In a directory without a format it tells a
// first run that was ended, which has a beginning of this, from a loss. One that lost its format only has all of it.
var firstRun = []string{"ledger", filepath.Join("keys", "log.key"), filepath.Join("ledger", "checkpoints"), filepath.Join("ledger", "hashes"), "log", "tables"}

// beginFirstRun begins the first run of a directory that has no format, or goes on with it. What was lost is
// events.ErrDamaged.
func (h *Home) beginFirstRun() error {
	lost, left, err := h.lost(firstRun)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return lostError(h.place.Dir, lost, left)
	}
	return h.makeLedgerFolder()
}

// makeLedgerFolder makes the folder that has to be there before there is a key.
func (h *Home) makeLedgerFolder() error {
	if err := os.MkdirAll(h.file("ledger"), 0o700); err != nil {
		return err
	}
	return durable.SyncDir(h.place.Dir)
}

// lost returns what is missing of an order though something that is made later is there, and what is there.
func (h *Home) lost(order []string) (lost, left []string, err error) {
	var missing []string
	for _, name := range order {
		switch _, err := os.Stat(h.file(name)); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return nil, nil, err
		default:
			left = append(left, name)
			lost = missing
		}
	}
	return lost, left, nil
}

func lostError(dir string, lost, left []string) error {
	advice := "put back what is missing, or restore a backup into another directory (assay --dir NEW restore)"
	if len(left) == 1 && left[0] == filepath.Join("keys", "log.key") {
		advice = "restore a backup into another directory (assay --dir NEW restore). For a new registry with the secrets in keys/, " +
			"move keys/log.key away, and it gets a signing key of its own: one key must not sign two logs"
	}
	return fmt.Errorf("%w: %s has %s, but neither format nor %s, without which those are not made: %s",
		events.ErrDamaged, dir, strings.Join(left, ", "), strings.Join(lost, ", "), advice)
}

// beginSharedRun is beginFirstRun for a log on NATS. A log that has events needs the keys only, since the rest is computed
// from it; but one that is empty is not the one that they signed.
func (h *Home) beginSharedRun(ctx context.Context, log *natslog.Log) error {
	lost, _, err := h.lost(firstRun[:2])
	if err != nil {
		return err
	}
	size, err := log.Size(ctx)
	if err != nil {
		return err
	}
	if len(lost) == 0 || size > 0 {
		return h.makeLedgerFolder()
	}
	return fmt.Errorf("%w: %s has keys/log.key, which signed a log, and nothing else, and the log on NATS is empty: restore a backup "+
		"(assay --log … --dir NEW restore). For a new registry with the secrets in keys/, move keys/log.key away: one key must not sign two logs",
		events.ErrDamaged, h.place.Dir)
}
