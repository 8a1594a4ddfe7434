package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/slash"
	"onward/internal/store"
	"onward/internal/todo"
)

// situations lists every kind of failure, in the order in which they are shown. Each continues with the
// store that those before it left.
func situations() []situation {
	return []situation{
		// The command line.
		{args: "tod"},
		{args: "todo ad"},
		{args: "todo show extra"},
		{args: "--nosuch todo show"},
		{args: "todo show --formt plain"},
		{args: "todo show --format xml"},
		{args: "todo show --format"},
		{args: "todo show --json --format plain"},
		{args: "--json todo show --format xml"},
		{args: "todo done"},
		{args: "todo undo x"},
		{args: "todo list --limit -1"},
		{args: "todo list --limit=-1"},
		{args: "todo list --pick"},
		{args: "set"},
		{args: "session use"},
		{args: "session delete demo", before: ran("todo add 'fix the parser'")},
		{args: "session prune"},
		{args: "completion tcsh"},
		{args: "help nosuch"},
		// The global flags.
		{args: "todo show -s 'a b'"},
		{args: "todo show -s ''"},
		{args: "todo show --agent ../x"},
		{args: "todo add x -s nul"},
		{args: "todo add x -s Demo"},
		{args: "todo show --store ''"},
		{args: "todo show --store etcd://me:secret@db1/team-a"},
		{args: "todo show --store nowhere://db1/team-a"},
		{args: "todo show --now noon"},
		{args: "todo show --lock-timeout soon"},
		{args: "todo show --color red"},
		// Items.
		{args: "todo add"},
		{args: "todo add ''"},
		{args: "todo add 3"},
		{args: "todo block 1 the key is missing"},
		{args: "todo add --at 7 x"},
		{args: "todo add --status open x"},
		{args: "todo add --priority urgent x"},
		{args: "todo done 7"},
		{args: "todo done 1-9"},
		{args: "todo done 1.1"},
		{args: "todo done id:nosuch"},
		{args: "todo done 1 -s nolist"},
		{args: "todo done 1 --agent nolist"},
		{args: "todo set open 1"},
		{args: "todo move 1"},
		{args: "todo undo 51"},
		{args: "todo undo 9"},
		{args: "todo load 99"},
		{args: "todo load nosuch"},
		{args: "todo load 0"},
		{args: "todo assert"},
		{args: "todo assert --require-list -s nolist"},
		{args: "todo assert --format xml"},
		// Files and standard input.
		{args: "todo write", stdin: "{"},
		{args: "todo write", stdin: "[1]"},
		{args: "todo write", stdin: `{"a":1}`},
		{args: "todo write", stdin: `[{"content":"x","status":"someday"}]`},
		{args: "todo write", stdin: `[{"content":""}]`},
		{args: "todo import nosuch.md"},
		{args: "todo import --format yaml x"},
		{args: "todo import -", stdin: "\xff"},
		{args: "todo import ."},
		{args: "todo export --format xml"},
		{args: "todo export -o nosuch/list.md"},
		{args: "todo export -o list.md", before: file("list.md", "- [ ] mine\n")},
		{args: "todo export --in-place -o list.md", before: file("list.md", "- [ ] mine\n")},
		{args: "todo export --in-place -o issues.jsonl", before: file("issues.jsonl", `{"id":"b","title":"x","issue_type":"task"}`)},
		{args: "todo export --in-place -o nosuch.md"},
		{args: "todo import tasks.json", before: file("tasks.json", `{"a":{"tasks":[{"title":"x"}]},"b":{"tasks":[{"title":"y"}]}}`)},
		{args: "ingest nosuch.jsonl"},
		{args: "ingest ."},
		{args: "ingest --format x"},
		{args: "ingest", stdin: "hello\n"},
		// Events and settings.
		{args: "event"},
		{args: "event nap"},
		{args: "event turnend"},
		{args: "event todos"},
		{args: "event stop --text hello"},
		{args: "event turn-end --status maybe"},
		{args: "event error --class rate_limit --retry-after soon"},
		{args: "event background-start"},
		{args: "event -", stdin: "{"},
		{args: "event -", stdin: `{"type":"user-prompt","mood":1}`},
		{args: "pause ''"},
		{args: "pause -s nolist 'no key'"},
		{args: "pause --agent nolist 'no key'"},
		{args: "set max-atempts 5"},
		{args: "set max-attempts many"},
		{args: "get nosuch"},
		{args: "get native-session"},
		{args: "slash"},
		{args: "slash hello"},
		{args: "slash /todoo"},
		// The runs.
		{args: "run"},
		{args: "run cluade 'fix it'"},
		{args: "run generic 'fix it'"},
		{args: "run generic 'fix it' -- nosuch-agent"},
		{args: "run generic fix it -- nosuch-agent"},
		{args: "run generic 'fix it' --permission-mode acceptEdits -- go"},
		{args: "run generic --file nosuch.md -- go"},
		{args: "run generic - -- go", stdin: " "},
		{args: "run generic 'fix it' --file task.md -- go"},
		{args: "run generic -s nolist -- go"},
		{args: "run generic 'fix it' --max-usd 5 -- go"},
		{args: "run generic 'fix it' --silence soon -- go"},
		{args: "run 'fix it'"},
		{args: "run Claude 'fix it'"},
		{args: "run generic 'fix it' go agent.go"},
		{args: "run generic 'fix it' --max-duration 8 -- go"},
		{args: "reply"},
		{args: "reply yes"},
		// What other programs call it.
		{args: "todo close 1"},
		{args: "todo rename 1 x"},
		{args: "todo done 1,2"},
		{args: "todo edit 1 --status done"},
		{args: "todo write plan.json"},
		{args: "message send hello"},
		{args: "message 'mind the tests'"},
		{args: "set max-attempts=5"},
		{args: "set max-duration 8"},
		{args: "session rm demo"},
		{args: "session prune --older-than 5"},
		{args: "sessions"},
		{args: "config"},
		{args: "log"},
		{args: "close 1"},
		{args: "watch demo"},
		{args: "session list --sort time"},
		{args: "session list --stroe x"},
		{args: "session list --needs-you"},
		{args: "session list --format json"},
		{args: "session open"},
		{args: "reply --now yes"},
		{args: "report -f x.html"},
		{args: "report x.html"},
		{args: "stp --now"},
		{args: "stop --nwo"},
		{args: "start claude"},
		{args: "claude 'fix it'"},
		{args: "run generic 'fix it' --gate true go agent.go"},
		{args: "run claude 'fix it' -g 'make test'"},
		{args: "run claude 'fix it' --gate-cmd 'make test'"},
		{args: "--dry-run run claude 'fix it'"},
		{args: "--gate 'make test' run claude 'fix it'"},
		{args: "run --reply yes"},
		{args: "run last"},
		{args: "resume demo"},
		{args: "notify"},
		{args: "help exit"},
		{args: "message 'mind the tests' push"},
		{args: "list show"},
		{args: "summary"},
		{args: "watch --follow"},
		// The decision.
		{args: "check-continue -s nolist"},
		{args: "check-continue --background 1"},
		{args: "check-continue --context-ratio 0.99"},
		{args: "check-continue --owner somebody-else", before: owned},
		{args: "check-continue --max-attempts 0"},
		{args: "check-continue --wait --max-wait soon"},
		{args: "check-continue --facts -", stdin: "{"},
		{args: "check-continue --facts -", stdin: `{"tool_call":1}`},
		{args: "check-continue --max-total 1", before: ran("check-continue")},
		{args: "check-continue", before: ran("pause 'no key'")},
		{args: "check-continue", before: ran("stop")},
		{args: "check-continue", before: both(ran("resume"), ran("event error --class billing"))},
		{args: "check-continue", before: both(ran("resume"), ran("todo done all"))},
		{args: "check-continue", before: func(t *testing.T, _ string) { t.Setenv("ONWARD_MAX_ATTEMPTS", "0") }},
		// The store.
		{args: "session show nosuch", before: func(t *testing.T, _ string) { t.Setenv("ONWARD_MAX_ATTEMPTS", "") }},
		{args: "session delete --yes nosuch"},
		{args: "repair nosuch"},
		{args: "todo show -s damaged", before: file("store/sessions/damaged.json", "{")},
		{args: "repair damaged"},
		{args: "todo show -s foreign", before: file("store/sessions/foreign.json", `{"name":"a package"}`)},
		{args: "todo show -s folder", before: file("store/sessions/folder.json/x", "")},
		{args: "todo show -s newer", before: newer},
		{args: "todo add x --store list.md"},
		{args: "schedule submit shell --args '{\"command\":\"true\"}' --id ask"},
		{args: "schedule submit"},
		{args: "schedule submit nosuch --id wrong"},
		{args: "schedule approve nosuch"},
		{args: "schedule modify ask --args {"},
		{args: "schedule list --status failed"},
		{args: "schedule wait --timeout soon"},
		{args: "schedule policy add shell --decision maybe"},
		{args: "schedule approve wrong"},
		{args: "schedule policy remove 9 --for-session"},
		{args: "schedule run --timeout 0"},
		{args: "message drop 1"},
		{args: "tools trust"},
		{args: "hooks install nosuch"},
		{args: "hooks install git --scope user"},
		{args: "hooks install git --hook post-merge"},
		{args: "hooks install claude --program onward", before: both(file("onward", ""), file(".claude/settings.local.json", "{"))},
		{args: "hooks install claude --program nosuch"},
		{args: "todo add x --lock-timeout 0", before: locked},
	}
}

