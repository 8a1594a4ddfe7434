package cmd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"onward/internal/cli"
	"onward/internal/supervise"
)

// rows are the things of the table in docs/reliability.md. Each tells from the documents before and after a command what it did that only
// a person may do.
var rows = []struct {
	thing string
	did   func(was, is documents) []string
}{
	{"items that a person made, and items with a gate", func(was, is documents) (did []string) {
		for id, before := range was.items() {
			after, there := is.items()[id]
			gated := before["gate"] != nil
			switch {
			case before["by"] != "user" && !gated:
			case !there:
				did = append(did, fmt.Sprintf("deleted %q", before["content"]))
			case after["status"] == "cancelled":
				did = append(did, fmt.Sprintf("cancelled %q", before["content"]))
			case gated && after["status"] == "completed":
				did = append(did, fmt.Sprintf("completed %q without its gate", before["content"]))
			default:
				did = append(did, differences(before, after, "content", "blocked_by", "priority", "by", "needs_proof")...)
				was, _ := before["gate"].(map[string]any)
				is, _ := after["gate"].(map[string]any)
				did = append(did, differences(was, is, "command")...)
			}
		}
		return did
	}},
	{"items of a list with claims", func(was, is documents) (did []string) {
		for id, before := range was.items() {
			if after := is.items()[id]; before["claim"] != nil {
				did = append(did, differences(before, after, "claim", "status", "content")...)
			}
		}
		return did
	}},
	{"gates and every other setting", func(was, is documents) []string {
		return append(differences(was.session, is.session, "settings", "chosen_gate"), changedFiles(was, is, "/state/onward/settings/")...)
	}},
	{"pauses, and the user's prompts and counters", func(was, is documents) (did []string) {
		before, after := was.ledger(), is.ledger()
		for _, key := range []string{"stopped_at", "aborted_at", "paused"} {
			if before[key] != nil && !reflect.DeepEqual(before[key], after[key]) {
				did = append(did, "ended or changed "+key)
			}
		}
		for _, key := range []string{"total_prompt", "total_session", "turns"} {
			if n, _ := before[key].(float64); n > 0 && after[key] != n {
				if m, _ := after[key].(float64); m < n {
					did = append(did, "reset "+key)
				}
			}
		}
		return did
	}},
	{"messages", func(was, is documents) (did []string) {
		for _, m := range listOf(was.calls["messages"]) {
			if m["by"] == nil && !slices.ContainsFunc(listOf(is.calls["messages"]), func(n map[string]any) bool { return reflect.DeepEqual(m, n) }) {
				did = append(did, fmt.Sprintf("changed or took the message %q", m["text"]))
			}
		}
		return did
	}},
	{"approvals and rules of the session", func(was, is documents) (did []string) {
		for _, call := range listOf(was.calls["calls"]) {
			for _, after := range listOf(is.calls["calls"]) {
				if after["id"] == call["id"] && call["status"] == "awaiting_approval" && after["status"] != "cancelled" {
					did = append(did, differences(call, after, "status", "args", "mode")...)
				}
			}
		}
		return append(did, differences(was.calls, is.calls, "rules")...)
	}},
	{"sessions", func(was, is documents) (did []string) {
		for name := range was.files {
			if _, there := is.files[name]; !there && strings.HasPrefix(name, "/state/onward/sessions/") {
				did = append(did, "deleted "+name)
			}
		}
		return append(did, changedFiles(was, is, "/copy/")...)
	}},
	{"hooks, trust, policy", func(was, is documents) []string {
		return append(changedFiles(was, is, "/config/"), changedFiles(was, is, "/project/.")...)
	}},
}

// documents are what a stage has on disk.
type documents struct {
	session, calls map[string]any
	files          scene
}

