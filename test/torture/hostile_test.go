package torture

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/todo"
)

// evil is text that a program could misread: it moves the cursor, hides, starts a line of its own,
// and has the form of a workflow command, of an XML element and of a shell's variable.
const evil = "a \x1b[31mred\x1b]0;title\x07 \u009b1m \x7f \b\b \u202e\u2066 \u200b\ufeff\u00ad \U000E0041 \u3164\u115f\uffa0 \u2028\u2029" +
	" \ufe0f\U000E0101\u034f\u17b4\u180b\u2800\U0001D159" +
	"\r\nFORGED\n::error::FORGED\n##[error]FORGED\nonward: FORGED\nhint: FORGED\n2. [pending] FORGED\n2  x  FORGED\n- [ ] FORGED\n" +
	"x ##[stop-commands]FORGED\n ##[SET-OUTPUT name=x]FORGED\n  ::stop-commands::FORGED\n::FORGED::\n##VSO[task.setvariable variable=x]FORGED\n" +
	"\"/><FORGED a='b'/>]]>--><!-- &amp; %0A::set-output name=x::FORGED $(FORGED) `FORGED` \\"

// TestHostileTextStaysText passes such text to every command, as an item, an argument, a name and a stream,
// and checks everything that the command prints. A new command needs one more row.
func TestHostileTextStaysText(t *testing.T) {
	item, err := json.Marshal([]map[string]any{
		{"content": evil, "status": "in_progress", "subtasks": []map[string]any{{"content": evil}}},
		{"content": "second " + evil, "status": "blocked", "reason": evil, "active_form": evil, "native_status": evil, "blocked_by": []string{evil}},
		{"content": "third " + evil, "id": evil, "priority": "high"},
		{"content": "fourth " + evil, "status": "completed"},
	})
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	list := fmt.Sprintf(`{"type":"item.updated","item":{"id":"i","type":"todo_list","items":[{"text":%s,"completed":false}]}}`, quoted)
	stream := `{"type":"thread.started","thread_id":` + string(quoted) + "}\n" + list + "\n" +
		`{"type":` + string(quoted) + "}\n" + evil + "\n" +
		`{"type":"turn.failed","error":{"message":` + string(quoted) + "}}\n"
	command, err := json.Marshal(map[string]string{"command": evil})
	if err != nil {
		t.Fatal(err)
	}
	claude := `{"type":"system","subtype":"init","session_id":` + string(quoted) + `,"cwd":` + string(quoted) + `,"tools":[` + string(quoted) + "]}\n" +
		`{"type":"result","subtype":"error","is_error":true,"session_id":"x","result":` + string(quoted) + "}\n"
	gemini := `{"type":"init","session_id":` + string(quoted) + `,"model":"m"}` + "\n" +
		`{"type":"tool_use","tool_name":"write_todos","tool_id":"t","parameters":{"todos":[{"description":` + string(quoted) + `,"status":"pending"}]}}` + "\n" +
		`{"type":"tool_result","tool_id":"t","status":"success","output":` + string(quoted) + "}\n"

	from := hostilePlace(t, string(item))
	for _, row := range []struct {
		in   string
		args []string
	}{
		{"", words("todo show")},
		{"", words("todo show --format plain")},
		{"", words("todo list")},
		{"", words("todo list --all --limit 1")},
		{"", words("todo history")},
		{"", words("todo assert")},
		{"", words("todo assert --status completed,blocked")},
		{"", words("todo export --format json")},
		{"", words("check-continue --dry-run")},
		{"", words("check-continue --dry-run --explain")},
		{"", words("check-continue --yolo")},
		{"", words("check-continue --style tool")},
		{"", words("check-continue -s paused")},
		{"", words("check-continue -s failed")},
		{"", append(words("check-continue --owner"), evil)},
		{"", append(words("check-continue --agent-mode"), evil)},
		{evil, words("check-continue --facts -")},
		{`{"agent_mode":` + string(quoted) + `}`, words("check-continue --facts -")},
		{`{` + string(quoted) + `:1}`, words("check-continue --facts -")},
		{"", words("get")},
		{"", words("get native-session")},
		{"", words("get plan-agents")},
		{"", words("session list")},
		{"", words("session show")},
		{"", words("session show paused")},
		{"", words("session show failed")},
		{"", words("session path")},
		{"", words("session use other")},
		{"", words("session prune --older-than 0 --dry-run")},
		{"", words("repair")},
		{"", words("repair damaged")},
		{"", words("repair damaged --yes")},
		{"", words("todo load paused")},
		{"", words("todo done 1")},
		{"", append(words("todo block 1 --reason"), evil)},
		{"", words("todo undo")},
		{"", append(words("todo add"), evil)},
		{"", append(words("todo add 1.1"), evil)},
		{evil, words("todo add -")},
		{"", append(words("todo edit 1"), evil)},
		{"", words("todo delete all")},
		{string(item), words("todo write")},
		{evil, words("todo write")},
		{"[{" + string(quoted) + ":1}]", words("todo write")},
		{`[{"content":"a","status":` + string(quoted) + `}]`, words("todo write")},
		{`[{"content":"a","priority":` + string(quoted) + `}]`, words("todo write")},
		{`[{"content":"a","id":` + string(quoted) + `},{"content":"a","id":` + string(quoted) + `}]`, words("todo write")},
		{"- [ ] " + evil, words("todo import -")},
		{"", append(words("todo import"), evil)},
		{"", append(words("pause"), evil)},
		{"", append(words("event"), evil)},
		{"", append(words("event user-prompt --text"), evil)},
		{"", append(words("event error --class"), evil)},
		{"", append(words("event background-start --kind shell"), evil)},
		{evil, words("event -")},
		{`{"type":` + string(quoted) + `}`, words("event -")},
		{`{` + string(quoted) + `:1}`, words("event -")},
		{stream, words("ingest")},
		{stream, words("ingest --save")},
		{stream, words("ingest --format codex --check")},
		{claude, words("ingest --save")},
		{gemini, words("ingest --save")},
		{evil, words("ingest")},
		{evil, words("ingest --format claude")},
		{"", append(words("ingest"), evil)},
		{"", append(words("ingest --name"), evil)},
		{"", append(words("ingest --format"), evil)},
		{"", append(words("slash"), evil)},
		{"", append(words("slash"), "/todo add "+evil)},
		{"", append(words("slash"), "/todo")},
		{"", append(words("slash"), "/"+evil)},
		{"", append(words("slash --complete"), "/todo done ")},
		{"", append(words("slash --complete"), evil)},
		{"", append(words("complete -- todo done"), "")},
		{"", append(words("complete -- todo load"), "")},
		{"", []string{evil}},
		{"", []string{"--" + evil}},
		{"", []string{"todo", evil}},
		{"", []string{"todo", "show", evil}},
		{"", []string{"todo", "show", "--" + evil}},
		{"", []string{"todo", "show", "--format", evil}},
		{"", []string{"todo", "show", "--color", evil}},
		{"", []string{"todo", "show", "-s", evil}},
		{"", []string{"todo", "show", "--agent", evil}},
		{"", []string{"todo", "show", "--now", evil}},
		{"", []string{"todo", "show", "--store", evil}},
		{"", []string{"todo", "add", "x", "--op", evil}},
		{"", []string{"todo", "add", "x", "--lock-timeout", evil}},
		{"", []string{"todo", "add", "x", "--at", evil}},
		{"", []string{"todo", "add", "id:" + evil, "x"}},
		{"", []string{"todo", "add", "x", "--status", evil}},
		{"", []string{"todo", "add", "x", "--priority", evil}},
		{"", []string{"todo", "add", "x", "--after", evil}},
		{"", []string{"todo", "done", evil}},
		{"", []string{"todo", "done", "id:" + evil}},
		{"", []string{"todo", "set", evil, "1"}},
		{"", []string{"todo", "move", "1", evil}},
		{"", []string{"todo", "load", evil}},
		{"", []string{"todo", "undo", evil}},
		{"", []string{"todo", "assert", "--status", evil}},
		{"", []string{"todo", "assert", "--format", evil}},
		{"", []string{"todo", "export", "--format", evil}},
		{"", []string{"todo", "export", evil + "/x"}},
		{"", []string{"set", evil, "1"}},
		{"", []string{"set", "yolo", evil}},
		{"", []string{"set", "plan-agents", evil}},
		{"", []string{"get", evil}},
		{"", []string{"unset", evil}},
		{"", []string{"session", "show", evil}},
		{"", []string{"session", "use", evil}},
		{"", []string{"session", "delete", evil}},
		{"", []string{"session", "delete", "--yes", evil}},
		{"", []string{"session", "prune", "--older-than", evil}},
		{"", []string{"repair", evil}},
		{"", []string{"help", evil}},
		{"", []string{"completion", evil}},
		{"", words("schedule list")},
		{"", words("schedule show c")},
		{"", words("schedule status")},
		{"", words("schedule run")},
		{"", words("schedule wait --timeout 1ms")},
		{"", append(words("schedule deny c --reason"), evil)},
		{"", append(words("schedule modify c --args"), string(command))},
		{"", append(words("schedule submit shell --id"), evil, "--args", string(command))},
		{"", append(words("schedule submit"), evil, "--args", string(command))},
		{string(command) + "\n" + evil, words("schedule submit -")},
		{"", append(words("schedule show"), evil)},
		{"", words("schedule policy list")},
		{"", append(words("schedule policy add --decision allow"), evil)},
		{"", append(words("schedule policy add shell --decision allow --args"), evil)},
		{"", append(words("schedule policy remove"), evil)},
		{"", words("message list")},
		{"", append(words("message push"), evil)},
		{"", words("message pop")},
		{"", append(words("message drop"), evil)},
		{"", words("tools list")},
		{"", words("tools check")},
		{"", words("tools trust")},
		{"", words("report --format markdown")},
		{"", words("session take")},
		{"", append(words("session take"), evil)},
		{"", words("store info")},
		{"", []string{"store", "info", "--store", evil + "://x/y"}},
		{"", []string{"store", "copy", evil, "x"}},
		{"", []string{"store", "copy", ".", "copies", evil}},
		{"", words("doctor")},
		{"", words("hooks status")},
		{"", words("hooks status claude")},
		{"", append(words("hooks status"), evil)},
		{"", words("hooks install claude --dry-run")},
		{"", append(words("slash"), "/evil")},
	} {
		t.Run(strings.ToValidUTF8(strings.ReplaceAll(strings.Join(row.args, " "), evil, "EVIL"), ""), func(t *testing.T) {
			t.Parallel()
			for _, machine := range []bool{false, true} {
				p := from.copy(t)
				args := row.args
				if machine {
					args = append([]string{"--json"}, args...)
				}
				r := p.run(t, row.in, nil, args...)
				harmless(t, r.out)
				harmless(t, r.errors)
				if r.code == 70 || r.code == 2 || r.code < 0 {
					t.Errorf("exit code %d: %s", r.code, r.errors)
				}
				if machine && r.errors != "" && r.code >= 64 && !json.Valid([]byte(r.errors)) {
					t.Errorf("the error is no JSON: %s", r.errors)
				}
			}
		})
	}
	t.Run("formats", func(t *testing.T) { hostileFormats(t, from.copy(t)) })
}

