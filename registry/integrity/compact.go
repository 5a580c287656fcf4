package integrity

import "context"

// compactable is a store whose files can be rewritten.
type compactable interface {
	Compact(ctx context.Context) error
	Files() (number int, bytes int64, err error)
}

// Compaction describes the files of a store before and after: the object compact/1.
type Compaction struct {
	Schema      string `json:"schema"`
	Store       string `json:"store"` // "log" or "tables"
	FilesBefore int    `json:"files_before"`
	BytesBefore int64  `json:"bytes_before"`
	Files       int    `json:"files"`
	Bytes       int64  `json:"bytes"`
}

// Compact rewrites the files of the log, unless that is elsewhere, and of the tables into as few as possible. Each
// record is compared with the ledger before the old files are removed.
func (h Holdings) Compact(ctx context.Context) ([]Compaction, error) {
	var done []Compaction
	if log, ok := h.Log.(compactable); ok {
		c, err := compact(ctx, "log", log)
		if err != nil {
			return done, err
		}
		done = append(done, c)
	}
	c, err := compact(ctx, "tables", h.Store)
	if err != nil {
		return done, err
	}
	return append(done, c), nil
}

func compact(ctx context.Context, name string, s compactable) (Compaction, error) {
	c := Compaction{Schema: "compact/1", Store: name}
	var err error
	if c.FilesBefore, c.BytesBefore, err = s.Files(); err != nil {
		return c, err
	}
	if err = s.Compact(ctx); err != nil {
		return c, err
	}
	c.Files, c.Bytes, err = s.Files()
	return c, err
}
