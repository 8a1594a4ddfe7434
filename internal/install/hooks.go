package install

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"onward/internal/agents/settings"
	"onward/internal/object"
)

// maxSettings limits the size of a settings file, and maxNesting its depth.
// The parsers recurse, and deeper nesting could overflow the stack.
const (
	maxSettings = 4 << 20
	maxNesting  = 512
)

const bom = "\uFEFF"

// settingsFile is an agent's settings file with hooks, and with the permissions that --allow writes.
type settingsFile struct {
	settings.Hooks
	o       Options
	agent   string
	servers settings.MCPServers // how MCP servers are registered in this file; without a list, they are not

	to     *settingsFile     // where its hooks move; nil if they stay
	team   bool              // the hooks of everybody on the project run, so that this file has none
	limits map[string]string // the time limits of hooks that move here, by event, where their owner changed them
	moved  []string          // the names of grants that do
}

// carryOverSettings passes on what the owner of hooks that move has set about them.
func (p *plan) carryOverSettings(o Options, removing bool) error {
	_, err := p.steps(o, func(s *step) error {
		is, settings := s.content.(*settingsFile)
		if !settings || !s.other || !s.moves(o.Scope, removing) {
			return nil
		}
		d, err := is.read(s.old)
		if err != nil {
			return err
		}
		is.to.moved, is.to.limits = s.receipt.granted, map[string]string{}
		for _, h := range is.ownHooks(d) {
			if limit := is.kept(h.entry); limit != "" && (h.event != is.Stop || limit != is.Limit.Stop) {
				is.to.limits[h.event] = limit
			}
		}
		return nil
	})
	return err
}

// document is a parsed settings file. Its methods that change it return the new text.
type document interface {
	hooks() []entry // in the order of the file
	addHook(event string, members []settings.Member, grouped bool) ([]byte, error)
	grant(g settings.Grant) (remove func() []byte, foreign bool)
	putGrant(g settings.Grant) ([]byte, error)
	findServer(list string) (e entry, there bool)
	empty(but string) bool
	emptyContainers() empties
	keep(empties)
}

// entry is a hook or a server in a settings file, of onward or of another program.
type entry struct {
	event  string // of a hook
	fields map[string]field
	remove func() []byte
}

// field is a plain member of an entry.
type field struct {
	text    string
	replace func(by settings.Member) []byte
}

// nameOf identifies a grant in a receipt.
func nameOf(g settings.Grant) string {
	return strings.TrimSuffix(strings.Join(g.Path, "/")+"/"+g.Element, "/")
}

// read parses a file, without its byte order mark.
func (s *settingsFile) read(data []byte) (document, error) {
	data = bytes.TrimPrefix(data, []byte(bom))
	switch {
	case len(data) > maxSettings:
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrParse, maxSettings)
	case object.Depth(data) > maxNesting:
		return nil, fmt.Errorf("%w: it nests deeper than %d", ErrParse, maxNesting)
	case s.TOML:
		return parseTOML(data)
	}
	return parseJSON(data)
}

