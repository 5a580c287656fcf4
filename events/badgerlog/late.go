package badgerlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"assay/events"
	"assay/events/durable"
)

// An event is late when the witness vouched for it only after the append that it is of had been interrupted. Which
// events are late stands in the file LATE of the directory, as the positions of the first and the last, from before the
// witness vouches for them until somebody has taken note.
const lateFile = "LATE"

// Late returns the late events that nobody has taken note of, in order.
func (l *Log) Late() []events.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.late
}

// ForgetLate takes note of all late events up to a position.
func (l *Log) ForgetLate(upTo events.Seq) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.late); n == 0 || l.late[n-1].Seq > upTo {
		return nil
	}
	l.late = nil
	if err := os.Remove(filepath.Join(l.dir, lateFile)); err != nil {
		return err
	}
	return durable.SyncDir(l.dir)
}

// noteLate notes that a group is late, besides those that were noted before.
func (l *Log) noteLate(g group) error {
	first, _, err := l.noted()
	if err != nil {
		return err
	}
	if first == 0 {
		first = g.first
	}
	return durable.WriteFile(filepath.Join(l.dir, lateFile), fmt.Appendf(nil, "%d %d\n", first, g.last))
}

// noted reads the positions of the late events; zeros when there are none.
func (l *Log) noted() (first, last events.Seq, err error) {
	text, err := os.ReadFile(filepath.Join(l.dir, lateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	if n, _ := fmt.Sscanf(string(text), "%d %d\n", &first, &last); n != 2 || first == 0 || first > last {
		return 0, 0, fmt.Errorf("%s says %.40q, not two positions: remove it, and which events were signed late is not told", lateFile, text)
	}
	return first, last, nil
}

// readLate reads the late events of a log that was opened.
func (l *Log) readLate() (late []events.Event, err error) {
	first, last, err := l.noted()
	if err != nil || first == 0 {
		return nil, err
	}
	for after, last := first-1, min(last, l.head); after < last; after = late[len(late)-1].Seq {
		more, err := l.chunk(after, last, maxChunk)
		if err != nil {
			return nil, err
		}
		late = append(late, more...)
	}
	return late, nil
}

// tellLate tells of late events in a log that is open; whoever opens one asks Late.
func (l *Log) tellLate(late []events.Event) {
	if l.db == nil {
		return
	}
	for _, e := range late {
		l.logger.Warn("an append was interrupted before it was signed; it was checked and is signed now", "event", e.Seq, "key", e.Key, "time", e.Time)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = append(l.late, late...)
}
