package deduce

import (
	"maps"
	"slices"

	"assay/raters/logic"
)

// span is a part of a list.
type span struct{ from, to uint32 }

func part[T any](list []T, s span) []T { return list[s.from:s.to:s.to] }

// entry is a step in recorded form.
type entry struct {
	rule     uint16 // in Engine.rules
	instance uint16 // of a supposition the literal
	inner    uint16 // entries after it that belong to it: steps of a supposition, and the break
	removed  span
	placed   span
	because  span
	detail   span
}

// recording has the steps of a solve.
type recording struct {
	entries  []entry
	literals []logic.Literal
	details  []uint16
	given    []logic.Literal // written at the start, where values are not written at once
	top      int             // entry of the last step, or of the supposition that is followed
}

func (r *recording) reset(atOnce bool, s Start, p *Position) {
	r.entries, r.literals, r.details, r.given = r.entries[:0], r.literals[:0], r.details[:0], r.given[:0]
	if !atOnce {
		for _, v := range s.Written {
			r.given = append(r.given, logic.Lit(v, p.Value(v)))
		}
	}
}

func (r *recording) add(rule, instance int) *entry {
	r.entries = append(r.entries, entry{rule: uint16(rule), instance: uint16(instance)})
	return &r.entries[len(r.entries)-1]
}

// claim returns what an entry claims.
func (r *recording) claim(x *entry) Claim {
	return Claim{int(x.instance), part(r.details, x.detail), part(r.literals, x.removed), part(r.literals, x.placed)}
}

// mark is a position in the record.
type mark struct{ entries, literals, details int }

func (r *recording) mark() mark { return mark{len(r.entries), len(r.literals), len(r.details)} }

// cut drops what was recorded since the mark.
func (r *recording) cut(m mark) {
	r.entries, r.literals, r.details = r.entries[:m.entries], r.literals[:m.literals], r.details[:m.details]
}

// end returns the index of the next literal.
func (r *recording) end() uint32 { return uint32(len(r.literals)) }

func (r *recording) keep(list []logic.Literal) span {
	from := r.end()
	r.literals = append(r.literals, list...)
	return span{from, r.end()}
}

func (r *recording) keepDetail(list []uint16) span {
	from := len(r.details)
	r.details = append(r.details, list...)
	return span{uint32(from), uint32(len(r.details))}
}

// keepReasons stores the literals of reasons, ascending.
func (r *recording) keepReasons(list []reason) span {
	from := r.end()
	for _, x := range list {
		r.literals = append(r.literals, x.literal)
	}
	slices.Sort(r.literals[from:])
	return span{from, r.end()}
}

// solve is a copy of a solve's record, independent of the engine. It implements raters.Solve.
type solve struct {
	spec   *Spec
	rules  []*Rule
	levels []string // technique: its level
	recording
}

// record copies the recording.
func (e *Engine) record(o *Order) *solve {
	s := &solve{spec: e.spec, rules: e.rules, levels: o.levelOf}
	s.entries = slices.Clone(e.rec.entries)
	literals, details := 0, 0
	for _, x := range s.entries {
		literals += x.removed.len() + x.placed.len() + x.because.len()
		details += x.detail.len()
	}
	s.literals, s.details = make([]logic.Literal, 0, literals), make([]uint16, 0, details)
	for i := range s.entries {
		x := &s.entries[i]
		x.removed = s.keep(part(e.rec.literals, x.removed))
		x.placed = s.keep(part(e.rec.literals, x.placed))
		x.because = s.keep(part(e.rec.literals, x.because))
		x.detail = s.keepDetail(part(e.rec.details, x.detail))
	}
	s.given = slices.Clone(e.rec.given)
	return s
}

func (s span) len() int { return int(s.to - s.from) }

// Steps returns the steps as values.
func (s *solve) Steps() []logic.Step {
	w := writer{solve: s, by: make([]uint16, s.spec.Variables<<4), wrote: map[logic.Literal]uint16{}}
	var steps []logic.Step
	for i := 0; i < len(s.entries); i += 1 + int(s.entries[i].inner) {
		number := uint16(len(steps) + 1)
		step := w.step(i, s.where(i))
		if s.entries[i].inner > 0 {
			step.Chain = w.chain(i, number)
		}
		w.establish(i, number)
		steps = append(steps, step)
	}
	return steps
}

// Contradicts is as in raters.Solve. The conclusion of a chain counts.
func (s *solve) Contradicts(solution []uint8) bool {
	for i := 0; i < len(s.entries); i += 1 + int(s.entries[i].inner) {
		for _, l := range part(s.literals, s.entries[i].removed) {
			if l.IsSo(solution) {
				return true
			}
		}
		for _, l := range part(s.literals, s.entries[i].placed) {
			if !l.IsSo(solution) {
				return true
			}
		}
	}
	return false
}

// where names the instance of an entry. For a supposition it says what breaks.
func (s *solve) where(i int) string {
	x := &s.entries[i]
	if x.inner == 0 {
		return s.rules[x.rule].Where(int(x.instance), part(s.details, x.detail))
	}
	broken := i + int(x.inner)
	return "supposing " + s.spec.Naming.Text(logic.Literal(x.instance)) + " breaks " + s.where(broken)
}

// level returns the level of an entry's technique, "" for bookkeeping and breaks.
func (s *solve) level(x *entry) string {
	if t := int(x.rule) - len(s.spec.Bookkeeping); t >= 0 && t < len(s.levels) {
		return s.levels[t]
	}
	return ""
}

// writer turns entries into steps.
type writer struct {
	*solve
	by    []uint16                 // literal: the step that removed it, 0 for the start
	wrote map[logic.Literal]uint16 // the step that wrote it, where values are not written at once
}

func (w *writer) step(i int, where string) logic.Step {
	x := &w.entries[i]
	list := func(s span) []logic.Literal { return slices.Clone(part(w.literals, s)) }
	step := logic.Step{
		Technique: w.rules[x.rule].Name, Level: w.level(x), Instance: where,
		Placed: list(x.placed), Removed: list(x.removed), Because: list(x.because),
	}
	for _, l := range step.Because {
		n, written := w.wrote[l]
		if !written {
			n = w.by[l]
		}
		if n > 0 {
			step.From = append(step.From, n)
		}
	}
	slices.Sort(step.From)
	step.From = slices.Compact(step.From)
	return step
}

// establish notes what an entry removes and writes.
func (w *writer) establish(i int, number uint16) {
	x := &w.entries[i]
	for _, l := range part(w.literals, x.removed) {
		w.by[l] = number
	}
	if w.spec.AtOnce {
		return
	}
	for _, l := range part(w.literals, x.placed) {
		w.wrote[l] = number
	}
}

// chain returns the steps of a supposition. The assumption has the number of the supposition, and the steps have the
// numbers after it. The numbers are used again afterwards.
func (w *writer) chain(i int, number uint16) []logic.Step {
	x := &w.entries[i]
	inside := writer{solve: w.solve, by: slices.Clone(w.by), wrote: maps.Clone(w.wrote)}
	inside.assume(logic.Literal(x.instance), number)
	var steps []logic.Step
	for k := 1; k <= int(x.inner); k++ {
		steps = append(steps, inside.step(i+k, w.where(i+k)))
		inside.establish(i+k, number+uint16(k))
	}
	return steps
}

func (w *writer) assume(l logic.Literal, number uint16) {
	for value := range w.spec.Values {
		if other := logic.Lit(l.Variable(), value); other != l {
			w.by[other] = number
		}
	}
	if !w.spec.AtOnce {
		w.wrote[l] = number
	}
}
