package events

import (
	"crypto/sha256"
	"time"
)

// Origin says which generator version made a puzzle of which seed.
// It is absent (nil) in the facts of an imported puzzle.
type Origin struct {
	_       struct{} `cbor:",toarray"`
	Version int
	Seed    uint64
}

// Generated: a generator made a puzzle.
type Generated struct {
	Puzzle    string    `cbor:"1,keyasint"` // puzzle ID
	Genre     string    `cbor:"2,keyasint"`
	Variant   string    `cbor:"3,keyasint"`
	Text      string    `cbor:"4,keyasint"` // canonical text
	Solution  string    `cbor:"5,keyasint"`
	Origin    Origin    `cbor:"6,keyasint"`
	Rater     string    `cbor:"7,keyasint"`           // whose level was asked for
	Requested string    `cbor:"8,keyasint"`           // a level, "any", or "cap-<level>"
	Level     string    `cbor:"9,keyasint,omitempty"` // the level earned; empty when the rater has no levels
	Attempts  []Attempt `cbor:"10,keyasint"`          // every candidate up to the accepted one, in order
	Nodes     uint64    `cbor:"11,keyasint"`          // size of the search that proved the solution unique
	Canonical Form      `cbor:"12,keyasint,omitzero"` // zero when the genre has no symmetries
}

// Attempt is one candidate of a generation.
type Attempt struct {
	_       struct{} `cbor:",toarray"`
	N       int      // 1, 2, 3 …
	Outcome string   // "accepted", or why it was dropped
	Score   *int     // its score when it got as far as being scored
}

// Imported: a puzzle came from outside.
type Imported struct {
	Puzzle    string `cbor:"1,keyasint"`
	Genre     string `cbor:"2,keyasint"`
	Variant   string `cbor:"3,keyasint"`
	Text      string `cbor:"4,keyasint"`
	Solution  string `cbor:"5,keyasint"`
	Nodes     uint64 `cbor:"6,keyasint"`
	Source    string `cbor:"7,keyasint,omitempty"` // the file's name, or empty
	Canonical Form   `cbor:"8,keyasint,omitzero"`  // zero when the genre has no symmetries
}

// Form stands for a puzzle's canonical form under the symmetries of its genre: the first 10 bytes of
// SHA-256 of its text. Two puzzles of a variant with the same one are the same up to symmetry.
type Form [10]byte

// FormOf gives what stands for a canonical form.
func FormOf(text string) Form {
	sum := sha256.Sum256([]byte(text))
	return Form(sum[:])
}

// Rated: a rater version gave its verdict on a puzzle.
type Rated struct {
	Puzzle     string         `cbor:"1,keyasint"`
	Genre      string         `cbor:"2,keyasint"`
	Variant    string         `cbor:"3,keyasint"`
	Rater      string         `cbor:"4,keyasint"`
	Version    string         `cbor:"5,keyasint"`           // "1", or "1+<profile digest>"
	Outcome    string         `cbor:"6,keyasint"`           // "rated", "stuck" or "unrated"
	Level      string         `cbor:"7,keyasint,omitempty"` // empty when the rater has no levels
	Tier       int            `cbor:"8,keyasint,omitempty"` // sudoku.tiers only
	Score      *int           `cbor:"9,keyasint,omitempty"` // nil when the rater has no score
	Hardest    string         `cbor:"10,keyasint,omitempty"`
	Techniques []TechniqueUse `cbor:"11,keyasint,omitempty"` // those used, in the rater's order
	Terms      []Term         `cbor:"12,keyasint,omitempty"` // the score term by term, in the rater's order
	Clues      int            `cbor:"13,keyasint,omitempty"`
	Origin     *Origin        `cbor:"14,keyasint,omitempty"`
	// Steps is the solve: the bytes of EncodeSolve, which reading a Rated does not look into. See Solve.
	Steps []byte `cbor:"15,keyasint,omitempty"`
}

// TechniqueUse counts what one technique did in a solve.
type TechniqueUse struct {
	_       struct{} `cbor:",toarray"`
	Name    string
	Level   string
	Uses    int
	Removed int
	Placed  int
}

// Term is one named part of a score.
type Term struct {
	_     struct{} `cbor:",toarray"`
	Name  string
	Value int
}

// Published: a puzzle is the puzzle of a series' date. It is released at Release unless withdrawn.
type Published struct {
	Series   string  `cbor:"1,keyasint"`
	Date     string  `cbor:"2,keyasint"` // YYYY-MM-DD in the policy's zone
	Revision int     `cbor:"3,keyasint"` // 0 first; one more after each withdrawal
	Label    string  `cbor:"4,keyasint"`
	Policy   int     `cbor:"5,keyasint"` // revision of the policy that gave the label
	Puzzle   string  `cbor:"6,keyasint"`
	Genre    string  `cbor:"7,keyasint"`
	Variant  string  `cbor:"8,keyasint"`
	Rating   Key     `cbor:"9,keyasint"`  // the rating that stood when it was published
	Release  int64   `cbor:"10,keyasint"` // Unix milliseconds
	Origin   *Origin `cbor:"11,keyasint,omitempty"`
	Reason   string  `cbor:"12,keyasint,omitempty"`

	// Skipped are the seeds that were tried first and gave a puzzle the series had before.
	Skipped []Skipped `cbor:"13,keyasint,omitempty"`
}

