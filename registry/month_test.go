package registry_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/integrity"
	"assay/registry/schedule"
)

// raisedToy is the toy's engine at a version: from version 2 on its rater calls the puzzles of level easy whose number is
// a multiple of 3 hard, and its generator makes the puzzle of the next seed.
func raisedToy(version int) raters.Genre {
	g := toy()
	v := &g.Variants[0]
	v.Scales[0].Rater = monthRater{version: version}
	v.Generator = monthGenerator{v.Generator, monthRater{version: version}}
	return g
}

type monthGenerator struct {
	raters.Generator
	rater monthRater
}

func (g monthGenerator) Version() int { return g.rater.version }

func (g monthGenerator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	if g.rater.version > 1 {
		r.Seed++
	}
	made, err := g.Generator.Generate(ctx, r)
	if err != nil {
		return made, err
	}
	rating, err := g.rater.Rate(ctx, made.Puzzle)
	made.Level = rating.Level
	return made, err
}

type monthRater struct {
	toyRater
	version int
}

func (r monthRater) Version() string { return fmt.Sprint(r.version) }

func (r monthRater) Profile() raters.Profile {
	p := r.toyRater.Profile()
	p.Version = r.version
	return p
}

func (r monthRater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	if level, n, _ := toyParts(p.Text); r.version > 1 && level == 0 && n%3 == 0 {
		p.Text = toyText(2, n)
	}
	return r.toyRater.Rate(ctx, p)
}

// month is a month of an operator's life, and what a model says of its days.
type month struct {
	t        *testing.T
	r        *registry.Registry
	rater    string                // version that files the pool
	engine   int                   // version of the toy's engine
	policies []modelPolicy         // of the series, the first one first
	days     map[string]*modelDay  // by date
	adopted  map[string]events.Seq // rater version: the length of the log when it was adopted
	replayed map[string]events.Seq // rater version: the length of the log when the pool was replayed
}

type modelPolicy struct {
	effective string
	at        events.Seq                              // the length of the log when it was adopted
	label     func(weekday int) (label, level string) // level "" is a chain
}

type modelDay struct{ revisions []modelRevision }

type modelRevision struct {
	policy        int // from 1
	label         string
	id            string // "" for a chain, which no model knows
	rater, engine string // versions when it was published
	at            events.Seq
	withdrawn     bool
	seen          bool // by readers, and withdrawn
	empty         bool // to stay empty
}

func (d *modelDay) last() *modelRevision {
	if n := len(d.revisions); n > 0 {
		return &d.revisions[n-1]
	}
	return nil
}

func weekday(text string) int {
	d, err := schedule.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return int(d.Weekday()+6) % 7
}

// stock returns the unpublished puzzles of each level, oldest first, as the events tell.
func (m *month) stock() map[string][]string {
	var order []string
	forms, level, out := map[string]bool{}, map[string]string{}, map[string]bool{}
	for e, err := range m.r.Log.Read(m.t.Context(), 0) {
		if err != nil {
			m.t.Fatal(err)
		}
		appear := func(id, genre, text string) {
			if genre != toyGenre || slices.Contains(order, id) {
				return
			}
			l, n, _ := toyParts(text)
			if form := toyText(l, n&^1); forms[form] {
				out[id] = true
			} else {
				forms[form] = true
			}
			order = append(order, id)
		}
		switch b := e.Body.(type) {
		case events.Generated:
			appear(b.Puzzle, b.Genre, b.Text)
		case events.Imported:
			appear(b.Puzzle, b.Genre, b.Text)
		case events.Rated:
			if b.Version == m.rater {
				level[b.Puzzle] = b.Level
			}
		case events.Published:
			out[b.Puzzle] = true
		case events.Dropped:
			out[b.Puzzle] = true
		case events.Restored:
			delete(out, b.Puzzle)
		}
	}
	stock := map[string][]string{}
	for _, id := range order {
		if !out[id] {
			stock[level[id]] = append(stock[level[id]], id)
		}
	}
	return stock
}

func (m *month) clock(day int) { m.r.Now = at(fmt.Sprintf("2026-12-%02dT09:00:00Z", day)) }

func (m *month) today() string { return m.r.Now().Format("2006-01-02") }

