package events

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Key is the write-once name of a fact: two to nine segments of [A-Za-z0-9_=+.-],
// joined by "/", at most MaxKey bytes. The first segment is the kind of the fact.
//
// A key is the whole concurrency control of the log: the first event under a key stands for ever. The same fact again
// is skipped; another fact under the key is a *ConflictError.
type Key string

// MaxKey is the longest key in bytes.
const MaxKey = 255

// GeneratedKey names the puzzle that a generator version makes of a seed for a target: a level, "any", or
// "cap-<level>". The rater is the one whose level was requested. Its version is "" when it is the built-in one.
func GeneratedKey(genre, variant, rater, version, target string, generator int, seed uint64) Key {
	if version != "" {
		rater += "/v" + version
	}
	return join("generated", genre, variant, rater, target, "g"+strconv.Itoa(generator), strconv.FormatUint(seed, 10))
}

// Generation is what the key of a Generated says about it.
type Generation struct {
	Target string // the level that was requested, "any", or "cap-<level>"
	Origin
}

// Generated reads the key of a Generated; ok is false when the key is of another kind.
func (k Key) Generated() (g Generation, ok bool) {
	s := k.Segments()
	under := ""
	if len(s) == 8 && strings.HasPrefix(s[4], "v") {
		under, s = s[4][1:], slices.Delete(s, 4, 5)
	}
	if len(s) != 7 || s[0] != "generated" || !strings.HasPrefix(s[5], "g") {
		return g, false
	}
	version, err := strconv.Atoi(s[5][1:])
	seed, err2 := strconv.ParseUint(s[6], 10, 64)
	g = Generation{Target: s[4], Origin: Origin{Version: version, Seed: seed}}
	return g, err == nil && err2 == nil && k == GeneratedKey(s[1], s[2], s[3], under, s[4], version, seed)
}

// ImportedKey names the first import of a puzzle.
func ImportedKey(puzzle string) Key { return join("imported", puzzle) }

// ProvenanceKey names what came along with a puzzle, by the digest of its words.
func ProvenanceKey(puzzle, digest string) Key { return join("provenance", puzzle, digest) }

// RatedKey names the one verdict of a rater version on a puzzle. Version is the text after "v":
// "1", or "1+3fa9c0de1b22" for a rater under a profile that is not the built-in one.
func RatedKey(puzzle, rater, version string) Key {
	return join("rated", puzzle, rater, "v"+version)
}

// Rated reads the rater and its version from the key of a Rated; ok is false when the key is of another kind.
func (k Key) Rated() (rater, version string, ok bool) {
	s := k.Segments()
	if len(s) != 4 || s[0] != "rated" || !strings.HasPrefix(s[3], "v") {
		return "", "", false
	}
	return s[2], s[3][1:], true
}

// PublishedKey names the publication of a series' date; revision 0 is the first.
func PublishedKey(series, date string, revision int) Key {
	return join("published", series, date, strconv.Itoa(revision))
}

// WithdrawnKey names the withdrawal of the publication with the same three parts.
func WithdrawnKey(series, date string, revision int) Key {
	return join("withdrawn", series, date, strconv.Itoa(revision))
}

// DroppedKey names the revision-th drop of a puzzle; the first is 1.
func DroppedKey(puzzle string, revision int) Key {
	return join("dropped", puzzle, strconv.Itoa(revision))
}

// RestoredKey names the end of the drop with the same two parts.
func RestoredKey(puzzle string, revision int) Key {
	return join("restored", puzzle, strconv.Itoa(revision))
}

// CalibratedKey names the bands of a rater version over a generator version.
func CalibratedKey(genre string, generator int, rater, version string) Key {
	return join("calibrated", genre, "g"+strconv.Itoa(generator), rater, "v"+version)
}

// PolicyKey names a revision of a series' policy; revision 1 is the first.
func PolicyKey(series string, revision int) Key {
	return join("policy", series, strconv.Itoa(revision))
}

// FilledKey names the block of candidates, first to last, that a generator version made for a pool.
func FilledKey(genre, variant string, generator int, first, last uint64) Key {
	block := strconv.FormatUint(first, 10) + "-" + strconv.FormatUint(last, 10)
	return join("filled", genre, variant, "g"+strconv.Itoa(generator), block)
}

// AdoptedKey names a revision of the choice of the rater that files a pool; revision 1 is the first.
func AdoptedKey(genre, variant string, revision int) Key {
	return join("adopted", genre, variant, strconv.Itoa(revision))
}

// ProfileKey names the data of a rater by their digest.
func ProfileKey(digest string) Key { return join("profile", digest) }

// RecoveredKey names the finding that the events from first to last had not been signed.
func RecoveredKey(first, last Seq) Key {
	return join("recovered", strconv.FormatUint(uint64(first), 10)+"-"+strconv.FormatUint(uint64(last), 10))
}

func join(segments ...string) Key { return Key(strings.Join(segments, "/")) }

// Segments returns the parts between the slashes.
func (k Key) Segments() []string { return strings.Split(string(k), "/") }

// Check returns an error that says what is wrong with the key's form, or nil.
func (k Key) Check() error {
	if len(k) > MaxKey {
		return fmt.Errorf("key of %d bytes is longer than %d", len(k), MaxKey)
	}
	segments := k.Segments()
	if len(segments) < 2 || len(segments) > 9 {
		return fmt.Errorf("key %q has %d segments, not 2 to 9", string(k), len(segments))
	}
	for _, s := range segments {
		if s == "" {
			return fmt.Errorf("key %q has an empty segment", string(k))
		}
		for i := range len(s) {
			if !keyByte(s[i]) {
				return fmt.Errorf("key %q has %q, which is not one of A-Z a-z 0-9 _ = + . -", string(k), s[i])
			}
		}
	}
	return nil
}

func keyByte(b byte) bool {
	switch {
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9':
		return true
	}
	return strings.IndexByte("_=+.-", b) >= 0
}
