package install

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"onward/internal/object"
)

// maxSettings is how large a settings file may be, and maxNesting how deep.
// The parsers recurse, and what a stack cannot hold would end the program.
const (
	maxSettings = 4 << 20
	maxNesting  = 512
)

const bom = "\uFEFF"

// settings is an agent's settings file with hooks in it, and what --allow writes beside them.
type settings struct {
	o       Options
	agent   string
	reads   dialect
	toml    bool     // TOML, not JSON
	version string   // the member with the version, which is 1; a new file begins with it
	events  []string // those that onward needs; the first one starts a conversation
	form    []member // of a hook
	grouped bool     // a list holds groups with a matcher and hooks, not hooks
	limit   limit
	limits  map[string]string // of events that have another one than the usual
	stop    string            // the event at which the gate runs; empty where the agent has no time limit for it
	grants  []grant
	off     []grant // settings that prevent the hooks from running; need reports them
	servers servers // as they are registered in this file; none has no list
}

// limit is how long an agent waits for a hook, in its own unit.
type limit struct {
	usual string
	stop  string // at the end of a turn, where a gate may run
	unit  string // as onward writes it
}

// document is a settings file that was read. What changes it returns the new text.
type document interface {
	hooks() []entry // in the order of the file
	addHook(event string, members []member, grouped bool) ([]byte, error)
	grant(g grant) (remove func() []byte, foreign bool)
	putGrant(g grant) ([]byte, error)
	server(list string) (e entry, there bool)
	empty(but string) bool
	empties() empties
	keep(empties)
}

// entry is one hook in a settings file, or one server, ours or anybody's.
type entry struct {
	event  string // of a hook
	fields map[string]field
	remove func() []byte
}

// field is a plain member of an entry that is there.
type field struct {
	text    string
	replace func(by member) []byte
}

// member is a plain member of a hook that is to be there.
type member struct {
	name string
	kind kind
	text string
}

// kind is what the text of a member is filled with.
type kind int

const (
	asIs         kind = iota // it is the same in every hook
	asShell                  // the command line
	asPowerShell             // the command line for PowerShell
	asEvent                  // the name of the event
	asLimit                  // the time limit, a number
)

// grant is a setting beside the hooks that `hooks install --allow` writes, and uninstall removes:
// the permission to run onward, or the switch of the agent's own todo tool.
type grant struct {
	path    []string // of the member, from the top
	element string   // of the array there; empty sets the member itself
	value   string   // of the member, as compact JSON
	always  bool     // it is written and removed with the hooks, without --allow
	needed  bool     // no hook runs without it, so it is written with them, without --allow
	need    string   // what the user has to do where it is not set; empty where it need not be
	server  bool     // it is for the server's tools, so only where that is registered
	instead string   // a variable of the environment that does as well
	runs    bool     // it lets the model run a command
	former  bool     // earlier versions wrote it; need reports it where it is set
}

// name identifies a grant in a receipt.
func (g grant) name() string { return strings.TrimSuffix(strings.Join(g.path, "/")+"/"+g.element, "/") }

// read parses a file. A byte order mark is no part of it.
func (s *settings) read(data []byte) (document, error) {
	data = bytes.TrimPrefix(data, []byte(bom))
	switch {
	case len(data) > maxSettings:
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrParse, maxSettings)
	case object.Depth(data) > maxNesting:
		return nil, fmt.Errorf("%w: it nests deeper than %d", ErrParse, maxNesting)
	case s.toml:
		return parseTOML(data)
	}
	return parseJSON(data)
}

// edit makes one change after the other, each of which returns the new text; nil is no change.
// The file is parsed again for each, so that its offsets are right.
func (s *settings) edit(old []byte, changes ...func(document) ([]byte, error)) ([]byte, error) {
	data, mark := bytes.CutPrefix(old, []byte(bom))
	for _, change := range changes {
		for {
			d, err := s.read(data)
			if err != nil {
				return nil, err
			}
			changed, err := change(d)
			if err != nil {
				return nil, err
			}
			if changed == nil || bytes.Equal(changed, data) {
				break
			}
			data = changed
		}
	}
	if mark {
		data = append([]byte(bom), data...)
	}
	return data, nil
}

