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

// plugged returns the file in which the agent notes the plugin; empty if the agent has none. An unreadable file counts as none.
func (p *plan) plugged(scope Scope) string {
	noted := p.Noted
	if noted.UserOnly && scope != User {
		return ""
	}
	for _, name := range noted.Files {
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
		on := jsonSwitchedOn
		if filepath.Ext(name) == ".toml" {
			on = tomlSwitchedOn
		}
		if on(data, noted.Table) {
			return path
		}
	}
	return ""
}

func jsonSwitchedOn(data []byte, table string) bool {
	d, err := parseJSON(data)
	if err != nil {
		return false
	}
	_, value, found := d.follow(table)
	return found && slices.ContainsFunc(inside(value, '{').children, func(k child) bool {
		on, _ := k.value.Value.(hujson.Literal)
		return pluginName(k.name) && on.Kind() == 't'
	})
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
