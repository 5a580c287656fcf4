package events

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"assay/raters/logic"
)

// Origin says which generator version made a puzzle of which seed.
// It is absent (nil) in the facts of an imported puzzle.
type Origin struct {
	_       struct{} `cbor:",toarray"`
	Version int      `json:"version"`
	Seed    uint64   `json:"seed,string"`
}

// Generated records that a generator made a puzzle.
type Generated struct {
	Puzzle    string    `cbor:"1,keyasint" json:"puzzle"` // puzzle ID
	Genre     string    `cbor:"2,keyasint" json:"genre"`
	Variant   string    `cbor:"3,keyasint" json:"variant"`
	Text      string    `cbor:"4,keyasint" json:"text"` // canonical text
	Solution  string    `cbor:"5,keyasint" json:"solution"`
	Origin    Origin    `cbor:"6,keyasint" json:"origin"`
	Rater     string    `cbor:"7,keyasint" json:"rater"`                     // the rater whose level was requested
	Requested string    `cbor:"8,keyasint" json:"requested"`                 // a level, "any", or "cap-<level>"
	Level     string    `cbor:"9,keyasint,omitempty" json:"level,omitempty"` // the level earned; empty when the rater has no levels
	Attempts  []Attempt `cbor:"10,keyasint" json:"attempts"`                 // every candidate up to the accepted one, in sequence
	Nodes     uint64    `cbor:"11,keyasint" json:"nodes"`                    // size of the search that proved the solution unique
	Canonical Form      `cbor:"12,keyasint,omitzero" json:"canonical"`       // zero when the genre has no symmetries
	// Version is the rater's version if the rater has another profile than the built-in one and gave the level; else
	// "".
	Version string `cbor:"13,keyasint,omitempty" json:"version,omitempty"`
}

// Attempt is one candidate of a generation.
type Attempt struct {
	_       struct{} `cbor:",toarray"`
	N       int      `json:"n"`               // 1, 2, 3 …
	Outcome string   `json:"outcome"`         // "accepted", or why it was dropped
	Score   *int     `json:"score,omitempty"` // the score of the candidate, if it was scored
}

// Imported records that a puzzle came from outside.
type Imported struct {
	Puzzle    string `cbor:"1,keyasint" json:"puzzle"`
	Genre     string `cbor:"2,keyasint" json:"genre"`
	Variant   string `cbor:"3,keyasint" json:"variant"`
	Text      string `cbor:"4,keyasint" json:"text"`
	Solution  string `cbor:"5,keyasint" json:"solution"`
	Nodes     uint64 `cbor:"6,keyasint" json:"nodes"`
	Source    string `cbor:"7,keyasint,omitempty" json:"source,omitempty"` // the file's name, or empty
	Canonical Form   `cbor:"8,keyasint,omitzero" json:"canonical"`         // zero when the genre has no symmetries
	Reason    string `cbor:"9,keyasint,omitempty" json:"reason,omitempty"`
}

// Provenance: what came along with a puzzle from outside, in the words of whoever brought it. It is never a rating of ours.
type Provenance struct {
	Puzzle string `cbor:"1,keyasint" json:"puzzle"`
	File   string `cbor:"2,keyasint,omitempty" json:"file,omitempty"` // the file's name, or empty
	Name   string `cbor:"3,keyasint,omitempty" json:"name,omitempty"`
	Author string `cbor:"4,keyasint,omitempty" json:"author,omitempty"`
	Source string `cbor:"5,keyasint,omitempty" json:"source,omitempty"`
	Rating string `cbor:"6,keyasint,omitempty" json:"rating,omitempty"` // of another program or site
}

// Key returns the key of the event: the same words about a puzzle, from a file of the same name, are recorded once.
func (p Provenance) Key() Key {
	sum := sha256.Sum256([]byte(strings.Join([]string{p.File, p.Name, p.Author, p.Source, p.Rating}, "\n")))
	return ProvenanceKey(p.Puzzle, hex.EncodeToString(sum[:6]))
}

// Form identifies a puzzle's canonical form under the symmetries of its genre: the first 10 bytes of SHA-256 of its
// text. Two puzzles of a variant with the same Form are equal up to symmetry.
type Form [10]byte

// FormOf returns the Form of a canonical text.
func FormOf(text string) Form {
	sum := sha256.Sum256([]byte(text))
	return Form(sum[:])
}

// MarshalText writes the form in hexadecimal digits, for events in JSON.
func (f Form) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, f[:]), nil }

