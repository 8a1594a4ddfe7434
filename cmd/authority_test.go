package cmd

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/supervise"
)

// deed is a command line that a person may run, and what becomes of it in an agent's shell. The things are those of the table in
// docs/reliability.md.
type deed struct {
	thing  string
	line   string
	input  string
	before []string // lines that the person runs before; one that begins with "agent: " the agent runs
	agent  string   // may, refused, inRun: an agent of a run or a gate is refused, or alone: after a continuation too
	gate   string   // of what a gate runs, if it is not the same: its items are the user's
	code   int      // of the refusal, if it is not 77
	person string   // none where a person's command would start a program or never end
}

// The answers to an agent.
const (
	may     = "may"
	refused = "refused"
	inRun   = "inRun"
	alone   = "alone"
	reads   = "reads" // it may, and nothing changes
)

// continued is what leads to a continuation: nothing waits for the user any more.
var continued = []string{"schedule cancel c1", "message drop all", "check-continue"}

// deeds has every command at least once. The list is: 1 of the user, 2 with a gate, 3 of the agent with a subtask 3.1 of the user, 4
// of the agent, and 5 of the user, which worker w1 holds.
func deeds() []deed {
	const list = `[{"content":"of the agent"}]`
	return []deed{
		// Items that an agent made.
		{thing: "agent's item", line: "todo add x"},
		{thing: "agent's item", line: "todo edit 4 x"},
		{thing: "agent's item", line: "todo edit 4 --after 1"},
		{thing: "agent's item", line: "todo delete 4"},
		{thing: "agent's item", line: "todo cancel 4"},
		{thing: "agent's item", line: "todo move 4 1"},
		{thing: "agent's item", line: "todo undo", before: []string{"agent: todo add x"}},
		{thing: "agent's item", line: "todo import -", input: "- [ ] x\n"},
		{thing: "agent's item", line: "slash '/todo add x'"},
		{thing: "agent's item", line: "slash '/todo delete 4'"},

		// Items that a person made.
		{thing: "person's item", line: "todo start 1"},
		{thing: "person's item", line: "todo done 1"},
		{thing: "person's item", line: "todo set done 1"},
		{thing: "person's item", line: "todo reopen 1", before: []string{"todo done 1"}},
		{thing: "person's item", line: "todo block 1 --reason x"},
		{thing: "person's item", line: "todo add --at 1.1 x"},
		{thing: "person's item", line: "todo cancel 1", agent: alone},
		{thing: "person's item", line: "todo set cancelled 1", agent: alone},
		{thing: "person's item", line: "todo cancel 3.1", agent: alone},
		{thing: "person's item", line: "todo delete 1", agent: refused},
		{thing: "person's item", line: "todo delete 4 1", agent: refused},
		{thing: "person's item", line: "todo delete 3.1", agent: refused},
		{thing: "person's item", line: "todo delete 3", agent: refused},
		{thing: "person's item", line: "todo edit 1 x", agent: refused},
		{thing: "person's item", line: "todo edit 3.1 x", agent: refused},
		{thing: "person's item", line: "todo edit 1 --after 4", agent: refused},
		{thing: "person's item", line: "todo edit 1 --priority low", agent: refused},
		{thing: "person's item", line: "todo clear", agent: refused},
		{thing: "person's item", line: "todo undo", before: []string{"todo add x"}, agent: refused},
		{thing: "person's item", line: "todo undo", before: []string{"todo delete 4"}, agent: refused},
		{thing: "person's item", line: "todo import - --replace", input: "- [ ] x\n", agent: refused},
		{thing: "person's item", line: "todo load other", agent: refused},
		{thing: "person's item", line: "slash '/todo delete 1'", agent: refused},
		{thing: "person's item", line: "slash --confirmed '/todo clear'", agent: refused},
		{thing: "person's item", line: "event -", input: `{"type":"todos","items":[` + list[1:len(list)-1] + `]}` + "\n"}, // keeps the user's items
		{thing: "person's item", line: "todo write", input: list, gate: refused},

		// Items with a gate.
		{thing: "gated item", line: "todo start 2"},
		{thing: "gated item", line: "todo block 2 --reason x"},
		{thing: "gated item", line: "todo cancel 2", agent: refused},
		{thing: "gated item", line: "todo delete 2", agent: refused},
		{thing: "gated item", line: "todo edit 2 x", agent: refused},
		{thing: "gated item", line: "todo edit 2 --priority low", agent: refused},

		// Gates, and every other setting.
		{thing: "setting", line: "get", agent: reads},
		{thing: "setting", line: "todo assert --gate --require-list", agent: may, before: []string{"set gate true"}},
		{thing: "setting", line: "check-continue"},
		{thing: "setting", line: "check-continue --dry-run", agent: reads},
		{thing: "setting", line: "set gate true", agent: refused},
		{thing: "setting", line: "set gate none", agent: refused, before: []string{"set gate true"}},
		{thing: "setting", line: "unset gate", agent: refused, before: []string{"set gate true"}},
		{thing: "setting", line: "set gate true --session demo", agent: refused},
		{thing: "setting", line: "set max-total 1000", agent: refused},
		{thing: "setting", line: "set max-total 1", agent: refused},
		{thing: "setting", line: "set max-total 5", agent: reads}, // as it is
		{thing: "setting", line: "set max-total 5 -s demo", agent: reads, before: []string{"set max-total 5 -s demo"}},
		{thing: "setting", line: "set gate true", agent: reads, before: []string{"set gate true"}},
		{thing: "setting", line: "unset max-usd", agent: reads},
		{thing: "setting", line: "set max-total 1 -s demo", agent: refused},
		{thing: "setting", line: "unset max-total", agent: refused},
		{thing: "setting", line: "slash '/set max-total 1000'", agent: refused},
		{thing: "setting", line: "todo edit 4 --gate true", agent: refused},
		{thing: "setting", line: "todo edit 2 --gate none", agent: refused},
		{thing: "setting", line: "todo edit 4 --gate none", agent: reads},
		{thing: "setting", line: "todo edit 4 --gate true", agent: reads, before: []string{"todo edit 4 --gate true"}},
		{thing: "setting", line: "todo edit 4 --require-proof", agent: refused},
		{thing: "setting", line: "todo edit 4 --require-proof", agent: reads, before: []string{"todo edit 4 --require-proof"}},
		{thing: "setting", line: "todo edit 4 --no-require-proof", agent: reads},
		{thing: "setting", line: "todo edit 4 --no-require-proof", agent: refused, before: []string{"todo edit 4 --require-proof"}},
		{thing: "setting", line: "todo add x --require-proof", agent: refused},
		{thing: "setting", line: "todo add x --gate true", agent: refused},
		{thing: "setting", line: "check-continue --gate true", agent: refused},
		{thing: "setting", line: "proof replay --base HEAD --gate true", agent: refused},
		{thing: "setting", line: "proof replay --base HEAD --gate true --setup true", agent: refused, before: []string{"set gate true"}},
		{thing: "setting", line: "check-continue --facts -", input: `{"gate":{"command":"true","code":0}}`, agent: refused, person: "none"},

		// Pauses.
		{thing: "pause", line: "pause x"},
		{thing: "pause", line: "stop", agent: alone},
		{thing: "pause", line: "event pause --reason x"},
		{thing: "pause", line: "resume", before: []string{"agent: pause x"}},
		{thing: "pause", line: "resume", before: []string{"pause x"}, agent: refused},
		{thing: "pause", line: "resume", before: []string{"pause x", "agent: pause y"}, agent: refused},
		{thing: "pause", line: "resume", before: []string{"stop"}, agent: refused},
		{thing: "pause", line: "event resume", before: []string{"stop"}, agent: refused},
		{thing: "pause", line: "slash /resume", before: []string{"pause x"}, agent: refused},
		{thing: "pause", line: "resume", before: continued, agent: refused}, // it resets the counters

		// Starting.
		{thing: "start", line: "run generic x -- true", agent: refused, person: "none"},
		{thing: "start", line: "run generic x --gate true -- true", agent: refused, person: "none"},
		{thing: "start", line: "run generic x --gate true --dry-run -- true", agent: reads},
		{thing: "start", line: "reply x", agent: refused, before: []string{"agent: pause x"}},

		// The user's prompts.
		{thing: "prompt", line: "event user-prompt", agent: refused},
		{thing: "prompt", line: "event -", input: `{"type":"user-prompt"}` + "\n", agent: refused},
		{thing: "prompt", line: "event turn-end", agent: inRun},
		{thing: "prompt", line: "event turn-end --status aborted", agent: refused},
		{thing: "prompt", line: "event abort", agent: refused},
		{thing: "prompt", line: "event -", input: `{"type":"abort"}` + "\n", agent: refused},
		{thing: "prompt", line: "event turn-end --status failed --error-class server", before: continued, agent: refused}, // it gives a continuation back
		{thing: "prompt", line: "hook claude", input: `{"hook_event_name":"UserPromptSubmit","session_id":"a","cwd":"","prompt":"go on"}`},
		{thing: "prompt", line: "ingest --save"},

		// Messages.
		{thing: "message", line: "message push x"},
		{thing: "message", line: "message list", agent: reads},
		{thing: "message", line: "message edit 2 x"},
		{thing: "message", line: "message drop 2"},
		{thing: "message", line: "message edit 1 x", agent: refused},
		{thing: "message", line: "message edit 1 y", agent: reads, before: []string{"message edit 1 y"}},
		{thing: "message", line: "message drop 1", agent: refused},
		{thing: "message", line: "message drop all", agent: refused},
		{thing: "message", line: "message pop --force", agent: refused},

		// Items of a list with claims.
		{thing: "claim", line: "todo next --claim --as w2"},
		{thing: "claim", line: "todo next", agent: reads},
		{thing: "claim", line: "todo release 4 --as w2", before: []string{"agent: todo start 4 --as w2"}},
		{thing: "claim", line: "todo done 4 --as w2", before: []string{"agent: todo start 4 --as w2"}},
		{thing: "claim", line: "todo edit 4 x --as w2", before: []string{"agent: todo start 4 --as w2"}},
		{thing: "claim", line: "todo edit 5 x", agent: refused, code: cli.ExitBusy},
		{thing: "claim", line: "todo delete 5", agent: refused, code: cli.ExitBusy},
		{thing: "claim", line: "todo done 5 --as w2", agent: refused, code: cli.ExitBusy, person: "none"},
		{thing: "claim", line: "todo done 5 --as w2 --take", agent: refused, code: cli.ExitBusy},
		{thing: "claim", line: "todo edit 5 x --as w2 --take", agent: refused, code: cli.ExitBusy},
		{thing: "claim", line: "todo start 5 --as w2 --take", agent: refused, code: cli.ExitBusy},
		{thing: "claim", line: "todo release 5 --as w2", agent: refused, code: cli.ExitBusy, person: "none"},

		// Sessions.
		{thing: "session", line: "session use other", agent: alone, before: []string{"session use demo"}},
		{thing: "session", line: "session use other", agent: refused, before: []string{"session use demo", "stop"}},
		{thing: "session", line: "session use other", agent: refused, before: []string{"session use demo", "pause x"}},
		{thing: "session", line: "session use other", agent: refused, before: []string{"session use demo", "event abort"}},
		{thing: "session", line: "session use --derived", agent: refused, before: []string{"session use demo", "stop"}},
		{thing: "session", line: "session use other", agent: inRun, before: []string{"session use demo", "agent: pause x"}},
		{thing: "session", line: "session delete --yes other", agent: refused},
		{thing: "session", line: "session delete --yes nosuch", agent: reads},
		{thing: "session", line: "session prune --older-than 1d --now 2027-01-01T00:00:00Z", agent: refused},
		{thing: "session", line: "session prune --older-than 9999d", agent: reads},
		{thing: "session", line: "session take other", agent: refused},
		{thing: "session", line: "session take demo", agent: reads, before: []string{"session take demo"}}, // it is nobody else's already
		{thing: "session", line: "store copy HOME/state/onward HOME/copy", agent: refused},
		{thing: "session", line: "store copy HOME/state/onward HOME/copy", agent: reads, before: []string{"store copy HOME/state/onward HOME/copy"}},
		{thing: "session", line: "store copy HOME/state/onward HOME/copy --move", agent: refused},
		{thing: "session", line: "repair --accept", agent: reads}, // nothing was edited
		{thing: "session", line: "repair", agent: reads},

		// Hooks, trust, policy, approvals.
		{thing: "hooks", line: "hooks install claude --program HOME/onward", agent: refused},
		{thing: "hooks", line: "hooks install claude --program HOME/onward --scope user", agent: refused},
		{thing: "hooks", line: "hooks install claude --program HOME/onward", agent: reads, before: []string{"hooks install claude --program HOME/onward"}},
		{thing: "hooks", line: "hooks uninstall claude", agent: refused, before: []string{"hooks install claude --program HOME/onward"}},
		{thing: "hooks", line: "hooks uninstall claude", agent: reads},
		{thing: "hooks", line: "hooks uninstall --all", agent: refused, before: []string{"hooks install claude --program HOME/onward", "hooks install codex --program HOME/onward"}},
		{thing: "hooks", line: "hooks uninstall --all", agent: reads},
		{thing: "hooks", line: "hooks status", agent: reads},
		{thing: "trust", line: "tools trust", agent: refused},
		{thing: "trust", line: "tools trust", agent: reads, before: []string{"tools trust"}},
		{thing: "trust", line: "tools trust --gate", agent: reads}, // by whom the gate was set
		{thing: "trust", line: "tools trust --store HOME/state/onward", agent: refused},
		{thing: "trust", line: "tools trust --store HOME/state/onward", agent: reads, before: []string{"tools trust --store HOME/state/onward"}},
		{thing: "trust", line: "tools list", agent: reads},
		{thing: "trust", line: "tools check", agent: reads},
		{thing: "policy", line: "schedule policy add shell --decision allow", agent: refused},
		{thing: "policy", line: "schedule policy add shell --decision deny --for-session", agent: refused},
		{thing: "policy", line: "schedule policy remove 1", agent: refused},
		{thing: "policy", line: "schedule policy list", agent: reads},
		{thing: "approval", line: "schedule approve c1", agent: refused},
		{thing: "approval", line: "schedule approve --all --always", agent: refused},
		{thing: "approval", line: "schedule approve --all", agent: reads, before: []string{"schedule cancel c1"}},
		{thing: "approval", line: "schedule deny c1", agent: refused},
		{thing: "approval", line: `schedule modify c1 --args '{"command":"ls"}'`, agent: refused},
		{thing: "approval", line: `schedule submit shell --approval-mode yolo --args '{"command":"true"}'`, agent: refused},
		{thing: "approval", line: "schedule run --approval-mode auto_edit --non-interactive", agent: refused},
		{thing: "approval", line: `schedule submit shell --args '{"command":"true"}'`},
		{thing: "approval", line: "schedule run --non-interactive"},
		{thing: "approval", line: "schedule cancel c1"},
		{thing: "approval", line: "schedule clear", agent: refused, before: []string{"schedule cancel c1"}},
		{thing: "approval", line: "schedule clear", agent: reads},
		{thing: "approval", line: "schedule list", agent: reads},
		{thing: "approval", line: "schedule show c1", agent: reads},
		{thing: "approval", line: "schedule status", agent: reads},
		{thing: "approval", line: "schedule wait --timeout 1ms", agent: reads},

		// What only shows.
		{line: "todo show", agent: reads},
		{line: "todo list", agent: reads},
		{line: "todo history", agent: reads},
		{line: "todo export", agent: reads},
		{line: "session list", agent: reads},
		{line: "session show", agent: reads},
		{line: "session path", agent: reads},
		{line: "report", agent: reads},
		{line: "proof show", agent: reads},
		{line: "doctor", agent: reads},
		{line: "store info", agent: reads},
		{line: "completion bash", agent: reads},
		{line: "help", agent: reads},
		{line: "watch", person: "none"}, // it ends only when it is interrupted; the keys by which it changes something run the commands above
	}
}

