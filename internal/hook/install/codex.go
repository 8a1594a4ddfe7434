package install

import (
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
		agent: "codex", strict: true, noMark: true, grouped: true, names: []string{"command"},
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
				put: func(old []byte) ([]byte, error) {
					data, err := roots.put(old)
					if err != nil || !o.Allow {
						return data, err
					}
					return putUpdatePlan(data)
				},
				cut: func(old []byte, granted []string) ([]byte, error) {
					data, err := roots.cut(old)
					if err != nil || !slices.Contains(granted, updatePlanName) {
						return data, err
					}
					return cutUpdatePlan(data)
				},
				granted: grantedUpdatePlan, programs: roots.programs,
			},
		},
		notes: o.shared(
			"Codex runs a hook only after you have trusted it: start codex, enter /hooks, and trust onward's",
			"for one run that you vouch for yourself: codex --dangerously-bypass-hook-trust",
			"the store is now among the folders that a sandboxed model may write (sandbox_workspace_write.writable_roots)",
		),
		needs: []string{"run `codex exec` with --sandbox workspace-write where its model keeps the list with `onward todo`: by default it may write nothing"},
		again: "the hooks changed, and Codex ignores a changed hook until you trust it again: start codex, enter /hooks",
		trust: func() string { return codexTrust(o, path) },
	}, nil
}

// codexTrust says whether Codex has been told to trust the hooks of a file.
// It keeps a hash for each in the user's config.toml, under the path of the file and the place in it.
func codexTrust(o Options, path string) string {
	o.Scope = User
	dir, _ := o.folder(".codex", "CODEX_HOME")
	data, err := readFile(filepath.Join(dir, "config.toml"))
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
	case list == nil:
		return putKey(old, table, "[sandbox_workspace_write]", line), nil
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
	return cutKey(old, all, table, list), nil
}

// cutKey removes the line of a key, with its table's header where nothing else is in the table; nil where nothing is left.
func cutKey(old []byte, all []tomlExpression, table, key *tomlExpression) []byte {
	if table != nil && key.within >= 0 {
		others := slices.ContainsFunc(all, func(e tomlExpression) bool {
			return e.kind == unstable.KeyValue && e.within == key.within && e.start != key.start
		})
		if !others && blank(old[table.end:key.start]) {
			return orNone(cutBlock(old, table.start, key.end))
		}
	}
	return orNone(slices.Concat(old[:key.start], old[key.end:]))
}

// putKey writes a key into its table, which is made where it is missing.
func putKey(old []byte, table *tomlExpression, header, line string) []byte {
	if table == nil {
		return appendBlock(old, header, line)
	}
	eol := lineBreak(old)
	if old[table.end-1] != '\n' {
		line = eol + line
	}
	return slices.Concat(old[:table.end], []byte(line+eol), old[table.end:])
}

// The switch of Codex's own todo tool.
const updatePlanName = "tools/update_plan/enabled"

// findUpdatePlan returns the table of the switch and the key that has it, or is in its place.
func findUpdatePlan(data []byte) (table, key *tomlExpression, all []tomlExpression, err error) {
	all, err = parseTOML(data)
	if err != nil {
		return nil, nil, nil, err
	}
	name := strings.Split(updatePlanName, "/")
	for i := range all {
		e := &all[i]
		switch {
		case e.kind == unstable.Table && slices.Equal(e.key, name[:2]):
			table = e
		case e.kind == unstable.KeyValue && len(e.key) <= len(name) && slices.Equal(e.key, name[:len(e.key)]):
			key = e
		}
	}
	return table, key, all, nil
}

func putUpdatePlan(old []byte) ([]byte, error) {
	table, key, _, err := findUpdatePlan(old)
	if err != nil || key != nil {
		return old, err // somebody has decided
	}
	return putKey(old, table, "[tools.update_plan]", "enabled = true"), nil
}

func cutUpdatePlan(old []byte) ([]byte, error) {
	table, key, all, err := findUpdatePlan(old)
	if err != nil || key == nil || len(key.key) < 3 || key.text != "true" {
		return old, err
	}
	return cutKey(old, all, table, key), nil
}

func grantedUpdatePlan(data []byte) (names, needs []string) {
	if _, key, _, err := findUpdatePlan(data); err == nil && key != nil && (len(key.key) < 3 || key.text == "true") {
		return []string{updatePlanName}, nil
	}
	return nil, []string{"switch Codex's todo tool on: `onward hooks install codex --allow`, or -c tools.update_plan.enabled=true for one run"}
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