// released reports whether a date is released: at six in the morning of its day, and the clock stands at nine.
func (m *month) released(date string) bool { return date <= m.today() }

func (m *month) policyOf(date string) int {
	for i := len(m.policies) - 1; i >= 0; i-- {
		if m.policies[i].effective <= date {
			return i + 1
		}
	}
	return 0
}

// put notes the publication that the model expects of a date, and returns the ID that it has from a shelf.
func (m *month) put(date string, policy int, stock map[string][]string) (filled bool) {
	label, level := m.policies[policy-1].label(weekday(date))
	rev := modelRevision{policy: policy, label: label, rater: m.rater, engine: fmt.Sprint(m.engine), at: events.Seq(length(m.t, m.r.Log))}
	if level != "" {
		if len(stock[level]) == 0 {
			return false
		}
		rev.id, stock[level] = stock[level][0], stock[level][1:]
	}
	m.days[date].revisions = append(m.days[date].revisions, rev)
	return true
}

func (m *month) day(date string) *modelDay {
	if m.days[date] == nil {
		m.days[date] = &modelDay{}
	}
	return m.days[date]
}

// publish publishes ahead, and wants what the model expects.
func (m *month) publish(ahead int) {
	m.t.Helper()
	stock := m.stock()
	first := date(m.t, m.policies[0].effective)
	for d := first; d.String() <= date(m.t, m.today()).AddDays(ahead).String(); d = d.AddDays(1) {
		day, policy := m.day(d.String()), m.policyOf(d.String())
		if last := day.last(); last != nil {
			if !last.withdrawn || last.empty || last.seen {
				continue
			}
			policy = last.policy
		}
		m.put(d.String(), policy, stock)
	}
	publishToys(m.t, m.r, ahead)
	m.check()
}

func (m *month) withdraw(day string, empty, released bool) {
	m.t.Helper()
	stock, last := m.stock(), m.day(day).last()
	last.withdrawn, last.empty, last.seen = true, empty, m.released(day)
	if !empty && (!last.seen || released) {
		m.put(day, last.policy, stock)
	}
	withdraw(m.t, m.r, registry.WithdrawRequest{Series: "toys", Date: date(m.t, day), Empty: empty, Released: released, Reason: "a test"})
	m.check()
}

// again publishes the days from one on again.
func (m *month) again(from string) {
	m.t.Helper()
	stock := m.stock()
	for _, d := range slices.Sorted(maps.Keys(m.days)) {
		last := m.days[d].last()
		if d < from || m.released(d) || last == nil || last.empty || last.policy == m.policyOf(d) {
			continue
		}
		was := *last
		last.withdrawn = true
		if !m.put(d, m.policyOf(d), stock) {
			*m.days[d].last() = was // it keeps what it has
		}
	}
	if _, err := m.r.PublishAgain(m.t.Context(), registry.AgainRequest{Series: "toys", From: date(m.t, from), Actor: "chief"}); err != nil {
		m.t.Fatal(err)
	}
	m.check()
}

// named publishes one date by name, a chosen puzzle if there is one.
func (m *month) named(day, id string, released bool) {
	m.t.Helper()
	d, policy := m.day(day), m.policyOf(day)
	if last := d.last(); last != nil {
		policy = last.policy
	}
	stock := m.stock()
	if id != "" {
		_, level := m.policies[policy-1].label(weekday(day))
		stock = map[string][]string{level: {id}}
	}
	m.put(day, policy, stock)
	req := registry.DateRequest{Series: "toys", Date: date(m.t, day), Puzzle: id, Released: released, Actor: "chief", Reason: "a test"}
	if _, added, err := m.r.PublishDate(m.t.Context(), req); err != nil || !added {
		m.t.Fatal(added, err)
	}
	m.check()
}