// kinds of who runs a command, with the variables that show it.
var agentKinds = map[string]map[string]string{
	"an agent":           {"CLAUDECODE": "1"},
	"an agent continued": {"CLAUDECODE": "1"}, // after a continuation
	"a run's agent":      {supervise.RunVariable: "mark"},
	"a gate":             {"ONWARD_IN_GATE": "mark"},
}

// TestAuthority runs every command as a person and as each kind of agent, against each thing that is guarded, and compares what
// happens with the table. A command that is in no row fails, and so does a refusal that changes something or says nothing of what may
// be done instead.
func TestAuthority(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every command several times")
	}
	covered := map[string]bool{}
	s := newStage(t)
	s.furnish(t)
	base := s.scene(t)
	for _, d := range deeds() {
		args, err := wordsOf(d.line)
		if err != nil {
			t.Fatal(err)
		}
		words := args
		var path []string
		for n := len(words); n > 0; n-- {
			if _, path = cli.FindPath(commands(), words[:n]); path != nil {
				break
			}
		}
		covered[strings.Join(path, " ")] = true
		if d.line == "watch" {
			continue
		}
		s.restore(t, base)
		was := base
		if len(d.before) > 0 {
			s.prepare(t, d.before)
			was = s.scene(t)
		}
		if d.person == "" {
			if code, errs := s.run(t, nil, d.line, d.input); code == cli.ExitPermission || code == cli.ExitBusy {
				t.Errorf("%s: a person's %q: exit %d: %s", d.thing, d.line, code, errs)
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(agentKinds)) {
			after := kind == "an agent continued"
			if after && (d.thing == "approval" || d.thing == "message" || slices.Equal(d.before, continued)) {
				continue // what waits for the user, as these do, prevents a continuation
			}
			if d.agent == reads && kind != "an agent" && kind != "a gate" {
				continue
			}
			s.restore(t, was)
			before := was
			if after && !slices.ContainsFunc(d.before, func(line string) bool { return strings.Contains(line, "pause") || line == "stop" }) {
				s.prepare(t, continued)
				before = s.scene(t)
			}
			code, errs := s.run(t, agentKinds[kind], d.line, d.input)
			change := before.changes(s.scene(t))
			answer := d.agent
			if kind == "a gate" && d.gate != "" {
				answer = d.gate
			}
			no := answer == refused || answer == alone && kind != "an agent" || answer == inRun && agentKinds[kind][supervise.RunVariable]+agentKinds[kind]["ONWARD_IN_GATE"] != ""
			want := max(d.code, cli.ExitPermission)
			if d.code != 0 {
				want = d.code
			}
			switch {
			case no && code != want:
				t.Errorf("%s: %s runs %q: exit %d, want %d: %s", d.thing, kind, d.line, code, want, errs)
			case no && change != "":
				t.Errorf("%s: %s is refused %q, and changed %s", d.thing, kind, d.line, change)
			case no && !strings.HasPrefix(d.line, "slash") && !strings.Contains(errs, "hint: `onward"):
				t.Errorf("%s: %s is refused %q without a command to type instead: %s", d.thing, kind, d.line, errs)
			case !no && (code == cli.ExitPermission || code == cli.ExitBusy || code == cli.ExitUsage || code == cli.ExitInternal):
				t.Errorf("%s: %s runs %q: exit %d: %s", d.thing, kind, d.line, code, errs)
			case d.agent == reads && change != "":
				t.Errorf("%s: %s runs %q, which changed %s", d.thing, kind, d.line, change)
			}
		}
	}
	for path, c := range cli.All(commands()) {
		if c.Make != nil && !covered[path] {
			t.Errorf("onward %s is in no row of the table: say what an agent may do with it", path)
		}
	}
}

