package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/raters"
	"assay/raters/logic"
	"assay/registry/engine"
)

// History has every rating, label and drop of a puzzle: the object history/1.
type History struct {
	Schema  string          `json:"schema"`
	ID      string          `json:"id"`
	Genre   string          `json:"genre"`
	Variant string          `json:"variant"`
	Imports []Import        `json:"imports"`
	Ratings []HistoryRating `json:"ratings"` // in order of recording
	Labels  []HistoryLabel  `json:"labels"`  // in order of recording
	Drops   []Drop          `json:"drops"`   // in order of recording
}

// HistoryRating is a rating and when it was recorded.
type HistoryRating struct {
	Rater      string         `json:"rater"`
	Version    engine.Version `json:"version"`
	Profile    string         `json:"profile,omitempty"`    // digest, of a rater under a profile of its own
	Parameters []string       `json:"parameters,omitempty"` // the differences between that profile and the built-in one
	Outcome    string         `json:"outcome"`
	Level      string         `json:"level,omitempty"`
	Tier       int            `json:"tier,omitempty"`
	Score      *int           `json:"score,omitempty"`
	Hardest    string         `json:"hardest,omitempty"`
	Files      bool           `json:"files"` // the pool is filed by this rater version now
	Time       string         `json:"time"`
	Actor      string         `json:"actor"`
	Event      events.Seq     `json:"event"`
}

// HistoryLabel is a label under which the puzzle was published, with its rating at that time. It never changes.
type HistoryLabel struct {
	Series    string     `json:"series"`
	Date      string     `json:"date"`
	Revision  int        `json:"revision"`
	Label     string     `json:"label"`
	Rating    events.Key `json:"rating"`
	Withdrawn bool       `json:"withdrawn"`
	Event     events.Seq `json:"event"`
}

// History returns the ratings of all raters and versions that are on record of a puzzle, and its labels.
func (r *Registry) History(ctx context.Context, id string) (History, error) {
	k, err := r.lookUp(ctx, id)
	if err != nil {
		return History{}, err
	}
	a, err := r.adoption(poolName{genre: k.Puzzle.Genre, variant: k.Puzzle.Variant})
	if err != nil {
		return History{}, err
	}
	h := History{Schema: "history/1", ID: id, Genre: k.Puzzle.Genre, Variant: k.Puzzle.Variant, Imports: []Import{}, Ratings: []HistoryRating{}, Labels: []HistoryLabel{}, Drops: []Drop{}}
	for _, f := range k.Facts {
		e, err := r.Log.Get(ctx, f.Key)
		if err != nil {
			return h, err
		}
		switch b := e.Body.(type) {
		case events.Imported:
			h.Imports = append(h.Imports, recordedImport(e, b))
		case events.Rated:
			v := historyRating(e, b)
			v.Files = b.Rater == a.Adopted.Rater && b.Version == a.Adopted.Version
			if v.Parameters, err = r.parameters(ctx, k.Puzzle.Genre, k.Puzzle.Variant, v); err != nil {
				return h, err
			}
			h.Ratings = append(h.Ratings, v)
		case events.Published:
			h.Labels = append(h.Labels, HistoryLabel{Series: b.Series, Date: b.Date, Revision: b.Revision, Label: b.Label, Rating: b.Rating, Event: e.Seq})
		case events.Dropped, events.Restored:
			h.Drops = addDrop(h.Drops, e)
		case events.Withdrawn:
			for i := range h.Labels {
				l := &h.Labels[i]
				l.Withdrawn = l.Withdrawn || l.Series == b.Series && l.Date == b.Date && l.Revision == b.Revision
			}
		}
	}
	return h, nil
}

func historyRating(e events.Event, b events.Rated) HistoryRating {
	_, digest, _ := strings.Cut(b.Version, "+")
	return HistoryRating{
		Rater: b.Rater, Version: engine.Version(b.Version), Profile: digest, Outcome: b.Outcome, Level: b.Level, Tier: b.Tier, Score: b.Score,
		Hardest: b.Hardest, Time: stamp(e.Time), Actor: e.Actor, Event: e.Seq,
	}
}

// parameters describes the differences between the profile of a rating and the built-in one of this program.
func (r *Registry) parameters(ctx context.Context, genre, variant string, v HistoryRating) ([]string, error) {
	if v.Profile == "" {
		return nil, nil
	}
	p, _, err := r.recordedProfile(ctx, v.Profile)
	if errors.Is(err, events.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	of, err := engine.Find(r.Genres, genre, variant)
	if err != nil {
		return nil, nil // the variant is gone; the digest says which profile it was
	}
	builtIn, err := engine.ProfiledOf(of, v.Rater)
	if err != nil {
		return nil, nil
	}
	now := builtIn.Profile()
	version := p.Version
	p.Version = now.Version // an older version is compared with the present one
	if p, err = now.Check(p); err != nil {
		return []string{fmt.Sprintf("a profile for version %d of %s, with techniques that version %d does not have", version, v.Rater, now.Version)}, nil
	}
	return profileChanges(now, p), nil
}

// profileChanges describes, one difference a line, how two profiles of the same rater differ.
func profileChanges(was, is raters.Profile) []string {
	var changes []string
	var kept []logic.Technique
	for _, t := range was.Techniques {
		at := techniqueAt(is.Techniques, t.Name)
		switch {
		case at < 0:
			changes = append(changes, t.Name+" off")
			continue
		case is.Techniques[at].Level != t.Level:
			changes = append(changes, fmt.Sprintf("%s %s, not %s", t.Name, is.Techniques[at].Level, t.Level))
		}
		kept = append(kept, t)
	}
	changes = append(changes, reorderings(kept, is.Techniques)...)
	for i, b := range is.Bands {
		if old := was.Bands[slices.IndexFunc(was.Bands, func(o raters.ProfileBand) bool { return o.Label == is.Bands[i].Label })]; old != b {
			changes = append(changes, fmt.Sprintf("band %s %d–%d, not %d–%d", b.Label, b.Low, b.High, old.Low, old.High))
		}
	}
	return changes
}