func (s stage) documents(t *testing.T) documents {
	t.Helper()
	files := s.scene(t)
	read := func(folder string) (doc map[string]any) {
		if text, there := files["/state/onward/"+folder+"/demo.json"]; there {
			if err := json.Unmarshal([]byte(text), &doc); err != nil {
				t.Fatal(err)
			}
		}
		return doc
	}
	return documents{read("sessions"), read("schedules"), files}
}

// items returns the items of the list and their subtasks, by their ids.
func (d documents) items() map[string]map[string]any {
	all := map[string]map[string]any{}
	todos, _ := d.session["todos"].(map[string]any)
	for _, item := range listOf(todos["items"]) {
		all[fmt.Sprint(item["id"])] = item
		for _, part := range listOf(item["subtasks"]) {
			all[fmt.Sprint(part["id"])] = part
		}
	}
	return all
}

func (d documents) ledger() map[string]any {
	ledger, _ := d.session["continuation"].(map[string]any)
	return ledger
}

func listOf(value any) (list []map[string]any) {
	all, _ := value.([]any)
	for _, one := range all {
		if object, is := one.(map[string]any); is {
			list = append(list, object)
		}
	}
	return list
}

// differences names the members that are not the same in two objects.
func differences(was, is map[string]any, members ...string) (did []string) {
	for _, m := range members {
		if !reflect.DeepEqual(was[m], is[m]) {
			did = append(did, fmt.Sprintf("changed %s from %v to %v", m, was[m], is[m]))
		}
	}
	return did
}

// changedFiles names the files of a folder that are not the same. Empty files, which locks leave, do not count.
func changedFiles(was, is documents, folder string) (did []string) {
	for name := range is.files {
		if strings.HasPrefix(name, folder) && was.files[name] != is.files[name] {
			did = append(did, "wrote "+name)
		}
	}
	for name := range was.files {
		if _, there := is.files[name]; strings.HasPrefix(name, folder) && !there {
			did = append(did, "removed "+name)
		}
	}
	return did
}