// both calls two functions, one after the other.
func both(first, second func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		first(t, dir)
		second(t, dir)
	}
}

// ran runs a command that must succeed.
func ran(line string) func(*testing.T, string) {
	return func(t *testing.T, _ string) {
		t.Helper()
		args, err := wordsOf(line)
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		if code := Main(args, strings.NewReader(""), io.Discard, &errs); code != cli.ExitOK {
			t.Fatalf("onward %s: exit %d: %s", line, code, &errs)
		}
	}
}

// file writes a file below the folder.
func file(name, content string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// owned sets the owner of the list.
func owned(t *testing.T, dir string) {
	t.Helper()
	at := now(t)
	err := change(dir, at, func(doc *session.Document) {
		doc.Owner = &session.Owner{Agent: "codex", Session: "thread-1", SeenAt: at}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func change(dir string, now todo.Time, f func(*session.Document)) error {
	files := &durable.Store{Dir: filepath.Join(dir, "store")}
	lists := &session.Store{Backend: files, Notes: files}
	_, err := lists.Update(session.Name{Session: "demo"}, "", now, func(doc *session.Document) (session.Change, error) {
		f(doc)
		return session.Change{What: "changed", By: "test"}, nil
	})
	return err
}

func now(t *testing.T) todo.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, os.Getenv("ONWARD_NOW"))
	if err != nil {
		t.Fatal(err)
	}
	return todo.TimeOf(at)
}

// newer saves a document of a newer version.
func newer(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "store", "sessions", "demo.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), `"min_reader":3`, `"min_reader":99`, 1)
	if text == string(data) {
		t.Fatalf("the document names no reader: %s", data)
	}
	text = string(store.Seal([]byte(text)))
	file("store/sessions/newer.json", text)(t, dir)
}

// locked holds the lock of the list until the test ends.
func locked(t *testing.T, dir string) {
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	at := now(t)
	go func() {
		ended <- change(dir, at, func(*session.Document) {
			close(held)
			<-release
		})
	}()
	<-held
	t.Cleanup(func() {
		close(release)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// wordsOf splits a command line as a shell does.
func wordsOf(line string) ([]string, error) { return slash.Line{Rest: line}.Words() }