// Rated records the verdict of a rater version on a puzzle.
type Rated struct {
	Puzzle     string         `cbor:"1,keyasint" json:"puzzle"`
	Genre      string         `cbor:"2,keyasint" json:"genre"`
	Variant    string         `cbor:"3,keyasint" json:"variant"`
	Rater      string         `cbor:"4,keyasint" json:"rater"`
	Version    string         `cbor:"5,keyasint" json:"version"`                   // "1", or "1+<profile digest>"
	Outcome    string         `cbor:"6,keyasint" json:"outcome"`                   // "rated", "stuck" or "unrated"
	Level      string         `cbor:"7,keyasint,omitempty" json:"level,omitempty"` // empty when the rater has no levels
	Tier       int            `cbor:"8,keyasint,omitempty" json:"tier,omitempty"`  // sudoku.tiers only
	Score      *int           `cbor:"9,keyasint,omitempty" json:"score,omitempty"` // nil when the rater has no score
	Hardest    string         `cbor:"10,keyasint,omitempty" json:"hardest,omitempty"`
	Techniques []TechniqueUse `cbor:"11,keyasint,omitempty" json:"techniques,omitempty"` // those used, in the rater's order
	Terms      []Term         `cbor:"12,keyasint,omitempty" json:"terms,omitempty"`      // the score term by term, in the rater's order
	Clues      int            `cbor:"13,keyasint,omitempty" json:"clues,omitempty"`
	Origin     *Origin        `cbor:"14,keyasint,omitempty" json:"origin,omitempty"`
	// Steps is the solve: the bytes of EncodeSolve. Reading a Rated does not decode them. See Solve.
	Steps []byte `cbor:"15,keyasint,omitempty" json:"steps,omitempty"`
}

// TechniqueUse counts what one technique did in a solve.
type TechniqueUse struct {
	_       struct{} `cbor:",toarray"`
	Name    string   `json:"name"`
	Level   string   `json:"level"`
	Uses    int      `json:"uses"`
	Removed int      `json:"removed"`
	Placed  int      `json:"placed"`
}

// Term is one named part of a score.
type Term struct {
	_     struct{} `cbor:",toarray"`
	Name  string   `json:"name"`
	Value int      `json:"value"`
}

// Published records that a series' date has a puzzle. The puzzle is released at Release unless it is withdrawn.
type Published struct {
	Series   string  `cbor:"1,keyasint" json:"series"`
	Date     string  `cbor:"2,keyasint" json:"date"`     // YYYY-MM-DD in the policy's zone
	Revision int     `cbor:"3,keyasint" json:"revision"` // 0 first; one more after each withdrawal
	Label    string  `cbor:"4,keyasint" json:"label"`
	Policy   int     `cbor:"5,keyasint" json:"policy"` // revision of the policy that gave the label
	Puzzle   string  `cbor:"6,keyasint" json:"puzzle"`
	Genre    string  `cbor:"7,keyasint" json:"genre"`
	Variant  string  `cbor:"8,keyasint" json:"variant"`
	Rating   Key     `cbor:"9,keyasint" json:"rating"`   // the rating that was on record when the puzzle was published
	Release  int64   `cbor:"10,keyasint" json:"release"` // Unix milliseconds
	Origin   *Origin `cbor:"11,keyasint,omitempty" json:"origin,omitempty"`
	Reason   string  `cbor:"12,keyasint,omitempty" json:"reason,omitempty"`

	// Skipped lists the seeds that were tried first but gave a puzzle that the series had before.
	Skipped []Skipped `cbor:"13,keyasint,omitempty" json:"skipped,omitempty"`
	// Passed lists the puzzles that came first but were not taken, because they look like a day of the series.
	Passed []Passed `cbor:"14,keyasint,omitempty" json:"passed,omitempty"`
	// Like is the day that the puzzle looks like, if it was taken nevertheless; nil when it looks like none.
	Like *Like `cbor:"15,keyasint,omitempty" json:"like,omitempty"`
	// Chosen says that a person named the puzzle.
	Chosen bool `cbor:"16,keyasint,omitempty" json:"chosen,omitempty"`
}

// Passed is a puzzle that was not taken for a day, because it looks like another day of the series.
type Passed struct {
	_      struct{} `cbor:",toarray"`
	Puzzle string   `json:"puzzle"`
	Seed   uint64   `json:"seed,string"` // the seed that made it; 0 when it is from a shelf
	Like   Like     `json:"like"`
}

// Like is a day whose puzzle has the same solution, exactly or up to symmetry.
type Like struct {
	_      struct{} `cbor:",toarray"`
	Date   string   `json:"date"`
	Puzzle string   `json:"puzzle"`
}

// Skipped is a seed that gave a duplicate.
type Skipped struct {
	_      struct{} `cbor:",toarray"`
	Seed   uint64   `json:"seed,string"`
	Puzzle string   `json:"puzzle"`
}

// Released returns the release instant in UTC.
func (p Published) Released() time.Time { return time.UnixMilli(p.Release).UTC() }

