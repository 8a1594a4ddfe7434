package torture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/internal/agents"
)

// mutation is a command that changes the store. Each such command has a row for each way in which it commits.
type mutation struct {
	name   string
	before []string   // command lines that prepare the store; words are split at blanks
	env    []string   // more environment; if it is empty, the session is s
	tools  string     // the content of the project's tools.json
	args   string     // the command line
	in     string     // its standard input
	look   look       // which part of the store is compared
	inputs []string   // if there are several commits: the inputs that lead to the states between them
	ends   bool       // repeating the command completes a run that was cut off
	parts  bool       // if there are several commits: each changes a list or a file of its own
	truly  string     // an errno after which a missing file may be taken as lost, or as deleted already
	next   [][]string // commands that must succeed afterwards; if there are none, todo add
}

// damaged is a document that was truncated.
const damaged = `{"schema":"onward/session/v1","rev":`

const todoJSON = `[{"content":"first","status":"in_progress"},{"content":"new","subtasks":[{"content":"part"}]}]`

// codexStream has two states of a list and the end of a turn. Each of the three is a commit.
const codexStream = `{"type":"thread.started","thread_id":"0199a213-81c0-7800-8aa1-bbab2a035a53"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"alpha","completed":false},{"text":"beta","completed":false}]}}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"alpha","completed":true},{"text":"beta","completed":false}]}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"done for now"}}
{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}
`

// three are the commands for a list of three items, the first of which has a subtask.
var three = []string{"todo add first", "todo add second", "todo add third", "todo add 1.1 part"}

// sessions are the commands for two lists that were last changed in January, and a current one.
var sessions = []string{
	"todo add old -s a --now 2026-01-01T09:00:00Z", "todo add helper -s a --agent h --now 2026-01-01T09:00:00Z",
	"todo add old -s b --now 2026-01-02T09:00:00Z", "todo add first",
}

// waiting are the commands for a schedule with one call that awaits approval, one that does not, and a message.
var waiting = []string{`schedule submit shell --id a --args {"command":"true"}`, "schedule submit todo_read --id b", "message push first"}

// Commands that must succeed after a change of calls, of rules, and of hooks.
var (
	calls = [][]string{{"schedule", "submit", "todo_read"}, {"schedule", "cancel", "--all"}, {"schedule", "clear"}, {"message", "push", "next"}}
	rules = [][]string{{"schedule", "policy", "add", "next", "--decision", "ask"}, {"schedule", "policy", "remove", "1"}}
	hooks = [][]string{{"hooks", "install", "claude", "--scope", "user"}, {"hooks", "uninstall", "claude", "--scope", "user"}}
)

// mutations returns all rows.
func mutations() []mutation { return append(ofLists(), ofOthers()...) }

// eachMutation runs try as a parallel subtest for each row that takes accepts, or for all rows if takes is nil.
// A trial gets the store that the row starts with, a copy of it to work in, and the states that may result.
func eachMutation(t *testing.T, takes func(row int, m mutation) bool, try func(t *testing.T, row int, m mutation, from, p place, may states)) {
	t.Helper()
	for row, m := range mutations() {
		if takes != nil && !takes(row, m) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			from := m.prepare(t)
			try(t, row, m, from, from.copy(t), m.states(t, from))
		})
	}
}

