package badgerlog

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// toSlog hands what Badger has to say to a logger, its routine messages as debugging. Nil is silence.
func toSlog(to *slog.Logger) storeLogger {
	if to == nil {
		to = slog.New(slog.DiscardHandler)
	}
	return storeLogger{to}
}

type storeLogger struct{ to *slog.Logger }

func (l storeLogger) Errorf(format string, args ...any)   { l.log(slog.LevelError, format, args) }
func (l storeLogger) Warningf(format string, args ...any) { l.log(slog.LevelWarn, format, args) }
func (l storeLogger) Infof(format string, args ...any)    { l.log(slog.LevelDebug, format, args) }
func (l storeLogger) Debugf(string, ...any)               {} // per write, of no use here

func (l storeLogger) log(level slog.Level, format string, args []any) {
	if ctx := context.Background(); l.to.Enabled(ctx, level) {
		l.to.Log(ctx, level, "store: "+strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
}
