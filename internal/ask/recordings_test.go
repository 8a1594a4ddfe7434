package ask

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/golden"
)

// TestRecordedConversations applies the events that agents' own programs sent to a hook, and compares the resulting lists with golden files.
// A line of a recording contains a call: its arguments, the event, and the answer of the version that recorded it.
func TestRecordedConversations(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../testdata/hooks/*/*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		agent := filepath.Base(filepath.Dir(file))
		name := agent + "-" + strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, filepath.Join("testdata", name+".golden"), follow(t, agent, string(data)))
		})
	}
}

func follow(t *testing.T, agent, recording string) string {
	var b strings.Builder
	doc := play(t, agent, recording, func(c hook.Call, did session.Change, doc *session.Document) {
		if did.List {
			fmt.Fprintf(&b, "%s%s\n", c.Event, owner(doc))
			for _, it := range doc.Todos.Current() {
				fmt.Fprintf(&b, "\t%s %s %q%s\n", it.ID, it.Status, it.Content, reason(&it))
			}
		}
	})
	fmt.Fprintf(&b, "%d open\n", todo.Count(doc.Todos.Current()).Open)
	return b.String()
}

// play applies the calls of a recording to a document, calls show after each, and returns the document.
func play(t *testing.T, agent, recording string, show func(hook.Call, session.Change, *session.Document)) *session.Document {
	t.Helper()
	var doc session.Document
	now := todo.Time(1_800_000_000_000)
	for line := range strings.Lines(recording) {
		var call struct {
			Event json.RawMessage `json:"stdin"`
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		c, err := agents.Hook(agent).Read(call.Event, agents.Tools(), agents.FailureTexts())
		if err != nil {
			t.Fatal(err)
		}
		did, err := applyCall(c, &doc, time.Hour, now)
		if err != nil {
			t.Fatal(err)
		}
		if did.What != "" {
			doc.Rev++ // as a commit does
		}
		show(c, did, &doc)
		now += 10_000
	}
	return &doc
}

func owner(doc *session.Document) string {
	if o := doc.Owner; o != nil && o.EndedAt == 0 {
		return " (" + o.Agent + " " + o.Session[:min(8, len(o.Session))] + ")"
	}
	return ""
}

func reason(it *todo.Item) string {
	switch {
	case it.Reason != "":
		return " (" + it.Reason + ")"
	case it.Assignee != "":
		return " (for " + it.Assignee + ")"
	}
	return ""
}
