//go:build unix

package peers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// item is an item as a tool lists it.
type item struct {
	id   string // the argument that the tool's own commands accept
	done bool
	text string // every member of the item
}

// peer describes a tool: its command lines, and where it keeps its data.
type peer struct {
	name    string
	program string
	version []string
	env     func(dir string) []string // environment in addition to HOME and PATH
	files   map[string]string         // files to write first; @DIR@ stands for the folder
	prepare [][]string                // commands that create an empty store
	add     func(text string) []string
	done    func(id string) []string
	edits   func(id string) [2][]string // command lines for two changes of different members of one item
	both    [2]string                   // a text that the item contains after each of them
	show    func(id string) []string    // command line that prints an item; if nil, the list is used
	all     []string                    // command line that lists everything for a program
	items   func(out []byte) []item
	list    []string // command line that lists the open items for the user
	store   string   // pattern of the store's files; the first match is damaged
	slow    bool     // each command takes seconds, so fewer are run
}

func peers() []peer {
	return []peer{
		{
			name: "onward", program: "onward", version: []string{"--version"},
			env:   func(dir string) []string { return []string{"ONWARD_STORE=" + dir + "/store", "ONWARD_SESSION=s"} },
			add:   func(text string) []string { return []string{"todo", "add", text} },
			done:  func(id string) []string { return []string{"todo", "done", id} },
			edits: func(id string) [2][]string { return [2][]string{{"todo", "edit", id, "other"}, {"todo", "start", id}} },
			both:  [2]string{"other", "in_progress"},
			all:   []string{"todo", "show", "--format", "plain"}, items: lines(regexp.MustCompile(`^(\d+)\t(\w+)\t(.*)`), "completed"),
			list: []string{"todo", "show"}, store: "store/sessions/s.json",
		},
		{
			name: "taskwarrior", program: "task", version: []string{"--version"},
			env:   func(dir string) []string { return []string{"TASKRC=" + dir + "/taskrc"} },
			files: map[string]string{"taskrc": "data.location=@DIR@/data\nconfirmation=off\nverbose=nothing\n"},
			add:   func(text string) []string { return []string{"add", text} },
			done:  func(id string) []string { return []string{id, "done"} },
			edits: func(id string) [2][]string {
				return [2][]string{{id, "modify", "priority:H"}, {id, "modify", "project:other"}}
			},
			both: [2]string{`"priority":"H"`, `"project":"other"`},
			all:  []string{"export"}, items: objects("", "uuid", "status", "completed"),
			list: []string{"list"}, store: "data/pending.data",
		},
		{
			name: "todo.txt", program: "todo-txt", version: []string{"-V"},
			files: map[string]string{"config": "export TODO_DIR=@DIR@\nexport TODO_FILE=@DIR@/todo.txt\nexport DONE_FILE=@DIR@/done.txt\nexport REPORT_FILE=@DIR@/report.txt\n"},
			env:   func(dir string) []string { return []string{"TODOTXT_CFG_FILE=" + dir + "/config"} },
			add:   func(text string) []string { return []string{"add", text} },
			done:  func(id string) []string { return []string{"-a", "do", id} },
			edits: func(id string) [2][]string { return [2][]string{{"pri", id, "A"}, {"append", id, "other"}} },
			both:  [2]string{"(A)", "other"},
			all:   []string{"-p", "list"}, items: lines(regexp.MustCompile(`^(\d+) (x?)(.*)`), "x"),
			list: []string{"-p", "list"}, store: "todo.txt",
		},
		{
			name: "seeds", program: "sd", version: []string{"--version"},
			prepare: [][]string{{"init"}},
			add:     func(text string) []string { return []string{"create", "--title", text} },
			done:    func(id string) []string { return []string{"close", id} },
			edits: func(id string) [2][]string {
				return [2][]string{{"update", id, "--title", "other"}, {"update", id, "--assignee", "me"}}
			},
			both: [2]string{`"other"`, `"me"`},
			all:  []string{"list", "--all", "--limit", "100000", "--json"}, items: objects("issues", "id", "status", "closed"),
			list: []string{"list"}, store: ".seeds/issues.jsonl",
		},
		{
			name: "Backlog.md", program: "backlog", version: []string{"--version"},
			prepare: [][]string{{"init", "x", "--defaults", "--agent-instructions", "none", "--check-branches", "false", "--include-remote", "false"}},
			add:     func(text string) []string { return []string{"task", "create", text} },
			done:    func(id string) []string { return []string{"task", "edit", id, "-s", "Done"} },
			edits: func(id string) [2][]string {
				return [2][]string{{"task", "edit", id, "-a", "@me"}, {"task", "edit", id, "--priority", "high"}}
			},
			both: [2]string{"@me", "High"},
			show: func(id string) []string { return []string{"task", "view", id, "--plain"} },
			all:  []string{"task", "list", "--plain"}, items: backlogItems,
			list: []string{"task", "list", "--plain"}, store: "backlog/tasks/*.md",
		},
		{
			name: "dex", program: "dex", version: []string{"--version"},
			add:  func(text string) []string { return []string{"create", text} },
			done: func(id string) []string { return []string{"complete", id, "--result", "ok", "--no-commit"} },
			edits: func(id string) [2][]string {
				return [2][]string{{"edit", id, "-n", "other"}, {"edit", id, "-p", "7"}}
			},
			both: [2]string{`"other"`, `"priority": 7`},
			all:  []string{"list", "--all", "--json"}, items: objects("", "id", "completed", "true"),
			list: []string{"list"}, store: ".dex/tasks.jsonl",
		},
		{
			name: "ohno", program: "ohno", version: []string{"--version"},
			prepare: [][]string{{"init"}},
			add:     func(text string) []string { return []string{"create", text} },
			done:    func(id string) []string { return []string{"done", id} },
			all:     []string{"tasks", "--limit", "100000", "--json"}, items: objects("tasks", "id", "status", "done"),
			list: []string{"tasks"}, store: ".ohno/tasks.db",
		},
		{
			name: "task-master", program: "task-master", version: []string{"--version"},
			files:   map[string]string{".taskmaster/tasks/tasks.json": `{"master":{"tasks":[],"metadata":{"created":"2026-11-21T09:00:00.000Z","updated":"2026-11-21T09:00:00.000Z","description":"x"}}}`},
			prepare: [][]string{{"init", "--yes", "--no-git", "--skip-install", "--no-aliases"}},
			add:     func(text string) []string { return []string{"add-task", "--title", text, "--description", "d"} },
			done:    func(id string) []string { return []string{"set-status", "--id", id, "--status", "done"} },
			all:     []string{"list", "--format", "json"}, items: objects("tasks", "id", "status", "done"),
			list: []string{"list"}, store: ".taskmaster/tasks/tasks.json", slow: true,
		},
	}
}

