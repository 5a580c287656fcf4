package store

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// Logger hands what Badger has to say to a logger, its routine messages as debugging. Nil is silence.
func Logger(to *slog.Logger) badger.Logger {
	if to == nil {
		to = slog.New(slog.DiscardHandler)
	}
	return logger{to}
}

type logger struct{ to *slog.Logger }

func (l logger) Errorf(format string, args ...any)   { l.log(slog.LevelError, format, args) }
func (l logger) Warningf(format string, args ...any) { l.log(slog.LevelWarn, format, args) }
func (l logger) Infof(format string, args ...any)    { l.log(slog.LevelDebug, format, args) }
func (l logger) Debugf(string, ...any)               {} // per write, of no use here

func (l logger) log(level slog.Level, format string, args []any) {
	if ctx := context.Background(); l.to.Enabled(ctx, level) {
		l.to.Log(ctx, level, "store: "+strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
}