func (m *month) adopt(effective string, rules [7]string) {
	m.t.Helper()
	text := fmt.Sprintf("series = \"toys\"\neffective = %q\nzone = \"UTC\"\nrelease = \"06:00\"\n[days]\n", effective)
	for i, name := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		label, level, _ := strings.Cut(rules[i], " ")
		source := `source = "shelf", genre = "toy", variant = "flat", level = "` + level + `"`
		if level == "" {
			source = `source = "generator", genre = "chain", variant = "daily", level = "easy"`
		}
		text += fmt.Sprintf("%s = { label = %q, %s }\n", name, label, source)
	}
	p := adopt(m.t, m.r, []byte(text))
	var untouched []string
	for _, d := range slices.Sorted(maps.Keys(m.days)) {
		if last := m.days[d].last(); d >= effective && last != nil && !last.withdrawn {
			untouched = append(untouched, d)
		}
	}
	if diff := gocmp.Diff(untouched, p.Untouched); diff != "" {
		m.t.Errorf("policy %d leaves alone: %s", p.Revision, diff)
	}
	m.policies = append(m.policies, modelPolicy{effective, events.Seq(length(m.t, m.r.Log)), func(weekday int) (string, string) {
		label, level, _ := strings.Cut(rules[weekday], " ")
		return label, level
	}})
	m.check()
}

// raise goes on with the next version of the toy's engine: it fills, rates all again, and files by it.
func (m *month) raise() {
	m.t.Helper()
	m.engine++
	m.r.Genres[len(m.r.Genres)-1] = raisedToy(m.engine)
	choice := engine.RaterChoice{Name: "toy.levels"}
	replay(m.t, m.r, registry.ReplayRequest{Selection: registry.Selection{Pool: toyPool, All: true}, Rater: choice})
	m.replayed[fmt.Sprint(m.engine)] = events.Seq(length(m.t, m.r.Log))
	if _, err := m.r.AdoptRater(m.t.Context(), registry.AdoptRequest{Pool: toyPool, Rater: choice, Actor: "chief", Reason: "raised"}); err != nil {
		m.t.Fatal(err)
	}
	m.rater = fmt.Sprint(m.engine)
	m.adopted[m.rater] = events.Seq(length(m.t, m.r.Log))
	m.check()
}

// modelAudit is what a model says of the audit of a day.
type modelAudit struct {
	Label, ID, Rating string
	Policy, Revisions int
	Seen              []string
	Changed, Empty    bool
	Later             []string
}

func (m *month) want(day string) (a modelAudit) {
	d := m.days[day]
	last := d.last()
	a = modelAudit{Label: last.label, ID: last.id, Policy: last.policy, Revisions: len(d.revisions), Empty: last.withdrawn}
	for _, rev := range d.revisions {
		a.Changed = a.Changed || rev.label != d.revisions[0].label
		if rev.seen {
			a.Seen = append(a.Seen, rev.id)
		}
	}
	if last.id != "" {
		a.Rating = last.rater
		for version, at := range m.adopted {
			if at > last.at {
				a.Later = append(a.Later, "adopted")
			}
			if m.replayed[version] > last.at {
				a.Later = append(a.Later, "rated")
			}
		}
	}
	for i, p := range m.policies {
		if i+1 > last.policy && p.effective <= day && p.at > last.at {
			a.Later = append(a.Later, "policy")
		}
	}
	if last.withdrawn {
		a.Later = append(a.Later, "withdrawn")
	}
	slices.Sort(a.Later)
	return a
}

func (m *month) got(r *registry.Registry, day string) (a modelAudit) {
	v, err := r.AuditDay(m.t.Context(), "toys", date(m.t, day))
	if err != nil {
		m.t.Fatal(err)
	}
	a = modelAudit{Label: v.Label, Policy: v.Policy.Revision, Revisions: len(v.Revisions), Changed: v.LabelChanged, Empty: v.Empty != ""}
	if v.Puzzle.Genre == toyGenre {
		a.ID, a.Rating = v.Puzzle.ID, string(v.Rating.Version)
	}
	for _, s := range v.Seen {
		id := s.ID
		if strings.HasPrefix(id, "chain-") {
			id = ""
		}
		a.Seen = append(a.Seen, id)
	}
	for _, l := range v.Later {
		a.Later = append(a.Later, l.What)
	}
	slices.Sort(a.Later)
	return a
}

// check audits every day of the month.
func (m *month) check() {
	m.t.Helper()
	m.checkOn(m.r)
}

func (m *month) checkOn(r *registry.Registry) {
	m.t.Helper()
	for _, day := range slices.Sorted(maps.Keys(m.days)) {
		if m.days[day].last() == nil {
			continue
		}
		if diff := gocmp.Diff(m.want(day), m.got(r, day)); diff != "" {
			m.t.Errorf("%s, seen from %s: %s", day, m.today(), diff)
		}
	}
}

