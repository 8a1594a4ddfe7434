package install

import (
	"path/filepath"
	"slices"
	"strings"
)

// codex adds the settings in config.toml: the store is made writable for the commands that a sandboxed model runs,
// and --allow switches the todo tool on.
func codex(o Options, p *plan) error {
	config := p.file("config.toml", &settings{
		o: o, agent: p.name, toml: true,
		grants: []grant{
			{path: []string{"sandbox_workspace_write", "writable_roots"}, element: strings.ToValidUTF8(o.Store, "\uFFFD"), always: true},
			{path: []string{"tools", "update_plan", "enabled"}, value: "true", need: "switch Codex's todo tool on: `onward hooks install codex --allow`, or -c tools.update_plan.enabled=true for one run"},
		},
	})
	config.extra = true
	p.files = append(p.files, config)
	p.trust = codexTrust(filepath.Join(p.user(o), "config.toml"), p.files[0].path)
	return nil
}

// codexTrust reports whether Codex trusts the hooks of a file.
// It keeps a hash for each in the user's config.toml, under the path of the file and the place in it.
func codexTrust(config, path string) string {
	data, err := readFile(config)
	d, unread := parseTOML(data)
	if err == nil && unread == nil && slices.ContainsFunc(d.all, func(e expression) bool {
		return len(e.key) > 2 && e.key[0] == "hooks" && e.key[1] == "state" && strings.HasPrefix(e.key[2], path+":")
	}) {
		return "given in Codex for this file; /hooks shows it, and a hook that changed since asks again"
	}
	return "needed: start codex, enter /hooks, and trust onward's"
}