// everyLine returns command lines made from the grammar of each command: with each kind of item as its argument, and with each flag alone.
func everyLine() (lines []string) {
	for path, c := range cli.All(commands()) {
		if c.Make == nil || path == "watch" {
			continue
		}
		args := [][]string{nil}
		var always string
		command := reflect.TypeOf(c.Make()).Elem()
		for _, f := range reflect.VisibleFields(command) {
			if _, argument := f.Tag.Lookup("arg"); argument && f.IsExported() {
				values := valuesOf(path, f)
				if len(args) > 1 { // one argument varies
					values = values[:1]
				}
				var longer [][]string
				for _, before := range args {
					for _, v := range values {
						longer = append(longer, append(slices.Clone(before), v))
					}
				}
				args = longer
			}
		}
		flags := flagFields(command)
		for name, f := range flags {
			if _, required := f.Tag.Lookup("required"); required {
				always += " --" + name + " " + valuesOf(path, f)[0]
			}
		}
		always += map[string]string{"schedule wait": " --timeout 1ms", "schedule run": " --non-interactive", "session prune": " --now 2027-01-01T00:00:00Z"}[path] // which ends at once
		add := func(line string) {
			lines = append(lines, line)
			if group, _, is := strings.Cut(path, " "); is && group == "todo" || path == "set" || path == "resume" {
				lines = append(lines, "slash --confirmed '/"+strings.ReplaceAll(line, "'", `"`)+"'")
			}
		}
		for _, a := range args {
			add(strings.TrimSpace(path + " " + strings.Join(a, " ") + always))
		}
		for name, f := range flags {
			if slices.Contains([]string{"wait", "watch", "follow", "timeout", "non-interactive"}, name) { // these wait for somebody, or are always given
				continue
			}
			kind := f.Type
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			values := []string{""}
			if kind.Kind() != reflect.Bool {
				values = valuesOf(path, f)
			}
			for _, v := range values {
				for _, a := range args[:min(len(args), 2)] {
					line := path + " " + strings.Join(a, " ")
					if _, required := f.Tag.Lookup("required"); !required {
						line += always
					}
					lines = append(lines, strings.TrimSpace(line+" --"+name+" "+v))
				}
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// valuesOf returns what an argument or a flag may be, by what completes it in a shell.
func valuesOf(path string, f reflect.StructField) []string {
	kind := f.Tag.Get("complete")
	if one, is := strings.CutPrefix(kind, "="); is {
		return strings.Split(one, "|")
	}
	switch kind {
	case "position", "item", "range", "held", "claimed":
		return []string{"1", "2", "3", "3.1", "4", "5"}
	case "session", "list", "value":
		return []string{map[bool]string{true: "9", false: "other"}[kind == "value"]}
	case "setting", "setting or native-session":
		return []string{"max-total", "gate", "max-usd", "todo-continuation"}
	case "status":
		return []string{"cancelled", "completed", "pending"}
	case "approval mode":
		return []string{"yolo", "auto_edit"}
	case "waiting call", "call", "open call":
		return []string{"c1"}
	case "message", "message or all", "change", "rule":
		return []string{"1"}
	case "hooks":
		return []string{"claude --program HOME/onward", "git --program HOME/onward"}
	case "gate":
		return []string{"true", "none"}
	case "file":
		return []string{map[bool]string{true: "out", false: "-"}[f.Name == "Output"]}
	}
	switch {
	case path == "store copy":
		return []string{map[bool]string{true: "HOME/state/onward", false: "HOME/copy"}[f.Name == "From"]}
	case path == "slash":
		return []string{"'/todo delete 1'", "'/stop'"}
	case f.Tag.Get("placeholder") == "D" || f.Tag.Get("placeholder") == "JSON":
		return []string{map[string]string{"D": "0s", "JSON": `'{"command":"ls"}'`}[f.Tag.Get("placeholder")]}
	}
	for k := f.Type; ; k = k.Elem() {
		switch k.Kind() {
		case reflect.Int, reflect.Int64, reflect.Float64:
			return []string{"1"}
		case reflect.Pointer, reflect.Slice:
		default:
			return []string{"x"}
		}
	}
}

// TestAuthorityOfEveryCommand runs each command with each kind of argument and each flag as an agent of a run, and looks at the
// documents: whatever the command is, nothing has happened that the table keeps for a person.
func TestAuthorityOfEveryCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every command several times")
	}
	s := newStage(t)
	s.furnish(t)
	furnished := s.scene(t)
	hit := map[string]bool{} // the things that a person has changed by a line that an agent is refused
	count, refusedLines := 0, 0
	for _, before := range [][]string{{"pause 'by the user'"}, append(slices.Clone(continued), "stop")} {
		s.restore(t, furnished)
		s.prepare(t, before)
		was := s.documents(t)
		for _, line := range everyLine() {
			input := `[{"content":"x"}]`
			if strings.HasPrefix(line, "event") {
				input = `{"type":"user-prompt"}` + "\n"
			}
			count++
			code, errs := s.run(t, map[string]string{supervise.RunVariable: "mark"}, line, input)
			if is := s.documents(t); was.files.changes(is.files) != "" {
				for _, row := range rows {
					if did := row.did(was, is); len(did) > 0 {
						t.Errorf("%s: an agent's %q: exit %d, %s: %s", row.thing, line, code, strings.Join(did, ", "), errs)
					}
				}
				s.restore(t, was.files)
			}
			if code == cli.ExitPermission || code == cli.ExitBusy {
				refusedLines++
				if len(hit) == len(rows) {
					continue
				}
				s.run(t, nil, line, input)
				is := s.documents(t)
				for _, row := range rows {
					if len(row.did(was, is)) > 0 {
						hit[row.thing] = true
					}
				}
				s.restore(t, was.files)
			}
		}
	}
	for _, row := range rows {
		if !hit[row.thing] {
			t.Errorf("%s: no line does what only a person may, so nothing was tried", row.thing)
		}
	}
	t.Logf("%d command lines, %d of them refused", count, refusedLines)
}