// put returns the file with our hooks in it. A hook of ours that is there already
// keeps what its owner has changed about it; only the command and an old limit of ours are set right.
func (s *settings) put(old []byte, granted []string) ([]byte, error) {
	former := func(d document) func() []byte { return s.former(d, granted) }
	putGrants := func(d document) ([]byte, error) { return s.putGrants(d, former(d) != nil) }
	removeFormer := func(d document) ([]byte, error) {
		if remove := former(d); remove != nil {
			return remove(), nil
		}
		return nil, nil
	}
	now, err := s.edit(old, s.begin, s.correct, s.complete, putGrants, removeFormer, s.putServer)
	if err == nil && !s.toml {
		err = s.reads.refuse(old)
	}
	return now, err
}

// begin writes the version into a new file.
func (s *settings) begin(d document) ([]byte, error) {
	if s.version == "" || !d.empty("") {
		return nil, nil
	}
	return d.putGrant(grant{path: []string{s.version}, value: "1"})
}

// correct sets the first of our hooks right that is not.
func (s *settings) correct(d document) ([]byte, error) {
	seen := map[string]bool{}
	for _, h := range s.ours(d) {
		if seen[h.event] || !slices.Contains(s.events, h.event) {
			return h.remove(), nil
		}
		seen[h.event] = true
		for _, want := range h.want {
			is, there := h.fields[want.name]
			ours := want.kind == asShell || want.kind == asPowerShell || want.kind == asLimit && is.text == s.limit.usual
			if there && ours && is.text != want.text {
				return is.replace(want), nil
			}
		}
	}
	return nil, nil
}

// complete adds the first hook that is missing.
func (s *settings) complete(d document) ([]byte, error) {
	ours := s.ours(d)
	for _, event := range s.events {
		if !slices.ContainsFunc(ours, func(h ownHook) bool { return h.event == event }) {
			return d.addHook(event, s.fill(entry{event: event}), s.grouped)
		}
	}
	return nil, nil
}

// kept returns the time limit that a hook's owner has given it; empty where it is the usual one.
func (s *settings) kept(h entry) string {
	for _, m := range s.form {
		if is := h.fields[m.name].text; m.kind == asLimit && is != s.limit.usual && strings.Trim(is, "0123456789") == "" {
			return is
		}
	}
	return ""
}

// fill returns what a hook of ours is to be, with the time limit that its owner has given it.
func (s *settings) fill(h entry) []member {
	kept := s.kept(h)
	limit, wait := cmp.Or(kept, s.limits[h.event], s.limit.usual), ""
	if h.event == s.stop {
		limit = cmp.Or(kept, s.limit.stop)
		wait = limit + s.limit.unit
	}
	sh, powershell := s.o.command(s.agent, slices.Index(s.events, h.event) == 0, wait)
	out := slices.Clone(s.form)
	for i := range out {
		switch m := &out[i]; m.kind {
		case asShell:
			m.text = sh
		case asPowerShell:
			m.text = powershell
		case asEvent:
			m.text = h.event
		case asLimit:
			m.text = limit
		}
	}
	return out
}

// ownHook is a hook of ours.
type ownHook struct {
	entry
	want    []member // as this version writes it
	program string   // that it runs
	fresh   bool     // this version would write it like that, whatever the program
}

func (s *settings) ours(d document) (all []ownHook) {
	for _, e := range d.hooks() {
		h := ownHook{entry: e, want: s.fill(e), fresh: slices.Contains(s.events, e.event)}
		for _, want := range h.want {
			is := h.fields[want.name].text
			switch want.kind {
			case asShell, asPowerShell:
				if named, ok := programOf(is, s.agent); ok && h.program == "" {
					h.program = named
					h.fresh = h.fresh && sameEnding(is, want.text, s.agent)
				}
			case asLimit:
				h.fresh = h.fresh && (is != s.limit.usual || is == want.text)
			}
		}
		if h.program != "" {
			all = append(all, h)
		}
	}
	return all
}

// putGrants writes the first grant that is missing. A member with another value keeps it.
// Renew writes the permissions to run commands in any case.
func (s *settings) putGrants(d document, renew bool) ([]byte, error) {
	for _, g := range s.grants {
		wanted := !g.former && (s.o.Allow && s.wants(g) || renew && g.runs || g.always || g.needed)
		if remove, foreign := d.grant(g); wanted && remove == nil && !foreign {
			return d.putGrant(g)
		}
	}
	return nil, nil
}