// Withdrawn records that the publication of the same series, date and revision is no longer in force.
type Withdrawn struct {
	Series   string `cbor:"1,keyasint" json:"series"`
	Date     string `cbor:"2,keyasint" json:"date"`
	Revision int    `cbor:"3,keyasint" json:"revision"`
	Puzzle   string `cbor:"4,keyasint" json:"puzzle"`
	Reason   string `cbor:"5,keyasint" json:"reason"`
	// Empty says that the date stays without a puzzle until somebody publishes exactly that date.
	Empty bool `cbor:"6,keyasint,omitempty" json:"empty,omitempty"`
}

// Dropped records that a puzzle, which no series has published, was taken off the shelves.
type Dropped struct {
	Puzzle   string `cbor:"1,keyasint" json:"puzzle"`
	Genre    string `cbor:"2,keyasint" json:"genre"`
	Variant  string `cbor:"3,keyasint" json:"variant"`
	Revision int    `cbor:"4,keyasint" json:"revision"` // 1 first; one more after each time it was restored
	Reason   string `cbor:"5,keyasint" json:"reason"`
}

// Restored records that the drop of the same puzzle and revision is no longer in force. The puzzle is on the shelves
// again.
type Restored struct {
	Puzzle   string `cbor:"1,keyasint" json:"puzzle"`
	Genre    string `cbor:"2,keyasint" json:"genre"`
	Variant  string `cbor:"3,keyasint" json:"variant"`
	Revision int    `cbor:"4,keyasint" json:"revision"` // of the drop
	Reason   string `cbor:"5,keyasint" json:"reason"`
}

// Calibrated records the measured bands of a rater version over a generator version.
type Calibrated struct {
	Genre        string `cbor:"1,keyasint" json:"genre"`
	Generator    int    `cbor:"2,keyasint" json:"generator"` // version
	Rater        string `cbor:"3,keyasint" json:"rater"`
	RaterVersion int    `cbor:"4,keyasint" json:"rater_version"`
	Seed         uint64 `cbor:"5,keyasint" json:"seed,string"`
	Bands        []Band `cbor:"6,keyasint" json:"bands"`
}

// Band is the range of scores that a label accepts: Low and High are the LowPercent-th and
// HighPercent-th percentile (nearest rank) of the scores of Sample candidates, both inclusive.
type Band struct {
	_           struct{} `cbor:",toarray"`
	Label       string   `json:"label"`
	Sample      int      `json:"sample"`
	LowPercent  int      `json:"low_percent"`
	HighPercent int      `json:"high_percent"`
	Low         int      `json:"low"`
	Median      int      `json:"median"`
	High        int      `json:"high"`
}

// Policy records the rule that gives each date of a series its label and its puzzle, from a date on.
type Policy struct {
	Series    string     `cbor:"1,keyasint" json:"series"`
	Revision  int        `cbor:"2,keyasint" json:"revision"`  // 1 first
	Effective string     `cbor:"3,keyasint" json:"effective"` // first date on which it is in force, YYYY-MM-DD
	Zone      string     `cbor:"4,keyasint" json:"zone"`      // IANA name
	Release   string     `cbor:"5,keyasint" json:"release"`   // HH:MM in the zone
	Days      [7]DayRule `cbor:"6,keyasint" json:"days"`      // Monday first
	Reason    string     `cbor:"7,keyasint,omitempty" json:"reason,omitempty"`
	// Names are the names of labels for readers, sorted by label. A label without a name is its own name.
	Names []LabelName `cbor:"8,keyasint,omitempty" json:"names,omitempty"`
	// Stuck lists the weekdays, 0 for Monday, ascending, that take their puzzles from the shelf of those which the
	// rater could not finish.
	Stuck []int `cbor:"9,keyasint,omitempty" json:"stuck,omitempty"`
}

// LabelName is the name of a label for readers, in any script.
type LabelName struct {
	_     struct{} `cbor:",toarray"`
	Label string   `json:"label"`
	Name  string   `json:"name"`
}

// DayRule says what a weekday is called and where its puzzle comes from.
type DayRule struct {
	_       struct{} `cbor:",toarray"`
	Label   string   `json:"label"`
	Source  string   `json:"source"` // "generator", or "shelf"
	Genre   string   `json:"genre"`
	Variant string   `json:"variant"`
	Level   string   `json:"level"` // the level requested from the generator, or of the shelf
}

