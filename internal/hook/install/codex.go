package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// codex hooks into Codex's hooks.json, and makes the store writable for the commands
// that a sandboxed model runs.
func codex(o Options) (*plan, error) {
	dir, within := o.folder(".codex", "CODEX_HOME")
	hooks := &hooksFile{
		agent: "codex", strict: true, grouped: true, names: []string{"command"},
		events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStart", "SubagentStop",
			"PreCompact", "PostCompact", "Interrupt", "SessionEnd",
		},
		entry: func(event, command string) []byte {
			limit := "10" // seconds
			if event == "SessionEnd" || event == "Interrupt" {
				limit = "3" // Codex grants no more, and says so at every start
			}
			return entry(true, limit, false)(event, command)
		},
		command: o.command("codex", "SessionStart"),
	}
	path := filepath.Join(dir, "hooks.json")
	roots := writableRoots{store: o.Store}
	return &plan{
		title: "Codex",
		files: []file{
			hooks.settings(path, within),
			{
				path: filepath.Join(dir, "config.toml"), within: within, mode: 0o600, extra: true,
				put: roots.put, cut: roots.cut, programs: roots.programs,
			},
		},
		notes: o.shared(
			"Codex runs a hook only after you have trusted it: start codex, enter /hooks, and trust onward's",
			"for one run that you vouch for yourself: codex --dangerously-bypass-hook-trust",
			"the store is now among the folders that a sandboxed model may write (sandbox_workspace_write.writable_roots)",
		),
		again: "the hooks changed, and Codex ignores a changed hook until you trust it again: start codex, enter /hooks",
		trust: func() string { return codexTrust(o, path) },
	}, nil
}

// codexTrust says whether Codex has been told to trust the hooks of a file.
// It keeps a hash for each in the user's config.toml, under the path of the file and the place in it.
func codexTrust(o Options, path string) string {
	o.Scope = User
	dir, _ := o.folder(".codex", "CODEX_HOME")
	data, err := os.ReadFile(filepath.Join(dir, "config.toml"))
	if err == nil {
		expressions, err := parseTOML(data)
		known := func(e tomlExpression) bool {
			return len(e.key) > 2 && e.key[0] == "hooks" && e.key[1] == "state" && strings.HasPrefix(e.key[2], path+":")
		}
		if err == nil && slices.ContainsFunc(expressions, known) {
			return "given in Codex for this file; /hooks shows it, and a hook that changed since asks again"
		}
	}
	return "needed: start codex, enter /hooks, and trust onward's"
}

// writableRoots is the list of folders that a sandboxed model may write.
type writableRoots struct{ store string }

// list finds the table and the list in it.
func (w writableRoots) list(data []byte) (table, list *tomlExpression, all []tomlExpression, err error) {
	all, err = parseTOML(data)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range all {
		e := &all[i]
		switch {
		case e.kind == unstable.Table && slices.Equal(e.key, []string{"sandbox_workspace_write"}):
			table = e
		case e.kind == unstable.KeyValue && slices.Equal(e.key, []string{"sandbox_workspace_write", "writable_roots"}):
			list = e
		case e.kind == unstable.KeyValue && slices.Equal(e.key, []string{"sandbox_workspace_write"}):
			list = e // an inline table, which is left as it is
		}
	}
	return table, list, all, nil
}

func (w writableRoots) put(old []byte) ([]byte, error) {
	table, list, _, err := w.list(old)
	if err != nil {
		return nil, err
	}
	word := tomlString(w.store)
	line := "writable_roots = [" + word + "]"
	switch {
	case list == nil && table == nil:
		return appendBlock(old, "[sandbox_workspace_write]", line), nil
	case list == nil:
		eol := lineBreak(old)
		if old[table.end-1] != '\n' {
			line = eol + line
		}
		return slices.Concat(old[:table.end], []byte(line+eol), old[table.end:]), nil
	case list.value != unstable.Array || slices.ContainsFunc(list.array, func(e tomlElement) bool { return e.text == w.store }):
		return old, nil
	case len(list.array) == 0:
		at := strings.IndexByte(string(old[list.raw.Offset:]), '[') + int(list.raw.Offset) + 1
		return slices.Concat(old[:at], []byte(word), old[at:]), nil
	}
	last := list.array[len(list.array)-1]
	between := ", "
	if start := strings.LastIndexByte(string(old[:last.start]), '\n') + 1; start > int(list.raw.Offset) && blank(old[start:last.start]) {
		between = "," + lineBreak(old) + string(old[start:last.start])
	}
	return slices.Concat(old[:last.end], []byte(between+word), old[last.end:]), nil
}

func (w writableRoots) cut(old []byte) ([]byte, error) {
	table, list, all, err := w.list(old)
	if err != nil || list == nil {
		return old, err
	}
	i := slices.IndexFunc(list.array, func(e tomlElement) bool { return e.text == w.store })
	if i < 0 {
		return old, nil
	}
	if len(list.array) > 1 {
		from, to := list.array[i].start, list.array[i].end
		if i > 0 {
			from = list.array[i-1].end
		} else {
			to = list.array[1].start
		}
		return slices.Concat(old[:from], old[to:]), nil
	}
	start, end := list.start, list.end
	if table != nil && list.within >= 0 {
		others := slices.ContainsFunc(all, func(e tomlExpression) bool {
			return e.kind == unstable.KeyValue && e.within == list.within && e.start != list.start
		})
		if !others && blank(old[table.end:list.start]) {
			return orNone(cutBlock(old, table.start, end)), nil
		}
	}
	return orNone(slices.Concat(old[:start], old[end:])), nil
}

// orNone is no file where nothing is left of one.
func orNone(data []byte) []byte {
	if blank(data) {
		return nil
	}
	return data
}

// programs tells whether the store is in the list; it names no program.
func (w writableRoots) programs(data []byte) ([]string, bool, error) {
	_, list, _, err := w.list(data)
	if err != nil || list == nil || !slices.ContainsFunc(list.array, func(e tomlElement) bool { return e.text == w.store }) {
		return nil, true, err
	}
	return []string{""}, false, nil
}
