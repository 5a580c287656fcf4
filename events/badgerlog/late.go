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

// An event is late when its append was interrupted and the witness vouched for the event only after that. The file LATE
// has the positions of the first and the last late event. It is written before the witness vouches for them, and
// removed when a caller has taken note of them.
const lateFile = "LATE"

// Late returns the late events that no caller has taken note of, by position.
func (l *Log) Late() []events.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.late
}

// ForgetLate marks all late events up to a position as noted.
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

// noteLate adds a group to the late events.
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

// noted reads the positions of the late events. They are zero when there are none.
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

// readLate reads the late events when the log is opened.
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

// tellLate logs late events of a log that is open already. A caller that opens a log asks Late.
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