// edit makes one change after the other, each of them until it returns nil or the same text.
// The file is parsed again each time, so that the offsets are right.
func (s *settingsFile) edit(old []byte, changes ...func(document) ([]byte, error)) ([]byte, error) {
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

// put returns the file with our hooks. An existing hook of ours keeps what its owner has changed about it;
// only its command and an outdated limit of ours are corrected.
func (s *settingsFile) put(old []byte, granted []string) ([]byte, error) {
	former := func(d document) func() []byte { return s.former(d, granted) }
	putGrants := func(d document) ([]byte, error) { return s.putGrants(d, former(d) != nil || s.movesFormer()) }
	removeFormer := func(d document) ([]byte, error) {
		if remove := former(d); remove != nil {
			return remove(), nil
		}
		return nil, nil
	}
	hooks := []func(document) ([]byte, error){s.begin, s.correctHook, s.complete}
	if s.team {
		hooks = []func(document) ([]byte, error){s.removeHook}
	}
	now, err := s.edit(old, append(hooks, putGrants, removeFormer, s.putServer)...)
	if err == nil && !s.TOML {
		err = checkDialect(s.Reads, old)
	}
	return now, err
}

// begin writes the version into a new file.
func (s *settingsFile) begin(d document) ([]byte, error) {
	if s.Version == "" || !d.empty("") {
		return nil, nil
	}
	return d.putGrant(settings.Grant{Path: []string{s.Version}, Value: "1"})
}

// correctHook corrects the first hook of ours that this version would write differently.
func (s *settingsFile) correctHook(d document) ([]byte, error) {
	seen := map[string]bool{}
	for _, h := range s.ownHooks(d) {
		if seen[h.event] || !slices.Contains(s.Events, h.event) {
			return h.remove(), nil
		}
		seen[h.event] = true
		for _, want := range h.want {
			is, there := h.fields[want.Name]
			ours := want.Kind == settings.CommandLine || want.Kind == settings.PowerShellCommand || want.Kind == settings.TimeLimit && is.text == s.Limit.Usual
			if there && ours && is.text != want.Text {
				return is.replace(want), nil
			}
		}
	}
	return nil, nil
}

// removeHook removes the first hook of ours.
func (s *settingsFile) removeHook(d document) ([]byte, error) {
	if ours := s.ownHooks(d); len(ours) > 0 {
		return ours[0].remove(), nil
	}
	return nil, nil
}

// complete adds the first hook that is missing.
func (s *settingsFile) complete(d document) ([]byte, error) {
	ours := s.ownHooks(d)
	for _, event := range s.Events {
		if !slices.ContainsFunc(ours, func(h ownHook) bool { return h.event == event }) {
			return d.addHook(event, s.hookMembers(entry{event: event}), s.Grouped)
		}
	}
	return nil, nil
}

// kept returns the time limit that the owner gave a hook; empty if it is the usual one.
func (s *settingsFile) kept(h entry) string {
	for _, m := range s.Form {
		if is := h.fields[m.Name].text; m.Kind == settings.TimeLimit && is != s.Limit.Usual && strings.Trim(is, "0123456789") == "" {
			return is
		}
	}
	return ""
}

// limitOf returns the time limit of an event; empty if it is the usual one.
func (s *settingsFile) limitOf(event string) string {
	for _, l := range s.Limits {
		if l.Event == event {
			return l.Limit
		}
	}
	return ""
}

// hookMembers returns the members of a hook as this version writes it, with a time limit that its owner gave it.
func (s *settingsFile) hookMembers(h entry) []settings.Member {
	kept := cmp.Or(s.kept(h), s.limits[h.event])
	limit, wait := cmp.Or(kept, s.limitOf(h.event), s.Limit.Usual), ""
	if h.event == s.Stop {
		limit = cmp.Or(kept, s.Limit.Stop)
		wait = limit + s.Limit.Unit
	}
	sh, powershell := s.o.command(s.agent, s.Code, slices.Index(s.Events, h.event) == 0, wait)
	out := slices.Clone(s.Form)
	for i := range out {
		switch m := &out[i]; m.Kind {
		case settings.CommandLine:
			m.Text = sh
		case settings.PowerShellCommand:
			m.Text = powershell
		case settings.EventName:
			m.Text = h.event
		case settings.TimeLimit:
			m.Text = limit
		}
	}
	return out
}

// ownHook is a hook of ours.
type ownHook struct {
	entry
	want    []settings.Member // as this version writes it
	program string            // that it runs
	fresh   bool              // this version would write it like that, with any program
}

func (s *settingsFile) ownHooks(d document) (all []ownHook) {
	for _, e := range d.hooks() {
		h := ownHook{entry: e, want: s.hookMembers(e), fresh: slices.Contains(s.Events, e.event)}
		for _, want := range h.want {
			is := h.fields[want.Name].text
			switch want.Kind {
			case settings.CommandLine, settings.PowerShellCommand:
				if named, ok := programOf(is, s.agent); ok && h.program == "" {
					h.program = named
					h.fresh = h.fresh && sameEnding(is, want.Text, s.agent)
				}
			case settings.TimeLimit:
				h.fresh = h.fresh && (is != s.Limit.Usual || is == want.Text)
			}
		}
		if h.program != "" {
			all = append(all, h)
		}
	}
	return all
}

// putGrants writes the first grant that is missing. A member that has another value keeps it.
// If renew is set, the permissions to run commands are written without --allow.
func (s *settingsFile) putGrants(d document, renew bool) ([]byte, error) {
	for _, g := range s.Grants {
		wanted := !g.Former && (s.o.Allow && s.wants(g) || renew && g.Runs || g.Always || g.Needed || slices.Contains(s.moved, nameOf(g)))
		if remove, foreign := d.grant(g); wanted && remove == nil && !foreign {
			return d.putGrant(g)
		}
	}
	return nil, nil
}

// former returns a function that removes the first grant of an earlier version; nil if there is none.
func (s *settingsFile) former(d document, granted []string) func() []byte {
	for _, g := range s.Grants {
		if remove, _ := d.grant(g); g.Former && remove != nil && slices.Contains(granted, nameOf(g)) {
			return remove
		}
	}
	return nil
}

// movesFormer reports whether the hooks that move here had a permission for every command, which this version does not write.
func (s *settingsFile) movesFormer() bool {
	return slices.ContainsFunc(s.Grants, func(g settings.Grant) bool { return g.Former && slices.Contains(s.moved, nameOf(g)) })
}

// wants reports whether a grant is for what is installed.
func (s *settingsFile) wants(g settings.Grant) bool { return !g.Server || s.o.MCP }

// empties are the empty objects, lists and tables of a file: the text between their brackets, by path.
type empties map[string]string

// at returns the key of a path.
func (empties) at(path []string) string { return strings.Join(path, "\x00") }

// removeOwn returns the file without our hooks, without the lists that become empty by that, and without the grants that an
// install added. It returns nil if nothing else is left and the file did not exist before the install.
func (s *settingsFile) removeOwn(old []byte, granted []string, before []byte) ([]byte, error) {
	var kept empties
	if d, err := s.read(before); err == nil && before != nil {
		kept = d.emptyContainers()
	}
	nothing := false
	data, err := s.edit(old, func(d document) ([]byte, error) {
		d.keep(kept)
		nothing = d.empty(s.Version)
		if without, err := s.removeHook(d); without != nil || err != nil {
			return without, err
		}
		for _, g := range s.Grants {
			if remove, _ := d.grant(g); remove != nil && (g.Always || slices.Contains(granted, nameOf(g))) {
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

// withoutLastBreak removes the line break at the end of a file if an install added it: the last line is the same as
// before the install, when it had none.
func withoutLastBreak(data, before []byte) []byte {
	last := before[bytes.LastIndexByte(before, '\n')+1:]
	cut := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	if len(last) > 0 && len(cut) < len(data) && bytes.Equal(cut[bytes.LastIndexByte(cut, '\n')+1:], last) {
		return cut
	}
	return data
}

// inspect finds onward's parts of a file.
func (s *settingsFile) inspect(data []byte) (p presence, err error) {
	d, err := s.read(data)
	if err != nil {
		return p, err
	}
	fresh := map[string]bool{}
	for _, h := range s.ownHooks(d) {
		p.programs = append(p.programs, h.program)
		fresh[h.event] = fresh[h.event] || h.fresh
	}
	for _, g := range s.Grants {
		switch remove, _ := d.grant(g); {
		case remove != nil:
			p.granted = append(p.granted, nameOf(g))
			p.some = p.some || g.Always
			if g.Former {
				p.needs = append(p.needs, g.Need)
			}
		case g.Former:
		case g.Instead != "" && s.o.Env(g.Instead) != "":
		case g.Need != "" && s.wants(g) && !slices.Contains(p.needs, g.Need):
			p.needs = append(p.needs, g.Need)
		}
	}
	if err := checkDialect(s.Reads, data); err != nil && !s.TOML {
		p.off = append(p.off, "these settings are not read: "+err.Error())
	}
	for _, g := range s.Obstacles {
		if set, _ := d.grant(g); set != nil {
			p.off = append(p.off, g.Need)
		}
	}
	if is, there := s.serverHere(d); there {
		p.server = is.fields["command"].text
	}
	p.some = p.some || len(p.programs) > 0
	p.partly = slices.ContainsFunc(s.Events, func(event string) bool { return !fresh[event] })
	return p, nil
}

// given returns what the user need not do any more because of the permissions in a file.
func (s *settingsFile) given(in presence) (needs []string) {
	for _, g := range s.Grants {
		if !g.Former && s.wants(g) && !slices.Contains(in.needs, g.Need) {
			needs = append(needs, g.Need)
		}
	}
	return needs
}

func blank(extra []byte) bool { return len(bytes.TrimSpace(extra)) == 0 }

// text is the text of a settings file, with its line ending.
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

// splice replaces a part of the text. The result is never nil, which would mean no change.
func (t text) splice(from, to int, by string) []byte {
	return append(append(append([]byte{}, t.data[:from]...), by...), t.data[to:]...)
}
