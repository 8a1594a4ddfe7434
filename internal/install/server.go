package install

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"onward/internal/agents/settings"
)

// serverName is the name of the server in the settings of every agent.
const serverName = "onward"

// serverProgram is the name of the server's program.
const serverProgram = "onward-mcp"

// ourServer reports whether a program is onward-mcp.
func ourServer(program string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return strings.TrimSuffix(name, ".exe") == serverProgram
}

// putServer registers the server. The path of a registered one is corrected, whether or not --mcp was given.
func (s *settingsFile) putServer(d document) ([]byte, error) {
	if s.servers.List == "" {
		return nil, nil
	}
	is, there := d.findServer(s.servers.List)
	program := is.fields["command"]
	switch ours := ourServer(program.text); {
	case !there && s.o.MCP:
		return d.putGrant(s.registration())
	case ours && s.o.Server != "" && program.text != s.o.Server:
		return program.replace(settings.Member{Name: "command", Text: s.o.Server}), nil
	case there && !ours && s.o.MCP:
		return nil, unfit("%s.%s is another server; give it another name first", s.servers.List, serverName)
	}
	return nil, nil
}

// registration is the setting that registers the server.
func (s *settingsFile) registration() settings.Grant {
	path, program := []string{s.servers.List, serverName}, quoted(s.o.Server)
	if s.TOML {
		return settings.Grant{Path: append(path, s.servers.Form), Value: tomlString(s.o.Server)}
	}
	form := strings.Replace(s.servers.Form, "PROGRAM", program, 1)
	if s.o.Allow && s.servers.Trust != "" {
		form = strings.TrimSuffix(form, "}") + "," + s.servers.Trust + "}"
	}
	return settings.Grant{Path: path, Value: form}
}

// serverHere returns the entry of onward-mcp, if the file has one.
func (s *settingsFile) serverHere(d document) (is entry, there bool) {
	if s.servers.List == "" {
		return is, false
	}
	is, _ = d.findServer(s.servers.List)
	return is, ourServer(is.fields["command"].text)
}

// addServer adds the server to a plan: to the file of its hooks, or as a file of its own. Even if it is not wanted, its
// file is in the plan if it names the server.
func (p *plan) addServer(o Options) error {
	m := p.Servers
	switch {
	case m.List == "" && o.MCP:
		return unfit("%s: --mcp is for %s", p.Name, strings.Join(o.withServers(), ", "))
	case m.List == "":
		return nil
	}
	path := filepath.Join(p.dir, cmp.Or(m.File, p.File))
	if o.Scope == User && m.User != nil {
		path = m.User(o.Machine)
	}
	i := slices.IndexFunc(p.files, func(f file) bool { return f.path == path })
	if i < 0 {
		f := file{content: &settingsFile{o: o, agent: p.Name, Hooks: settings.Hooks{Reads: p.Hooks.Reads}}, path: path, mode: 0o644, extra: true}
		if o.Scope == User {
			f.mode = 0o600 // it may hold keys
		}
		if data, err := readFile(f.path); !o.MCP && (err != nil || !bytes.Contains(data, []byte(serverProgram))) {
			return nil
		}
		i, p.files = len(p.files), append(p.files, f)
	}
	p.files[i].content.(*settingsFile).servers = m
	if o.MCP {
		p.notes = append(p.notes, m.Notes...)
	}
	return nil
}

// withServers lists the agents in which the server can be registered.
func (o Options) withServers() (names []string) {
	for _, r := range o.rows() {
		if r.Servers.List != "" {
			names = append(names, r.Name)
		}
	}
	return names
}

// findServer finds the entry of a server, in a member of its own or the first word of its command line.
func (d *jsonText) findServer(list string) (e entry, there bool) {
	way, value, found := d.follow(list, serverName)
	if !found {
		return e, false
	}
	members := childrenOf(value, '{')
	if at := members.find("command"); at >= 0 {
		if words := childrenOf(members.children[at].value, '['); len(words.children) > 0 {
			members.children[at].value = words.children[0].value
		}
	}
	return d.entry("", members, way), true
}

// findServer finds the table of a server. It goes with the tables below it, the last one first.
func (d *tomlText) findServer(list string) (e entry, there bool) {
	path := []string{list, serverName}
	last := -1
	for i, x := range d.all {
		if len(x.key) < 2 || !slices.Equal(x.key[:2], path) {
			continue
		}
		there = true
		if x.kind == unstable.Table && (last < 0 || len(x.key) > 2) {
			last = i
		}
		if x.kind == unstable.KeyValue && len(x.key) == 3 && x.key[2] == "command" {
			e.fields = map[string]field{"command": d.field(x)}
		}
	}
	e.remove = func() []byte {
		if last < 0 {
			return nil // all servers are one value, which stays
		}
		return d.cutTable(last)
	}
	return e, there
}

// checkServer refuses to register a missing program.
func checkServer(o Options) error {
	if !o.MCP {
		return nil
	}
	if o.Server == "" || !ourServer(o.Server) {
		return fmt.Errorf("%w: onward-mcp is neither next to onward nor on PATH; `make install` installs it, and so does every release", ErrProgram)
	}
	if o.Scope == Shared {
		return nil // it is found by its name, as onward is
	}
	return checkProgram(o.Server)
}