// former returns what removes the first grant that an earlier version wrote, and this one does not; nil if there is none.
func (s *settings) former(d document, granted []string) func() []byte {
	for _, g := range s.grants {
		if remove, _ := d.grant(g); g.former && remove != nil && slices.Contains(granted, g.name()) {
			return remove
		}
	}
	return nil
}

// wants reports whether a grant is for what is installed.
func (s *settings) wants(g grant) bool { return !g.server || s.o.MCP }

// empties are the objects, lists and tables of a file that have nothing in them, by their paths, with their text inside.
type empties map[string]string

// at returns the key of a path.
func (empties) at(path []string) string { return strings.Join(path, "\x00") }

// cut returns the file without our hooks, the lists that are empty then and were not before, and the grants that an
// install added; nil where nothing else is in it, and there was no file before.
func (s *settings) cut(old []byte, granted []string, before []byte) ([]byte, error) {
	var kept empties
	if d, err := s.read(before); err == nil && before != nil {
		kept = d.empties()
	}
	nothing := false
	data, err := s.edit(old, func(d document) ([]byte, error) {
		d.keep(kept)
		nothing = d.empty(s.version)
		if ours := s.ours(d); len(ours) > 0 {
			return ours[0].remove(), nil
		}
		for _, g := range s.grants {
			if remove, _ := d.grant(g); remove != nil && (g.always || slices.Contains(granted, g.name())) {
				return remove(), nil
			}
		}
		if is, there := s.serverHere(d); there {
			return is.remove(), nil
		}
		return nil, nil
	})
	if err != nil || nothing && before == nil && !bytes.Equal(data, old) {
		return nil, err
	}
	return withoutLastBreak(data, before), nil
}

// withoutLastBreak removes the line break at the end of a file if an install added it: the last line is that of before,
// and there it had none.
func withoutLastBreak(data, before []byte) []byte {
	last := before[bytes.LastIndexByte(before, '\n')+1:]
	cut := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	if len(last) > 0 && len(cut) < len(data) && bytes.Equal(cut[bytes.LastIndexByte(cut, '\n')+1:], last) {
		return cut
	}
	return data
}

// inspect finds what of ours is in a file.
func (s *settings) inspect(data []byte) (p presence, err error) {
	d, err := s.read(data)
	if err != nil {
		return p, err
	}
	fresh := map[string]bool{}
	for _, h := range s.ours(d) {
		p.programs = append(p.programs, h.program)
		fresh[h.event] = fresh[h.event] || h.fresh
	}
	for _, g := range s.grants {
		switch remove, _ := d.grant(g); {
		case remove != nil:
			p.granted = append(p.granted, g.name())
			p.some = p.some || g.always
			if g.former {
				p.needs = append(p.needs, g.need)
			}
		case g.former:
		case g.instead != "" && s.o.Env(g.instead) != "":
		case g.need != "" && s.wants(g) && !slices.Contains(p.needs, g.need):
			p.needs = append(p.needs, g.need)
		}
	}
	if err := s.reads.refuse(data); err != nil && !s.toml {
		p.off = append(p.off, "these settings are not read: "+err.Error())
	}
	for _, g := range s.off {
		if set, _ := d.grant(g); set != nil {
			p.off = append(p.off, g.need)
		}
	}
	if is, there := s.serverHere(d); there {
		p.server = is.fields["command"].text
	}
	p.some = p.some || len(p.programs) > 0
	p.partly = slices.ContainsFunc(s.events, func(event string) bool { return !fresh[event] })
	return p, nil
}

func blank(extra []byte) bool { return len(bytes.TrimSpace(extra)) == 0 }

// text is a settings file in which places were found.
type text struct {
	data []byte
	eol  string // what ends its lines
}

func newText(data []byte) text {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return text{data, "\r\n"}
	}
	return text{data, "\n"}
}

// splice puts a text in the place of another one. It is never nil, which would be no change.
func (t text) splice(from, to int, by string) []byte {
	return append(append(append([]byte{}, t.data[:from]...), by...), t.data[to:]...)
}