// Filled records a block of candidates that was made for the shelves of a pool, and what became of them.
type Filled struct {
	Genre     string    `cbor:"1,keyasint" json:"genre"`
	Variant   string    `cbor:"2,keyasint" json:"variant"`
	Generator int       `cbor:"3,keyasint" json:"generator"`   // version
	Rater     string    `cbor:"4,keyasint" json:"rater"`       // whose levels fill the shelves
	Version   string    `cbor:"5,keyasint" json:"version"`     // of the rater
	Seed      uint64    `cbor:"6,keyasint" json:"seed,string"` // of the stream that the candidates' seeds come from
	First     uint64    `cbor:"7,keyasint" json:"first"`       // number of the first candidate; they count from 0 on within a generator version
	Last      uint64    `cbor:"8,keyasint" json:"last"`
	PerShelf  int       `cbor:"9,keyasint" json:"per_shelf"` // how many puzzles each shelf was to have
	Counts    []Fate    `cbor:"10,keyasint" json:"counts"`   // what became of the candidates, each combination once
	Kept      []Shelved `cbor:"11,keyasint" json:"kept"`     // the candidates that were kept, in sequence
}

// Fate counts candidates with the same cap, level and outcome.
type Fate struct {
	_       struct{} `cbor:",toarray"`
	Cap     string   `json:"cap"`     // the highest level that was allowed
	Earned  string   `json:"earned"`  // the level that the candidate earned; empty when it earned none
	Outcome string   `json:"outcome"` // "kept", or why it was dropped
	Count   int      `json:"count"`
}

// Shelved is a candidate that was kept, and its shelf.
type Shelved struct {
	_         struct{} `cbor:",toarray"`
	Candidate uint64   `json:"candidate"`
	Level     string   `json:"level"`
}

// Adopted records that the ratings of one rater version file the puzzles of a pool from now on.
type Adopted struct {
	Genre    string            `cbor:"1,keyasint" json:"genre"`
	Variant  string            `cbor:"2,keyasint" json:"variant"`
	Revision int               `cbor:"3,keyasint" json:"revision"` // 1 first
	Rater    string            `cbor:"4,keyasint" json:"rater"`
	Version  string            `cbor:"5,keyasint" json:"version"`
	Levels   []string          `cbor:"6,keyasint" json:"levels"` // the levels for which the pool has a shelf, lowest first
	Order    []logic.Technique `cbor:"7,keyasint" json:"order"`  // the sequence in which the rater tries its techniques; empty when it has none
	Reason   string            `cbor:"8,keyasint,omitempty" json:"reason,omitempty"`
}

// Profile records the data of a rater that works under other data than the built-in ones. Ratings under it name the
// profile by its digest: the first 12 hexadecimal digits of the SHA-256 of its text.
type Profile struct {
	Rater   string `cbor:"1,keyasint" json:"rater"`
	Version int    `cbor:"2,keyasint" json:"version"` // of the rater's code
	Text    string `cbor:"3,keyasint" json:"text"`    // TOML, in its canonical form
}

// Recovered records that the events from First to Last were at the end of the log when it was opened, without a
// signature: their append was interrupted between two steps. They had the mark of the registry, or were in a log from
// before marks existed. They were signed then.
type Recovered struct {
	First Seq `cbor:"1,keyasint" json:"first"`
	Last  Seq `cbor:"2,keyasint" json:"last"`
}

// Unknown is a body whose kind this program does not know, because a newer program wrote it. It can be verified and
// copied. A reader that has to understand it must stop with an error that names the kind.
type Unknown struct {
	Name string
	Data []byte // its CBOR
}

// Kind names each body's schema and version. A kind never changes its meaning. A body that says more than the first
// version can express is written under a newer version; every other body is still written under the first.
func (g Generated) Kind() string { return version("generated", g.Version != "") }
func (i Imported) Kind() string  { return version("imported", i.Reason != "") }
func (Provenance) Kind() string  { return "provenance/1" }
func (Rated) Kind() string       { return "rated/1" }
func (p Published) Kind() string {
	return version("published", len(p.Passed) > 0 || p.Like != nil || p.Chosen)
}
func (w Withdrawn) Kind() string { return version("withdrawn", w.Empty) }
func (Dropped) Kind() string     { return "dropped/1" }
func (Restored) Kind() string    { return "restored/1" }
func (Calibrated) Kind() string  { return "calibrated/1" }
func (p Policy) Kind() string    { return version("policy", len(p.Names) > 0 || len(p.Stuck) > 0) }
func (Filled) Kind() string      { return "filled/1" }
func (Adopted) Kind() string     { return "adopted/1" }
func (Profile) Kind() string     { return "profile/1" }
func (Recovered) Kind() string   { return "recovered/1" }

// version names the second version of a kind when a body needs it, and else the first.
func version(name string, second bool) string {
	if second {
		return name + "/2"
	}
	return name + "/1"
}

// Kind returns the unknown kind.
func (u Unknown) Kind() string { return u.Name }