// Skipped is a seed that gave a puzzle which was not wanted, being a duplicate.
type Skipped struct {
	_      struct{} `cbor:",toarray"`
	Seed   uint64
	Puzzle string
}

// Released gives the release instant in UTC.
func (p Published) Released() time.Time { return time.UnixMilli(p.Release).UTC() }

// Withdrawn: the publication of the same series, date and revision no longer stands.
type Withdrawn struct {
	Series   string `cbor:"1,keyasint"`
	Date     string `cbor:"2,keyasint"`
	Revision int    `cbor:"3,keyasint"`
	Puzzle   string `cbor:"4,keyasint"`
	Reason   string `cbor:"5,keyasint"`
}

// Calibrated: the bands of a rater version over a generator version were measured.
type Calibrated struct {
	Genre        string `cbor:"1,keyasint"`
	Generator    int    `cbor:"2,keyasint"` // version
	Rater        string `cbor:"3,keyasint"`
	RaterVersion int    `cbor:"4,keyasint"`
	Seed         uint64 `cbor:"5,keyasint"`
	Bands        []Band `cbor:"6,keyasint"`
}

// Band is the range of scores that a label accepts: Low and High are the LowPercent-th and
// HighPercent-th percentile (nearest rank) of the scores of Sample candidates, both inclusive.
type Band struct {
	_           struct{} `cbor:",toarray"`
	Label       string
	Sample      int
	LowPercent  int
	HighPercent int
	Low         int
	Median      int
	High        int
}

// Policy: the rule that gives each date of a series its label and its puzzle, from a date on.
type Policy struct {
	Series    string     `cbor:"1,keyasint"`
	Revision  int        `cbor:"2,keyasint"` // 1 first
	Effective string     `cbor:"3,keyasint"` // first date it rules, YYYY-MM-DD
	Zone      string     `cbor:"4,keyasint"` // IANA name
	Release   string     `cbor:"5,keyasint"` // HH:MM in the zone
	Days      [7]DayRule `cbor:"6,keyasint"` // Monday first
	Reason    string     `cbor:"7,keyasint,omitempty"`
}

// DayRule says what a weekday is called and where its puzzle comes from.
type DayRule struct {
	_       struct{} `cbor:",toarray"`
	Label   string
	Source  string // "generator", or "shelf"
	Genre   string
	Variant string
	Level   string // what the generator is asked for, or the shelf
}

// Filled: a block of candidates was made for the shelves of a pool, and this became of them.
type Filled struct {
	Genre     string    `cbor:"1,keyasint"`
	Variant   string    `cbor:"2,keyasint"`
	Generator int       `cbor:"3,keyasint"` // version
	Rater     string    `cbor:"4,keyasint"` // whose levels fill the shelves
	Version   string    `cbor:"5,keyasint"` // of the rater
	Seed      uint64    `cbor:"6,keyasint"` // of the stream that the candidates' seeds come from
	First     uint64    `cbor:"7,keyasint"` // number of the first candidate; they count from 0 on within a generator version
	Last      uint64    `cbor:"8,keyasint"`
	PerShelf  int       `cbor:"9,keyasint"`  // puzzles that a shelf was to hold
	Counts    []Fate    `cbor:"10,keyasint"` // what became of the candidates, each sort once
	Kept      []Shelved `cbor:"11,keyasint"` // the candidates that were kept, in order
}

// Fate counts candidates that fared alike.
type Fate struct {
	_       struct{} `cbor:",toarray"`
	Cap     string   // the highest level that was allowed
	Earned  string   // the level that came of it; empty when none did
	Outcome string   // "kept", or why it was dropped
	Count   int
}

// Shelved is a candidate that was kept, and the shelf it went to.
type Shelved struct {
	_         struct{} `cbor:",toarray"`
	Candidate uint64
	Level     string
}

// Adopted: the ratings of one rater version file the puzzles of a pool from now on.
type Adopted struct {
	Genre    string      `cbor:"1,keyasint"`
	Variant  string      `cbor:"2,keyasint"`
	Revision int         `cbor:"3,keyasint"` // 1 first
	Rater    string      `cbor:"4,keyasint"`
	Version  string      `cbor:"5,keyasint"`
	Levels   []string    `cbor:"6,keyasint"` // that the pool has a shelf for, lowest first
	Order    []Technique `cbor:"7,keyasint"` // in which the rater tries them; empty when it has none
	Reason   string      `cbor:"8,keyasint,omitempty"`
}

// Unknown is a body whose kind this program does not know: written by a newer one. It can be
// verified and copied; whatever has to understand it must stop with an error that names the kind.
type Unknown struct {
	Name string
	Data []byte // its CBOR
}

// Kind names each body's schema and version. A kind never changes its meaning.
func (Generated) Kind() string  { return "generated/1" }
func (Imported) Kind() string   { return "imported/1" }
func (Rated) Kind() string      { return "rated/1" }
func (Published) Kind() string  { return "published/1" }
func (Withdrawn) Kind() string  { return "withdrawn/1" }
func (Calibrated) Kind() string { return "calibrated/1" }
func (Policy) Kind() string     { return "policy/1" }
func (Filled) Kind() string     { return "filled/1" }
func (Adopted) Kind() string    { return "adopted/1" }

// Kind gives the unknown kind.
func (u Unknown) Kind() string { return u.Name }