func words(line string) []string { return strings.Fields(line) }

// hostilePlace returns a place with hostile text wherever a store keeps text, in a folder with a hostile name.
func hostilePlace(t *testing.T, item string) place {
	t.Helper()
	p := newPlace(t)
	p.work = filepath.Join(p.dir, strings.ReplaceAll(evil, "/", "-")[:200])
	if err := os.MkdirAll(filepath.Join(p.work, ".git"), 0o700); err != nil {
		p.work = filepath.Join(p.dir, "work") // Windows does not allow such names
	}
	p.must(t, "", "todo", "add", evil, "-s", "damaged")
	p.damage(t, "damaged", []byte(evil))
	p.must(t, "", "todo", "add", evil, "-s", "paused")
	p.must(t, "", "pause", evil, "-s", "paused")
	p.must(t, "", "todo", "add", evil, "-s", "failed")
	p.must(t, "", "event", "error", "--class", "auth", "-s", "failed")
	p.with = []string{"ONWARD_SESSION=s"}
	p.must(t, item, "todo", "write")
	p.must(t, "", "set", "plan-agents", "plan")
	command, err := json.Marshal(map[string]string{"command": evil})
	if err != nil {
		t.Fatal(err)
	}
	p.run(t, "", nil, "schedule", "submit", "shell", "--id", "c", "--args", string(command)) // it awaits approval
	p.must(t, "", "schedule", "policy", "add", "shell", "--decision", "ask", "--command", evil)
	p.must(t, "", "message", "push", evil)
	p.declare(t)
	backend := &durable.Store{Dir: p.store()}
	lists := &session.Store{Backend: backend, Notes: backend}
	_, err = lists.Update(session.Name{Session: "s"}, "", todo.Time(1_700_000_000_000), func(doc *session.Document) (session.Change, error) {
		doc.Owner = &session.Owner{Agent: evil, Session: evil, SeenAt: 1_700_000_000_000}
		doc.Project = evil
		doc.Set("plan-agents", evil)
		doc.Set(evil, evil)
		doc.Todos.Source = evil
		return session.Change{What: evil, By: evil, List: true, Touched: []todo.Touched{{Position: "1", Content: evil}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// declare writes an agent's settings and the project's tools and slash commands, with hostile text in each.
func (p place) declare(t *testing.T) {
	t.Helper()
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".claude/settings.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/bin/onward hook claude"},{"type":"command","command":` + string(quoted) + `}]}]}}`,
		".cursor/hooks.json":    string(quoted),
		".onward/tools.json":    `{"schema":"onward/tools/v1","tools":[{"name":"evil","description":` + string(quoted) + `,"command":["true",` + string(quoted) + `]}]}`,
		".onward/commands.json": `{"schema":"onward/commands/v1","commands":[{"name":"evil","description":` + string(quoted) + `,"action":{"type":"tool","name":` + string(quoted) + `,"args":{}}}]}`,
		".gemini/settings.json": evil,
		".codex/config.toml":    evil,
	} {
		path := filepath.Join(p.work, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p.must(t, "", "tools", "trust")
}

// forged matches the start of lines that only onward may print.
var forged = regexp.MustCompile(`(?m)^\s*(onward: |hint: |::error::|##\[error\]|[0-9]+[.] \[pending\] |[0-9]+ +x +|- \[ \] )?FORGED`)

// harmless checks that printed text moves no cursor, hides nothing, and has no forged line.
func harmless(t *testing.T, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && r != '\t' && (!unicode.IsPrint(r) || strings.ContainsRune("\u115F\u1160\u3164\uFFA0\ufe0f\U000E0101\u034f\u17b4\u180b\u2800\U0001D159", r)) {
			t.Errorf("%U is printed at byte %d of %.300q", r, i, text[max(0, i-40):])
			return
		}
	}
	if line := forged.FindString(text); line != "" {
		t.Errorf("the line %q is forged in %.600s", line, text)
	}
	if line := workflowCommand(text); line != "" {
		t.Errorf("the line %q is a workflow command in %.600s", line, text)
	}
}

