package stream

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// damage is why a line of an agent could not be read.
type damage struct {
	why   string
	first int // the line where it was seen first
	lines int
	told  bool
}

// warnDamaged names an agent's line that was skipped because it is not JSON, since what it said is lost. Other lines that are
// not JSON are what programs print in between.
//
// The first line of each kind is reported when it is seen, the others are counted.
func (r *Reader) warnDamaged(line []byte) {
	at := objectIn(line)
	if at < 0 || !r.writes(line[at:]) {
		return
	}
	why := r.damageOf(line, at)
	if why == "" {
		return
	}
	i := slices.IndexFunc(r.damages, func(d damage) bool { return d.why == why })
	if i < 0 {
		i = len(r.damages)
		r.damages = append(r.damages, damage{why: why, first: r.sum.Lines})
	}
	d := &r.damages[i]
	d.lines++
	// Before the first line that can be read, it is unknown whether the input is an agent's at all.
	if r.now != nil && !d.told {
		d.told = true
		r.now.stream().Warn("line %d %s", d.first, why)
	}
}

// writes reports whether an object that is perhaps cut is of a type that the present agent writes; before the first session,
// that any agent writes.
func (r *Reader) writes(object []byte) bool {
	cut, _ := new(indexer).index(object)
	typ := cut.Word("type")
	if len(typ) == 0 {
		return false
	}
	if r.now != nil {
		return r.now.agent().knows(typ)
	}
	return slices.ContainsFunc(r.adapters, func(a Adapter) bool { return r.allowed(a.Format) && a.knows(typ) })
}

// damageOf describes what is wrong with a line that has an object at an index; nothing if that was reported before.
func (r *Reader) damageOf(line []byte, at int) string {
	k := walker{b: line, i: at}
	k.skip()
	switch {
	case k.bad && !r.opt.Lenient:
		return "is cut: what it said is lost, unless the next lines have the rest, and --lenient joins them"
	case k.bad:
		return ""
	case !r.opt.Lenient && (at > 0 || len(line) > k.i):
		return "has something next to its object: what it said is lost; --lenient reads it"
	case !utf8.Valid(line):
		return "is not valid UTF-8: what it said is lost"
	}
	return "is not valid JSON: what it said is lost"
}

// cutOff warns if the agent's last line is incomplete, as it is after the agent's process was killed.
func (r *Reader) cutOff(line []byte) bool {
	if r.now == nil || len(line) == 0 || line[0] != '{' || bytes.HasSuffix(r.lines.line, []byte("\n")) || !r.writes(line) {
		return false
	}
	r.now.stream().Warn("the last line is cut: what it said is lost")
	return true
}

// tellDamages reports at the end of the input what damaged has only counted.
func (r *Reader) tellDamages() {
	if r.now == nil {
		return
	}
	for _, d := range r.damages {
		switch s := r.now.stream(); {
		case d.lines > 1:
			s.Warn("each of %d lines, the first of which is line %d, %s", d.lines, d.first, d.why)
		case !d.told:
			s.Warn("line %d %s", d.first, d.why)
		}
	}
}
