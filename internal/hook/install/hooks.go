package install

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// hooksFile is a JSON file with an object of hooks, from events to lists.
type hooksFile struct {
	agent   string
	strict  bool                                       // the agent reads no comments
	noMark  bool                                       // the agent reads no byte order mark
	version bool                                       // the file begins with "version": 1
	grouped bool                                       // a list holds groups with a matcher and hooks, not hooks
	names   []string                                   // the members that hold a command line
	events  []string                                   // what onward wants to hear of
	grants  []grant                                    // what --allow writes beside the hooks
	allow   bool                                       // --allow was given
	entry   func(event, command string) []byte         // one hook as compact JSON
	command func(event string) (sh, powershell string) // the command line for an event
}

// put gives the file with our hooks in it. A hook of ours that is there already
// keeps what its owner has changed about it; only the command is set right.
func (f *hooksFile) put(old []byte) ([]byte, error) {
	if f.noMark && bytes.HasPrefix(old, []byte(bom)) {
		return nil, fmt.Errorf("%w: it begins with a byte order mark, which the agent does not read", ErrParse)
	}
	d, err := parseDocument(old, f.strict)
	if err != nil {
		return nil, err
	}
	top := d.root.Value.(*hujson.Object)
	if f.version && len(top.Members) == 0 {
		if err := d.appendMember(top, "", "version", []byte("1")); err != nil {
			return nil, err
		}
	}
	hooks, indent, err := d.object(top, "hooks")
	if err != nil {
		return nil, err
	}
	if err := f.dropOthers(hooks); err != nil {
		return nil, err
	}
	for _, event := range f.events {
		list, inner, err := d.array(hooks, indent, event)
		if err != nil {
			return nil, fmt.Errorf("hooks: %w", err)
		}
		ours := f.find(list)
		if len(ours) > 0 {
			f.correct(ours[0].hook, event)
			f.drop(list, ours[1:])
			continue
		}
		sh, _ := f.command(event)
		if err := d.appendElement(list, inner, f.entry(event, sh)); err != nil {
			return nil, err
		}
	}
	return d.bytes(), nil
}

// cut gives the file without our hooks, and without the lists that are empty then; nil where nothing else is in it.
func (f *hooksFile) cut(old []byte) ([]byte, error) {
	d, err := parseDocument(old, f.strict)
	if err != nil {
		return nil, err
	}
	top := d.root.Value.(*hujson.Object)
	i := slices.IndexFunc(top.Members, func(m hujson.ObjectMember) bool { return memberName(m) == "hooks" })
	if i < 0 {
		return old, nil
	}
	hooks, ok := top.Members[i].Value.Value.(*hujson.Object)
	if !ok {
		return old, nil
	}
	removed := 0
	for j := len(hooks.Members) - 1; j >= 0; j-- {
		list, ok := hooks.Members[j].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		ours := f.find(list)
		removed += len(ours)
		f.drop(list, ours)
		if len(ours) > 0 && len(list.Elements) == 0 && blank(list.AfterExtra) {
			removeMember(hooks, j)
		}
	}
	if removed == 0 {
		return old, nil
	}
	if len(hooks.Members) == 0 && blank(hooks.AfterExtra) {
		removeMember(top, i)
	}
	if d.empty() || f.version && onlyVersion(top) {
		return nil, nil
	}
	return d.bytes(), nil
}

// onlyVersion reports whether a file that says its version says nothing else.
func onlyVersion(top *hujson.Object) bool {
	return len(top.Members) == 1 && memberName(top.Members[0]) == "version" && blank(top.AfterExtra)
}

// programs returns the program that each of our hooks names, and the events that have a hook as this version writes it.
func (f *hooksFile) programs(data []byte) (programs, events []string, err error) {
	d, err := parseDocument(data, f.strict)
	if err != nil {
		return nil, nil, err
	}
	hooks, ok := member(d.root.Value.(*hujson.Object), "hooks").(*hujson.Object)
	if !ok {
		return nil, nil, nil
	}
	for _, m := range hooks.Members {
		list, ok := m.Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for _, h := range f.find(list) {
			programs = append(programs, h.program)
			if want, _ := f.command(memberName(m)); sameEnding(h.line, want, f.agent) {
				events = append(events, memberName(m))
			}
		}
	}
	return programs, events, nil
}

// found is one hook of ours in a list.
type found struct {
	element int // of the list
	within  int // of the group's hooks; -1 where the list holds no groups
	hook    *hujson.Object
	program string
	line    string // the command line
}

// find gives our hooks in a list.
func (f *hooksFile) find(list *hujson.Array) []found {
	var out []found
	for i := range list.Elements {
		o, ok := list.Elements[i].Value.(*hujson.Object)
		if !ok {
			continue
		}
		if !f.grouped {
			if program, line, ok := f.ours(o); ok {
				out = append(out, found{i, -1, o, program, line})
			}
			continue
		}
		inner, ok := member(o, "hooks").(*hujson.Array)
		if !ok {
			continue
		}
		for j := range inner.Elements {
			h, ok := inner.Elements[j].Value.(*hujson.Object)
			if !ok {
				continue
			}
			if program, line, ok := f.ours(h); ok {
				out = append(out, found{i, j, h, program, line})
			}
		}
	}
	return out
}

// ours reports whether a hook runs onward for this agent.
func (f *hooksFile) ours(hook *hujson.Object) (program, line string, ok bool) {
	for _, name := range f.names {
		if text, isText := member(hook, name).(hujson.Literal); isText && text.Kind() == '"' {
			if program, ok = programOf(text.String(), f.agent); ok {
				return program, text.String(), true
			}
		}
	}
	return "", "", false
}

// correct sets the command lines of a hook of ours.
func (f *hooksFile) correct(hook *hujson.Object, event string) {
	sh, powershell := f.command(event)
	for i := range hook.Members {
		m := &hook.Members[i]
		name := memberName(*m)
		if !slices.Contains(f.names, name) {
			continue
		}
		want := sh
		if name == "powershell" {
			want = powershell
		}
		if text, ok := m.Value.Value.(hujson.Literal); !ok || text.String() != want {
			m.Value.Value = hujson.String(want)
		}
	}
}

// drop takes hooks of ours out of a list, and a group that is empty then.
func (f *hooksFile) drop(list *hujson.Array, ours []found) {
	for _, h := range slices.Backward(ours) {
		if h.within < 0 {
			removeElement(list, h.element)
			continue
		}
		inner := member(list.Elements[h.element].Value.(*hujson.Object), "hooks").(*hujson.Array)
		removeElement(inner, h.within)
		if len(inner.Elements) == 0 && blank(inner.AfterExtra) {
			removeElement(list, h.element)
		}
	}
}

// dropOthers takes out our hooks of events that onward no longer wants to hear of.
func (f *hooksFile) dropOthers(hooks *hujson.Object) error {
	for j := len(hooks.Members) - 1; j >= 0; j-- {
		list, ok := hooks.Members[j].Value.Value.(*hujson.Array)
		if !ok || slices.Contains(f.events, memberName(hooks.Members[j])) {
			continue
		}
		ours := f.find(list)
		f.drop(list, ours)
		if len(ours) > 0 && len(list.Elements) == 0 && blank(list.AfterExtra) {
			removeMember(hooks, j)
		}
	}
	return nil
}

// text appends a JSON string.
func text(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}