// ofLists returns the rows that change a session.
func ofLists() []mutation {
	return []mutation{
		{name: "add to no store", args: "todo add first"},
		{name: "add", before: three, args: "todo add fourth"},
		{name: "add a subtask", before: three, args: "todo add 2.1 part"},
		{name: "add by stdin", before: three, args: "todo add -", in: "fourth\nfifth\n"},
		{name: "add when the history is cut", before: fullHistory(), args: "todo add one-more", look: newestChange, next: [][]string{{"stop"}}},
		{name: "add with an operation id", before: three, args: "todo add fourth --op op-1"},
		{name: "set", before: three, args: "todo set in_progress 2"},
		{name: "start", before: three, args: "todo start 2"},
		{name: "done", before: three, args: "todo done all"},
		{name: "cancel", before: three, args: "todo cancel 1-2"},
		{name: "block", before: three, args: "todo block 2 --reason why"},
		{name: "reopen", before: append(three[:4:4], "todo done 1"), args: "todo reopen 1"},
		{name: "edit", before: three, args: "todo edit 2 other"},
		{name: "move", before: three, args: "todo move 3 1"},
		{name: "delete", before: three, args: "todo delete 1"},
		{name: "clear", before: three, args: "todo clear"},
		{name: "undo", before: three, args: "todo undo 2"},
		{name: "load", before: sessions, args: "todo load a"},
		{name: "write", before: three, args: "todo write", in: todoJSON},
		{name: "pause", before: three, args: "pause waiting"},
		{name: "stop", before: three, args: "stop"},
		{name: "resume", before: append(three[:4:4], "stop"), args: "resume"},
		{name: "set a setting", before: three, args: "set max-attempts 5 -s s"},
		{name: "unset a setting", before: append(three[:4:4], "set max-attempts 5 -s s"), args: "unset max-attempts -s s"},
		{name: "event", before: three, args: "event user-prompt"},
		{name: "events by stdin", before: three, args: "event -", in: `{"type":"user-prompt"}` + "\n" + `{"type":"turn-end"}` + "\n"},
		{name: "event that is only activity", before: three, args: "event tool-start"},
		{name: "check-continue", before: three, args: "check-continue"},
		{name: "hook prompt", before: append(three[:4:4], "pause waiting"), args: "hook claude", in: `{"hook_event_name":"UserPromptSubmit","session_id":"n","prompt":"go on"}`},
		{name: "hook stop", before: three, args: "hook codex", in: `{"hook_event_name":"Stop","session_id":"n","turn_id":"1"}`},
		{name: "hook list", before: three, args: "hook qwen", in: `{"hook_event_name":"PostToolUse","session_id":"n","tool_name":"todo_write","tool_input":{"todos":[{"id":"1","content":"new","status":"pending"}]},"tool_response":{}}`},
		{name: "ingest", before: three, args: "ingest --save --lock-timeout 0", in: codexStream, look: listsOnly, inputs: prefixes(codexStream)},
		{name: "slash", before: three, args: "slash /todo done 1"},
		{name: "slash load", before: sessions, args: "slash --confirmed /todo load a"},
		{name: "import", before: three, args: "todo import -", in: "- [ ] fourth\n  - [x] part\n"},
		{name: "import in its place", before: three, args: "todo import - --replace", in: "- [ ] fourth\n"},
		{
			name: "session use", before: []string{"session use a"}, env: []string{}, args: "session use b",
			next: [][]string{{"session", "use", "c"}},
		},
		{
			name: "session delete", before: sessions, args: "session delete --yes a b", ends: true, parts: true, truly: "ENOENT",
			next: [][]string{{"todo", "add", "next", "-s", "a"}, {"todo", "add", "next", "-s", "a", "--agent", "h"}, {"todo", "add", "next", "-s", "b"}},
		},
		{
			name: "session prune", before: sessions, args: "session prune --older-than 30d", ends: true, parts: true, truly: "ENOENT",
			next: [][]string{{"todo", "add", "next", "-s", "a"}, {"todo", "add", "next", "-s", "a", "--agent", "h"}, {"todo", "add", "next", "-s", "b"}},
		},
		{name: "repair", before: []string{"todo add first", "damage"}, args: "repair --yes", truly: "ENOENT"},
	}
}