// TestAuthorityOfFlags finds in every command the flags by which a caller chooses what runs, and what runs without a question.
func TestAuthorityOfFlags(t *testing.T) {
	lines := map[string]string{
		"todo add": "x", "todo edit": "4", "run": "generic x", "check-continue": "", "proof replay": "--base HEAD", "schedule submit": "shell", "schedule modify": "c1 --args {}", "schedule approve": "c1", "schedule run": "",
	}
	s := newStage(t)
	s.furnish(t)
	base := s.scene(t)
	for path, c := range cli.All(commands()) {
		if c.Make == nil {
			continue
		}
		flags := flagFields(reflect.TypeOf(c.Make()).Elem())
		for name, value := range map[string]string{"gate": "true", "approval-mode": "yolo"} {
			f, has := flags[name]
			if !has || f.Type.Kind() == reflect.Bool {
				continue
			}
			line, known := lines[path]
			if !known {
				t.Errorf("onward %s has a flag --%s: say in this test how it is called", path, name)
				continue
			}
			s.restore(t, base)
			if code, errs := s.run(t, map[string]string{"CLAUDECODE": "1"}, strings.TrimSpace(path+" "+line+" --"+name+" "+value), ""); code != cli.ExitPermission {
				t.Errorf("an agent's onward %s --%s %s: exit %d: %s", path, name, value, code, errs)
			}
		}
	}
}

