package install

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
)

// servers describes how an agent registers an MCP server: in which settings, and in what form.
type servers struct {
	file  func(Options, *plan) string // of the settings; nil if they are those that contain the hooks, or the row's plan names them
	list  string                      // the member that has the servers
	form  string                      // of an entry, PROGRAM being the path; of TOML, the member that has the path
	trust string                      // what --allow adds to it, so that the agent asks no question
	notes []string
}

// serverName is what the server is called in every agent's settings.
const serverName = "onward"

// server is the entry of onward-mcp in a settings file.
type server struct {
	servers
	program string // the path to register
	put     bool   // it is registered; an entry that is there already is set right in any case
	allow   bool
}

// entry is a server's entry that is there.
type entry struct {
	program string                      // that it runs
	replace func(program string) []byte // returns the text with another program
	remove  func() []byte
}

// ours reports whether an entry runs onward-mcp.
func (e entry) ours() bool { return ourServer(e.program) }

func ourServer(program string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return strings.TrimSuffix(name, ".exe") == "onward-mcp"
}

// putServer registers the server, or sets its path right.
func (s *settings) putServer(d document) ([]byte, error) {
	if s.server == nil {
		return nil, nil
	}
	is, there := d.server(s.server.list)
	switch {
	case !there && s.server.put:
		return d.addServer(*s.server)
	case there && is.ours() && s.server.program != "" && is.program != s.server.program:
		return is.replace(s.server.program), nil
	case there && !is.ours() && s.server.put:
		return nil, unfit("%s.%s is another server; give it another name first", s.server.list, serverName)
	}
	return nil, nil
}

// serverHere returns onward-mcp's entry, where it is in the file.
func (s *settings) serverHere(d document) (entry, bool) {
	if s.server == nil {
		return entry{}, false
	}
	is, there := d.server(s.server.list)
	return is, there && is.ours()
}

// withServer adds the server to a plan: to the file of its hooks, or as a file of its own. One that is not
// wanted is looked for nevertheless, where the text of its file has it.
func (p *plan) withServer(o Options) error {
	m := p.servers
	switch {
	case m.list == "" && o.MCP:
		return unfit("%s: --mcp is for %s", p.name, strings.Join(withServers(), ", "))
	case m.list == "":
		return nil
	}
	s := &server{servers: m, program: o.Server, put: o.MCP, allow: o.Allow}
	if m.file == nil {
		i := slices.IndexFunc(p.files, func(f file) bool { c, ok := f.content.(*settings); return ok && c.toml == (p.name == "codex") })
		p.files[i].content.(*settings).server = s
	} else {
		f := file{content: &settings{agent: p.name, reads: p.settings.reads, server: s}, path: m.file(o, p), within: p.within, mode: 0o644, extra: true}
		if o.Scope == User {
			f.mode = 0o600 // it may hold keys
		}
		if data, err := readFile(f.path); !o.MCP && (err != nil || !bytes.Contains(data, []byte("onward-mcp"))) {
			return nil
		}
		p.files = append(p.files, f)
	}
	if o.MCP {
		p.notes = append(p.notes, m.notes...)
	}
	return nil
}

// withServers lists the agents in which the server can be registered.
func withServers() (names []string) {
	for _, a := range table() {
		if a.servers.list != "" {
			names = append(names, a.name)
		}
	}
	return names
}

// inProject returns a file of the project, or one of the user's.
func inProject(project string, user func(Options, *plan) string) func(Options, *plan) string {
	return func(o Options, p *plan) string {
		if o.Scope == User {
			return user(o, p)
		}
		return filepath.Join(o.Project, filepath.FromSlash(project))
	}
}

// beside is a file in the agent's folder, be it the project's or the user's.
func beside(name string) func(Options, *plan) string {
	return func(_ Options, p *plan) string { return filepath.Join(p.dir, name) }
}

// claudeState is where Claude Code keeps the user's servers: beside the folder of its settings,
// unless a variable names that.
func claudeState(o Options, _ *plan) string {
	return filepath.Join(cmp.Or(o.Env("CLAUDE_CONFIG_DIR"), o.Home), ".claude.json")
}

// codeFolder is where VS Code keeps the user's settings.
func codeFolder(o Options, _ *plan) string {
	base := o.Config
	switch {
	case o.Windows:
		base = o.roaming()
	case runtime.GOOS == "darwin":
		base = filepath.Join(o.Home, "Library", "Application Support")
	}
	return filepath.Join(base, "Code", "User", "mcp.json")
}

// server finds the entry of a server, in a member of its own or the first word of its command line.
func (d *jsonText) server(list string) (e entry, there bool) {
	way, value, found := d.follow(list, serverName)
	if !found {
		return e, false
	}
	e.remove = func() []byte { return d.cut(way) }
	members := inside(value, '{')
	if at := members.find("command"); at >= 0 {
		value = members.kids[at].value
		if words := inside(value, '['); len(words.kids) > 0 {
			value = words.kids[0].value
		}
		if l, ok := value.Value.(hujson.Literal); ok {
			e.program = l.String()
			e.replace = func(program string) []byte { return d.splice(value.StartOffset, value.EndOffset, quoted(program)) }
		}
	}
	return e, true
}

func (d *jsonText) addServer(s server) ([]byte, error) {
	form := strings.Replace(s.form, "PROGRAM", quoted(s.program), 1)
	if s.allow && s.trust != "" {
		form = strings.TrimSuffix(form, "}") + "," + s.trust + "}"
	}
	return d.add([]string{s.list, serverName}, form, false)
}

// server finds the table of a server. It goes with the tables below it, the last one first.
func (d *tomlText) server(list string) (e entry, there bool) {
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
			e.program = x.text
			e.replace = func(program string) []byte { return d.splice(x.from, x.to, "command = "+tomlString(program)) }
		}
	}
	e.remove = func() []byte {
		if last < 0 {
			return nil // it is written as one value, which stays
		}
		end := d.all[last].end
		for _, x := range d.all[last+1:] {
			if x.within == last {
				end = x.end
			}
		}
		return d.cutBlock(d.all[last].start, end)
	}
	return e, there
}

func (d *tomlText) addServer(s server) ([]byte, error) {
	g := grant{path: []string{s.list, serverName, s.form}, value: tomlString(s.program)}
	if _, foreign := d.grant(g); foreign {
		return nil, fmt.Errorf("%w: its %s are written as one value; write them as tables first", ErrParse, s.list)
	}
	return d.putGrant(g)
}

// checkServer refuses to register what is not there.
func checkServer(o Options) error {
	if !o.MCP {
		return nil
	}
	if o.Server == "" || !ourServer(o.Server) {
		return fmt.Errorf("%w: onward-mcp is neither beside onward nor on PATH; `make install` installs it, and so does every release", ErrProgram)
	}
	return checkProgram(o.Server)
}