// ofOthers returns the rows that change tool calls, messages, rules, trust, and the settings of agents.
func ofOthers() []mutation {
	return []mutation{
		{name: "submit to no schedule", args: "schedule submit todo_read --id a", next: calls},
		{name: "submit", before: waiting, args: "schedule submit -", in: `{"tool":"todo_read","id":"c"}` + "\n" + `{"tool":"todo_read","after":["c"]}` + "\n", next: calls},
		{name: "approve", before: waiting, args: "schedule approve a", next: calls},
		{name: "approve always", before: waiting, args: "schedule approve a --always", next: calls},
		{name: "approve and save", before: waiting, args: "schedule approve a --save", look: callsOnly, next: calls},
		{name: "deny", before: waiting, args: "schedule deny a --reason no -q", next: calls},
		{name: "modify", before: waiting, args: `schedule modify a --args {"command":"false"}`, next: calls},
		{name: "cancel a call", before: waiting, args: "schedule cancel --all -q", next: calls},
		{name: "clear the calls", before: append(waiting[:3:3], "schedule cancel --all"), args: "schedule clear", next: calls},
		{name: "run", before: []string{"schedule submit todo_read --id a"}, args: "schedule run -q --lock-timeout 0", look: callsOnly, next: calls},
		{name: "add a rule", args: "schedule policy add x --decision deny", next: rules},
		{name: "add a rule to others", before: []string{"schedule policy add x --decision deny"}, args: "schedule policy add y --decision ask --op o1", next: rules},
		{name: "remove a rule", before: []string{"schedule policy add x --decision deny"}, args: "schedule policy remove 1", next: rules},
		{name: "add a rule of the session", args: "schedule policy add x --decision deny --for-session", next: calls},
		{name: "push", before: waiting, args: "message push third", next: calls},
		{name: "edit a message", before: waiting, args: "message edit 1 other", next: calls},
		{name: "drop", before: waiting, args: "message drop all", next: calls},
		{name: "pop", before: waiting, args: "message pop --force", next: calls},
		{
			name: "trust", tools: `{"schema":"onward/tools/v1","tools":[{"name":"x","command":["true"]}]}`,
			args: "tools trust", next: [][]string{{"tools", "trust"}, {"tools", "check"}},
		},
		{name: "hooks install", args: "hooks install claude --scope user", parts: true, next: hooks},
		{name: "hooks uninstall", before: []string{"hooks install claude --scope user"}, args: "hooks uninstall claude --scope user", parts: true, next: hooks, truly: "ENOENT"},
		{
			name: "session prune with calls", before: append(waiting[:3:3], "todo add first --now 2026-01-01T09:00:00Z"),
			env: []string{"ONWARD_SESSION=s"}, args: "session prune --older-than 30d --session other", ends: true, parts: true, truly: "ENOENT",
			next: append(calls[:len(calls):len(calls)], []string{"todo", "add", "next"}),
		},
		{
			name: "session delete with calls", before: append(waiting[:3:3], "todo add first"), args: "session delete --yes s", ends: true, parts: true, truly: "ENOENT",
			next: append(calls[:len(calls):len(calls)], []string{"todo", "add", "next"}),
		},
	}
}

// fullHistory returns the commands for a history of 900 KB: each line has the whole list and the added text.
// The next change exceeds the limit of a history, and cuts off all lines but the newest.
func fullHistory() []string {
	var lines []string
	for range 5 {
		lines = append(lines, "todo add "+strings.Repeat("x", 45_000))
	}
	return lines
}

// prefixes returns the beginnings of a stream that end with a line. A reader that was stopped has saved what one of them has.
func prefixes(stream string) []string {
	var out []string
	for i, c := range stream {
		if c == '\n' {
			out = append(out, stream[:i+1])
		}
	}
	return out
}