func TestAMonthOfAnOperator(t *testing.T) {
	r := vouched(t)
	m := &month{t: t, r: r, rater: "1", engine: 1, days: map[string]*modelDay{}, adopted: map[string]events.Seq{}, replayed: map[string]events.Seq{}}
	r.Genres[len(r.Genres)-1] = raisedToy(1)
	m.clock(1)
	m.adopt("2026-12-01", [7]string{"soft easy", "soft easy", "soft easy", "tough hard", "tough hard", "chain ", "chain "})
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{toyPuzzle(toyText(0, 700)), toyPuzzle(toyText(0, 701)), toyPuzzle(toyText(2, 702))}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	fillToy(t, r, 11, 3)
	m.publish(9)
	m.clock(3)
	m.withdraw("2026-12-07", false, false) // not released: replaced
	m.withdraw("2026-12-02", false, false) // released: taken down
	m.publish(9)
	m.named("2026-12-02", "", true) // and replaced when asked for
	m.withdraw("2026-12-08", true, false)
	m.clock(5)
	dropped := m.stock()["easy"][0]
	if _, err := r.DropPuzzle(t.Context(), dropped, "chief", "printed in a book"); err != nil {
		t.Fatal(err)
	}
	m.named("2026-12-18", m.stock()["hard"][3], false)
	m.publish(9)
	m.clock(7)
	m.adopt("2026-12-10", [7]string{"soft easy", "soft easy", "chain ", "chain ", "tough hard", "tough hard", "soft easy"})
	m.withdraw("2026-12-11", false, false) // under the policy that it had
	m.again("2026-12-10")
	m.clock(9)
	fillToy(t, r, 12, 3)
	m.raise()
	fillToy(t, r, 14, 4)
	m.publish(12)
	m.withdraw("2026-12-12", false, false)
	if _, err := r.RestorePuzzle(t.Context(), dropped, "chief", "it was another one"); err != nil {
		t.Fatal(err)
	}
	m.clock(12)
	m.withdraw("2026-12-12", false, true) // released: another at once
	m.publish(19)
	m.named("2026-12-08", "", true)
	m.clock(20)
	m.publish(11)
	if got := problems(t, r, true); len(got) != 0 {
		t.Error(got)
	}
	var backup bytes.Buffer
	if _, err := r.Holdings().Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	_, records, err := integrity.OpenBackup(&backup)
	if err != nil {
		t.Fatal(err)
	}
	log := logtest.NewMemory()
	if _, err := integrity.Copy(t.Context(), records, log); err != nil {
		t.Fatal(err)
	}
	restored := openToy(t, log)
	restored.Genres, restored.Now = r.Genres, r.Now
	m.checkOn(restored)
	checkCauses(t, log)
}

// checkCauses checks that each event names the one that led to it: a rating the first event of its puzzle, a publication its
// rating, a withdrawal its publication, and what puts a puzzle back on the shelves what took it off.
func checkCauses(t *testing.T, log events.Log) {
	t.Helper()
	ids, first := map[events.Key]ulid.ULID{}, map[string]ulid.ULID{}
	seen := map[string]int{}
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		ids[e.Key] = e.ID
		var want ulid.ULID
		switch b := e.Body.(type) {
		case events.Generated:
			first[b.Puzzle] = cmp.Or(first[b.Puzzle], e.ID)
		case events.Imported:
			first[b.Puzzle] = cmp.Or(first[b.Puzzle], e.ID)
		case events.Rated:
			want = first[b.Puzzle]
		case events.Published:
			want = ids[b.Rating]
		case events.Withdrawn:
			want = ids[events.PublishedKey(b.Series, b.Date, b.Revision)]
		case events.Restored:
			want = ids[events.DroppedKey(b.Puzzle, b.Revision)]
		}
		if want != (ulid.ULID{}) {
			seen[e.Body.Kind()]++
		}
		if e.Cause != want {
			t.Errorf("event %d, %s, has the cause %s, not %s", e.Seq, e.Key, e.Cause, want)
		}
	}
	for _, kind := range []string{"rated/1", "published/1", "withdrawn/1"} {
		if seen[kind] == 0 {
			t.Errorf("no event of kind %s has a cause", kind)
		}
	}
}