// colour matches the escape sequences with which onward itself colours text.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hostileFormats checks the output that other programs read: it contains each item unchanged, and nothing else.
func hostileFormats(t *testing.T, p place) {
	plain := p.run(t, "", nil, "todo", "show", "--color", "never").out
	if got := colour.ReplaceAllString(p.run(t, "", nil, "todo", "show", "--color", "always").out, ""); got != plain {
		t.Errorf("with colour it says\n%s\nwithout it\n%s", got, plain)
	}
	if n := strings.Count(plain, "\n"); n != 6 {
		t.Errorf("%d lines for five items and the totals:\n%s", n, plain)
	}

	var list struct{ Items []struct{ Content string } }
	if err := json.Unmarshal([]byte(p.must(t, "", "todo", "show", "--json")), &list); err != nil || list.Items[0].Content != evil {
		t.Errorf("JSON: %v: %q", err, list.Items)
	}

	// Other programs and todo import read a check list in markdown. A line break within an item stays a line break,
	// and the line after it is indented, so that it belongs to the item.
	for _, command := range []string{"todo show --format markdown", "todo export"} {
		items := 0
		for line := range strings.Lines(p.must(t, "", words(command)...)) {
			if strings.HasPrefix(line, "- [") {
				items++
			} else if !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: %q", command, line)
			}
			for _, r := range strings.TrimSuffix(line, "\n") {
				if !unicode.IsPrint(r) {
					t.Errorf("%s: %U in %q", command, r, line)
				}
			}
		}
		if items != 4 {
			t.Errorf("%s: %d items", command, items)
		}
	}

	rows, err := csv.NewReader(strings.NewReader(p.must(t, "", "todo", "export", "--format", "csv"))).ReadAll()
	if err != nil || len(rows) != 6 {
		t.Errorf("csv: %d rows, %v", len(rows), err)
	}

	github := p.run(t, "", nil, "todo", "assert", "--format", "github").out
	for line := range strings.Lines(github) {
		if !strings.HasPrefix(line, "::error title=item ") || strings.Contains(line, "%0A") {
			t.Errorf("github: %q", line)
		}
	}
	if strings.Count(github, "\n") != 4 { // a subtask has a line of its own
		t.Errorf("github: %s", github)
	}

	dec := xml.NewDecoder(strings.NewReader(p.run(t, "", nil, "todo", "assert", "--format", "junit").out))
	counts := map[string]int{}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("junit: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			counts[e.Name.Local]++
		}
	}
	if len(counts) != 3 || counts["testsuite"] != 1 || counts["testcase"] != 5 || counts["failure"] != 4 {
		t.Errorf("junit: %v", counts)
	}
}
