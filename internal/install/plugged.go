package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
)

// pluginName reports whether a plugin is onward's, from whichever marketplace.
func pluginName(name string) bool { return strings.HasPrefix(name, "onward@") }

// pluginSettings returns the file in which the agent notes the plugin; empty if the agent has none. An unreadable file counts as none.
func (p *plan) pluginSettings(scope Scope) string {
	noted := p.Noted
	if noted.UserOnly && scope != User {
		return ""
	}
	for _, name := range noted.Files {
		if p.Personal != "" && (scope == Project && name == p.File || scope == Shared && name == p.Personal) {
			continue
		}
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		if noted.Table == "" {
			if _, err := os.Stat(path); err == nil {
				return path
			}
			continue
		}
		data, err := readFile(path)
		if err != nil || data == nil {
			continue
		}
		if filepath.Ext(name) == ".toml" && tomlSwitchedOn(data, noted.Table) || jsonSwitchedOn(data, noted.Table, packageOf(p.Name)) {
			return path
		}
	}
	return ""
}

// packageOf returns the name of the npm package with an agent's plugin, which follows that of its team.
func packageOf(agent string) string { return "onward-" + agent }

// jsonSwitchedOn looks in an object, which has a switch for each plugin, or in an array of npm packages.
func jsonSwitchedOn(data []byte, table, name string) bool {
	d, err := parseJSON(data)
	if err != nil {
		return false
	}
	_, value, found := d.follow(table)
	if !found {
		return false
	}
	packaged := func(k child) bool {
		text, _ := k.value.Value.(hujson.Literal)
		return text.Kind() == '"' && isPackage(text.String(), name)
	}
	return slices.ContainsFunc(childrenOf(value, '{').children, func(k child) bool {
		on, _ := k.value.Value.(hujson.Literal)
		return pluginName(k.name) && on.Kind() == 't'
	}) || slices.ContainsFunc(childrenOf(value, '[').children, func(k child) bool {
		// An element with options has the package in an array or an object.
		return packaged(k) || slices.ContainsFunc(childrenOf(k.value, '[').children, packaged) || slices.ContainsFunc(childrenOf(k.value, '{').children, packaged)
	})
}

// isPackage reports whether an agent's setting, such as npm:@team/onward-pi@1.2.3, names a package.
func isPackage(setting, name string) bool {
	rest, ok := strings.CutPrefix(setting[strings.LastIndexAny(setting, "/:")+1:], name)
	return ok && (rest == "" || rest[0] == '@')
}

// tomlSwitchedOn reports whether a plugin is on, which it is unless it is switched off.
func tomlSwitchedOn(data []byte, table string) bool {
	d, err := parseTOML(data)
	if err != nil {
		return false
	}
	there, off := false, false
	for _, e := range d.all {
		if len(e.key) < 2 || e.key[0] != table || !pluginName(e.key[1]) {
			continue
		}
		there = true
		if e.kind == unstable.KeyValue && e.key[len(e.key)-1] == "enabled" {
			off = !strings.HasSuffix(strings.TrimSpace(string(data[e.from:e.to])), "true")
		}
	}
	return there && !off
}