// objects returns a reader of items in a JSON array, which may be a member of an object.
func objects(member, id, status, done string) func([]byte) []item {
	return func(out []byte) []item {
		raw := out
		if member != "" {
			var outer map[string]json.RawMessage
			if json.Unmarshal(out, &outer) != nil {
				return nil
			}
			raw = outer[member]
		}
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
		var found []item
		for _, text := range list {
			var fields map[string]any
			if json.Unmarshal(text, &fields) == nil {
				found = append(found, item{fmt.Sprint(fields[id]), fmt.Sprint(fields[status]) == done, string(text)})
			}
		}
		return found
	}
}

// lines returns a reader of items in lines of text, whose groups are the id, the status and the rest.
func lines(form *regexp.Regexp, done string) func([]byte) []item {
	return func(out []byte) []item {
		var found []item
		for line := range strings.Lines(string(out)) {
			if f := form.FindStringSubmatch(line); f != nil {
				found = append(found, item{f[1], f[2] == done, line})
			}
		}
		return found
	}
}

// backlogItems reads the items of Backlog.md's list, which has a heading for each status.
func backlogItems(out []byte) []item {
	form := regexp.MustCompile(`^\s+(?:\[\w+\] )?(TASK-\d+) - (.*)`)
	var found []item
	done := false
	for line := range strings.Lines(string(out)) {
		if strings.HasSuffix(strings.TrimSpace(line), ":") {
			done = strings.HasPrefix(line, "Done")
		}
		if f := form.FindStringSubmatch(line); f != nil {
			found = append(found, item{f[1], done, line})
		}
	}
	return found
}