// TestAuthorityOfMarkers refuses in the shell of every agent that is known by a variable.
func TestAuthorityOfMarkers(t *testing.T) {
	base := newStage(t)
	base.furnish(t)
	for _, marker := range agents.MarkerVariables() {
		if code, errs := base.run(t, map[string]string{marker: "x1"}, "set max-total 9", ""); code != cli.ExitPermission || !strings.Contains(errs, marker) {
			t.Errorf("%s: exit %d: %s", marker, code, errs)
		}
	}
}

// stage is a home with a store and a project. It stays in one folder, because a project's settings are found by the folder's path.
type stage struct {
	dir  string
	read map[string]fileRead
}

// fileRead is a file that was read, which need not be read again as long as it is the same file.
type fileRead struct {
	info    fs.FileInfo
	content string
}

// scene is what each file of a stage has.
type scene map[string]string

func newStage(t *testing.T) stage {
	s := stage{t.TempDir(), map[string]fileRead{}}
	if err := os.MkdirAll(filepath.Join(s.dir, "project"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(s.dir, "project"))
	return s
}

// scene returns what the stage has now.
func (s stage) scene(t *testing.T) scene {
	t.Helper()
	is := scene{}
	err := filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		was := s.read[path]
		if was.info == nil || !os.SameFile(info, was.info) || info.Size() != was.info.Size() || !info.ModTime().Equal(was.info.ModTime()) {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			was = fileRead{info, string(data)}
			if time.Since(info.ModTime()) > 50*time.Millisecond { // a younger file may change again at what is the same time to the file system
				s.read[path] = was
			}
		}
		is[path[len(s.dir):]] = was.content
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// restore writes what is not as it was.
func (s stage) restore(t *testing.T, was scene) {
	t.Helper()
	is := s.scene(t)
	for name := range is {
		if _, had := was[name]; !had {
			if err := os.Remove(s.dir + name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, content := range was {
		if now, there := is[name]; there && now == content {
			continue
		}
		err := os.MkdirAll(filepath.Dir(s.dir+name), 0o700)
		if err == nil {
			err = os.WriteFile(s.dir+name, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// furnish makes the things that are guarded.
func (s stage) furnish(t *testing.T) {
	t.Helper()
	if err := os.MkdirAll(".onward", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".onward/tools.json", []byte(`{"schema":"onward/tools/v1","tools":[{"name":"hello","command":["true"],"kind":"read"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "onward"), nil, 0o700); err != nil { // the program that hooks name
		t.Fatal(err)
	}
	other := map[string]string{"ONWARD_SESSION": "other"}
	if code, errs := s.run(t, other, "hook claude", `{"session_id":"a","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"of another session"}]},"tool_response":{}}`); code != 0 {
		t.Fatalf("another session: exit %d: %s", code, errs)
	}
	s.prepare(t, []string{
		"todo add 'of the user'",
		"todo add gated --gate false",
		"agent: todo add 'of the agent'",
		"todo add --at 3.1 'part of the user'",
		"agent: todo add 'another of the agent'",
		"todo add held",
		"todo start 5 --as w1",
		"set max-total 5",
		"message push 'of the user'",
		"agent: message push 'of the agent'",
		"schedule policy add nosuch --decision deny",
		`schedule submit shell --id c1 --args '{"command":"true"}'`,
	})
}

func (s stage) prepare(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		env := map[string]string(nil)
		if own, is := strings.CutPrefix(line, "agent: "); is {
			line, env = own, map[string]string{"CLAUDECODE": "1"}
		}
		if code, errs := s.run(t, env, line, ""); code >= cli.ExitUsage {
			t.Fatalf("onward %s: exit %d: %s", line, code, errs)
		}
	}
}

// run runs a command line in the stage, and returns its exit code and what it printed besides the result.
func (s stage) run(t *testing.T, env map[string]string, line, input string) (code int, errs string) {
	t.Helper()
	args, err := wordsOf(strings.ReplaceAll(line, "HOME", s.dir))
	if err != nil {
		t.Fatal(err)
	}
	defer xdg.Reload()
	for name, value := range map[string]string{
		"HOME": s.dir, "XDG_STATE_HOME": filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME": filepath.Join(s.dir, "config"),
		"ONWARD_SESSION": "demo", "ONWARD_NOW": "2026-11-21T09:30:00Z", supervise.RunVariable: "", "ONWARD_IN_GATE": "", "ONWARD_WORKER": "",
	} {
		defer put(name, value)()
	}
	for name, value := range env {
		defer put(name, value)()
	}
	xdg.Reload()
	var out, problems bytes.Buffer
	code = Main(args, strings.NewReader(input), &out, &problems)
	return code, problems.String()
}

// put sets a variable, and returns what sets it back.
func put(name, value string) (back func()) {
	was, had := os.LookupEnv(name)
	os.Setenv(name, value)
	return func() {
		if had {
			os.Setenv(name, was)
		} else {
			os.Unsetenv(name)
		}
	}
}

// changes names the files that are not as they were. Empty files, which locks leave, do not count.
func (was scene) changes(is scene) string {
	var names []string
	for name, content := range is {
		if was[name] != content {
			names = append(names, name)
		}
	}
	for name, content := range was {
		if _, still := is[name]; !still && content != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