// prepare returns a place with the store that the row starts with.
func (m mutation) prepare(t testing.TB) place {
	t.Helper()
	p := newPlace(t)
	p.with = m.env
	if m.env == nil {
		p.with = []string{"ONWARD_SESSION=s"}
	}
	if m.tools != "" {
		path := filepath.Join(p.work, ".onward", "tools.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(m.tools), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range m.before {
		if line == "damage" {
			p.damage(t, "s", []byte(damaged))
			continue
		}
		// Exit code 20 means that a call awaits approval, as intended.
		if r := p.run(t, "", nil, strings.Fields(line)...); r.code != 0 && r.code != 20 {
			t.Fatalf("%s: exit code %d: %s", line, r.code, r.errors)
		}
	}
	return p
}

// states are the states in which a run of a row may leave the store, whatever disturbs the run.
type states struct {
	old, new string
	contents string // the names of the files in the new state
	between  []string
	parts    bool
}

// states learns the possible states of a row from an undisturbed run.
func (m mutation) states(t testing.TB, from place) states {
	t.Helper()
	p := from.copy(t)
	s := states{old: p.state(t, m.look), parts: m.parts}
	for _, in := range m.inputs {
		p.must(t, in, strings.Fields(m.args)...)
		s.between = append(s.between, p.state(t, m.look))
		p.restore(t, from)
	}
	p.must(t, m.in, strings.Fields(m.args)...)
	s.new, s.contents = p.state(t, m.look), p.contents()
	return s
}

// whole reports whether a store has the state before the run, after it, or between two of its commits.
func (s states) whole(got string) bool {
	if got == s.old || got == s.new || slices.Contains(s.between, got) {
		return true
	}
	if !s.parts {
		return false
	}
	old, now, new := strings.SplitAfter(s.old, "\n"), strings.SplitAfter(got, "\n"), strings.SplitAfter(s.new, "\n")
	for _, line := range now {
		if !slices.Contains(old, line) && !slices.Contains(new, line) && !strings.HasSuffix(line, beingDeleted) {
			return false
		}
	}
	for _, line := range new {
		if slices.Contains(old, line) && !slices.Contains(now, line) {
			return false
		}
	}
	return true
}

// goesWithoutRoom reports whether the command frees room on the disk. On a full disk, such a command
// deletes without first writing its mark, for which there is no room.
func (m mutation) goesWithoutRoom(errno string) bool {
	return m.ends && strings.HasPrefix(m.args, "session ") && (errno == "ENOSPC" || errno == "EDQUOT")
}

// beingDeleted ends the line of a list whose deletion has begun. The next command completes the deletion.
const beingDeleted = "busy: it is being deleted\n"

// letGo reports whether a hook has failed and has let the agent go ahead: a hook that fails ends with 0.
func (m mutation) letGo(r result) bool {
	agent, is := strings.CutPrefix(m.args, "hook ")
	return is && r.code == 0 && r.out == agents.Hook(agent).GoAhead
}

// unchanged reports whether the state is one in which a command that failed may leave the store.
func (s states) unchanged(got string) bool {
	return got == s.old || (s.parts || s.between != nil) && s.whole(got) && !strings.Contains(got, beingDeleted)
}

// finishes checks that repeating the command completes a run that was cut off, and leaves no other files.
// A repeated deletion may end with 66, because the session is gone already.
func (m mutation) finishes(t testing.TB, p place, may states) (problem string) {
	if !m.ends {
		return ""
	}
	if r := p.run(t, m.in, nil, strings.Fields(m.args)...); r.code != 0 && r.code != 66 {
		return fmt.Sprintf("the repeated command: exit code %d: %s", r.code, r.errors)
	}
	if got := p.state(t, m.look); got != may.new {
		return "the repeated command has led to\n" + got
	}
	if got := p.contents(); got != may.contents {
		return "the repeated command has left the files\n" + got
	}
	return ""
}

// goesOn checks that the next writer does not have to wait, and that it removes the temporary files of one that died.
func (m mutation) goesOn(t testing.TB, p place) (problem string) {
	next := m.next
	if next == nil {
		next = [][]string{{"todo", "add", "next"}}
		if m.name == "repair" { // a damaged document cannot be changed until it is repaired
			next = [][]string{{"repair", "--yes"}, {"todo", "add", "next"}}
		}
	}
	for _, args := range next {
		// No other process holds a lock, so the command must not wait for one.
		if r := p.run(t, "", nil, append(args, "--lock-timeout", "0")...); r.code != 0 {
			return "the next command: " + r.errors
		}
	}
	if left := p.temporaries(); len(left) > 0 {
		return "left over: " + strings.Join(left, ", ")
	}
	if m.name == "repair" {
		copies := p.files(t, "sessions", ".corrupt-*")
		if len(copies) != 1 {
			return "there are copies: " + strings.Join(copies, ", ")
		}
		if data, err := os.ReadFile(copies[0]); err != nil || string(data) != damaged {
			return "the copy of the damaged document is not whole: " + string(data)
		}
	}
	return ""
}
