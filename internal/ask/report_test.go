package ask

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// listOf returns a saved document with a list.
func listOf(items ...todo.Item) *session.Document {
	return &session.Document{Schema: session.Schema, Rev: 1, Session: "demo", Agent: session.Primary, Todos: session.Todos{Active: true, Items: items}}
}

func TestApplyCall(t *testing.T) {
	const stale = 2 * time.Hour
	prompt := []continuation.Event{{Type: continuation.UserPrompt}}
	live := &session.Owner{Agent: "codex", Session: "other", SeenAt: noon}
	for _, c := range []struct {
		name  string
		owner *session.Owner
		call  hook.Call
		did   bool
		owned string
	}{
		{"a list without an owner", nil, hook.Call{Session: "me", Agent: "claude"}, true, "me"},
		{"its own list, seen just now", &session.Owner{Session: "me", SeenAt: noon}, hook.Call{Session: "me"}, false, "me"},
		{"its own list, seen long ago", &session.Owner{Session: "me", SeenAt: noon - todo.Time(stale.Milliseconds()/4)}, hook.Call{Session: "me"}, true, "me"},
		{"its own list, resumed", &session.Owner{Session: "me", SeenAt: noon, EndedAt: noon}, hook.Call{Session: "me"}, true, "me"},
		{"a live one's list", live, hook.Call{Session: "me", Events: prompt}, false, "other"},
		{"a list that was left", &session.Owner{Session: "other", SeenAt: noon - todo.Time(stale.Milliseconds())}, hook.Call{Session: "me"}, true, "me"},
		{"an empty id", nil, hook.Call{Events: prompt}, false, ""},
		{"no id at all", nil, hook.Call{Anonymous: true, Events: prompt}, true, ""},
		{"an end", &session.Owner{Session: "me", SeenAt: noon}, hook.Call{Session: "me", Events: []continuation.Event{{Type: continuation.SessionEnd}}}, true, ""},
	} {
		doc := listOf(todo.Item{ID: "1", Content: "one", Status: todo.Pending})
		doc.Owner = c.owner
		did, err := applyCall(c.call, doc, stale, noon)
		if err != nil || (did.What != "") != c.did {
			t.Errorf("%s: did %q, %v", c.name, did.What, err)
		}
		owned := ""
		if doc.Owner != nil {
			owned = doc.Owner.Session
		}
		if owned != c.owned {
			t.Errorf("%s: the owner is %q", c.name, owned)
		}
	}
}

// The agent's process is searched only if it may differ from the recorded one, because
// the search takes longer than the whole decision.
func TestLookUpProcessOnce(t *testing.T) {
	one, two := &session.Process{PID: 1, Start: "1"}, &session.Process{PID: 2, Start: "2"}
	mine := func(p *session.Process) *session.Owner {
		return &session.Owner{Session: "me", SeenAt: noon, Process: p}
	}
	ended := mine(one)
	ended.EndedAt = noon
	prompt := []continuation.Event{{Type: continuation.UserPrompt}}
	for _, c := range []struct {
		name          string
		owner         *session.Owner
		call          hook.Call
		running       *session.Process
		looks         bool
		given, wanted *session.Process
	}{
		{"a new owner", nil, hook.Call{Events: prompt}, one, true, nil, one},
		{"another one's list", &session.Owner{Session: "other", SeenAt: noon - 1e9, Process: two}, hook.Call{Events: prompt}, one, true, nil, one},
		{"the recorded process", mine(one), hook.Call{Events: prompt}, one, true, one, one},
		{"the recorded process, and an event that changes nothing", mine(one), hook.Call{}, one, true, one, one},
		{"another process, of an event that changes nothing", mine(one), hook.Call{}, two, true, one, two},
		{"another process that is not found", mine(one), hook.Call{}, nil, true, one, nil},
		{"one that was not found", mine(nil), hook.Call{Events: prompt}, one, false, nil, nil},
		{"one that was not found, and the conversation begins again", mine(nil), hook.Call{Kind: hook.Start}, one, true, nil, one},
		{"after the conversation's end", ended, hook.Call{Events: prompt}, two, true, nil, two},
	} {
		doc := listOf(todo.Item{ID: "1", Content: "one", Status: todo.Pending})
		doc.Owner = c.owner
		looks, given := false, (*session.Process)(nil)
		c.call.Session, c.call.Agent = "me", "claude"
		c.call.Process = func(recorded *session.Process) *session.Process {
			looks, given = true, recorded
			return c.running
		}
		if _, err := applyCall(c.call, doc, 2*time.Hour, noon); err != nil {
			t.Fatal(err)
		}
		if looks != c.looks || given != c.given || doc.Owner.Process != c.wanted {
			t.Errorf("%s: looked %v with %v recorded, and recorded %v", c.name, looks, given, doc.Owner.Process)
		}
	}
}

func TestRelevantChanges(t *testing.T) {
	set, _, err := continuation.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	named := false
	for _, c := range []struct {
		name    string
		change  func(*session.Document, *Turn)
		reason  string
		matters bool
	}{
		{"sent on", func(*session.Document, *Turn) {}, "continue", true},
		{"paused before", func(d *session.Document, q *Turn) {
			d.Continuation.Paused = &session.Paused{Reason: "x", At: noon}
			q.Calls = 7
		}, "paused", false},
		{"paused now", func(_ *session.Document, q *Turn) { q.Call.Message = "ONWARD-PAUSE: x" }, "paused", true},
		{"done", func(d *session.Document, _ *Turn) { d.Todos.Items[0].Status = todo.Completed }, "done", false},
		{"an error that is over", func(d *session.Document, _ *Turn) {
			d.Todos.Items[0].Status = todo.Completed
			d.Continuation.Error = &session.Failure{Class: "server", At: noon, Count: 1}
		}, "done", true},
		{"another owner", func(d *session.Document, _ *Turn) {
			d.Todos.Items[0].Status = todo.Completed
			d.Owner = nil
		}, "done", true},
		{"interrupted", func(_ *session.Document, q *Turn) {
			q.Call.Events = []continuation.Event{{Type: continuation.Abort}}
		}, "aborted", true},
		{"not its list", func(d *session.Document, q *Turn) {
			d.Owner = &session.Owner{Session: "other", SeenAt: noon}
			named = true
		}, "not_owner", false},
		{"stale", func(d *session.Document, _ *Turn) {
			d.Continuation.PromptKey = "p"
			d.Todos.UpdatedAt = noon - todo.Time((3 * time.Hour).Milliseconds())
			d.Owner.Since = noon
		}, "stale", false},
	} {
		doc := listOf(todo.Item{ID: "1", Content: "one", Status: todo.Pending})
		doc.Owner = &session.Owner{Agent: "claude", Session: "me", SeenAt: noon, Since: noon - 1}
		turn := Turn{Call: hook.Call{Kind: hook.Stop, Session: "me", Agent: "claude"}, Agent: agents.Hook("claude"), StaleAfter: set.StaleAfter, Now: noon}
		named = false
		c.change(doc, &turn)
		before, facts := doc.Continuation, turn.Call.Facts
		facts.Named = named
		did, err := turn.report(doc, &facts)
		d, after := continuation.Decide(doc, facts, set, noon)
		if matters := turn.needsCommit(d, did, before, after); err != nil || d.Reason != c.reason || matters != c.matters {
			t.Errorf("%s: %s, matters %v, %v", c.name, d.Reason, matters, err)
		}
	}
}

func TestNotice(t *testing.T) {
	for outcome, want := range map[continuation.Outcome]string{
		continuation.Continue: "", continuation.Finished: "", continuation.Wait: "", continuation.NotApplicable: "",
		continuation.NeedsHuman: "onward: why; then", continuation.Limit: "onward: why; then", continuation.HostError: "onward: why; then",
	} {
		if got := StopNotice(Answer{Decision: continuation.Decision{Outcome: outcome, Message: "why", Hint: "then"}}); got != want {
			t.Errorf("%v: got %q", outcome, got)
		}
	}
	if got := StopNotice(Answer{Decision: continuation.Decision{Outcome: continuation.Finished, Message: "why"}, worked: true}); got != "onward: why" {
		t.Errorf("done by changes of files: got %q", got)
	}
}

// FuzzTake sends random input to the hook of every agent. It must not panic, and must leave a list that can be saved.
func FuzzTake(f *testing.F) {
	for _, s := range []string{
		`{"session_id":"s","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"x\nONWARD-PAUSE: y","background_tasks":[{"id":1,"type":[],"status":{}}]}`,
		`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"done"},{},null,7]},"tool_response":{"error":{}}}`,
		`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_input":{"taskId":"1","status":"deleted","addBlocks":["2"]},"tool_response":"Updated task #1"}`,
		`{"session_id":"s","hook_event_name":"AfterTool","tool_name":"tracker_create_task","tool_input":{"title":"t"},"tool_response":{"llmContent":"Created task 1: t"}}`,
		`{"event":"todos","session_id":"s","todos":"x","can_write":1}`,
	} {
		f.Add([]byte(s))
	}
	recorded, err := filepath.Glob(filepath.Join("..", "..", "testdata", "hooks", "*", "*.json"))
	if err != nil || len(recorded) == 0 {
		f.Fatal("no recordings", err)
	}
	for _, name := range recorded {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, a := range agents.Hooks() {
			c, err := a.Read(data, agents.Tools(), agents.FailureTexts())
			if err != nil {
				continue
			}
			doc := listOf(todo.Item{ID: "1", Content: "one", Status: todo.Pending})
			if _, err := applyCall(c, doc, 2*time.Hour, noon); err != nil {
				continue // refused, so nothing is committed
			}
			for i := range doc.Todos.Items {
				it := &doc.Todos.Items[i]
				if text, err := todo.CheckText(it.Content); err != nil || text != it.Content || it.ID == "" || !it.Status.Known() {
					t.Errorf("%s: item %d is %+v, %v", a.Name, i, it, err)
				}
			}
			turn, facts := Turn{Call: c, Agent: a, StaleAfter: 2 * time.Hour, Now: noon}, c.Facts
			if _, err := turn.report(listOf(todo.Item{ID: "1", Content: "one", Status: todo.Pending}), &facts); err != nil && c.Kind == hook.Stop {
				t.Logf("%s: %v", a.Name, err)
			}
		}
	})
}

// TestTurnOfSomebodyElse reports the start of a turn to a list that another agent owns. The turn must not end when the
// process of the owner does.
func TestTurnOfSomebodyElse(t *testing.T) {
	owner := &session.Process{Host: "elsewhere", PID: 1, Start: "1"}
	l := list(todo.Pending)
	l.change(func(doc *session.Document) {
		doc.Owner = &session.Owner{Agent: "codex", Session: "other", SeenAt: noon, Process: owner}
	})
	begins := ReportedEvents(slices.Values([][]continuation.Event{{{Type: continuation.TurnStart}}}))
	if _, err := begins.Apply(l.lists, name, noon, func(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
		return l.lists.Update(name, "", noon, change)
	}); err != nil {
		t.Fatal(err)
	}
	if turn := l.doc().Continuation.Turn; turn == nil || turn.Process != nil {
		t.Errorf("the turn is %+v, and it does not end with a process that is not its agent's", turn)
	}
}

// TestRunIsAtWork asks while the agent of a run is working. No other conversation may be prompted, even if messages are queued.
func TestRunIsAtWork(t *testing.T) {
	l := list(todo.Pending)
	l.atWork = true
	q, _, _ := question(l, noon)
	if got, err := q.Ask(); err != nil || got.Decision.Reason != "working" || l.commits > 0 {
		t.Errorf("%+v, %v, and %d commits", got.Decision, err, l.commits)
	}
	l.atWork = false
	q, _, _ = question(l, noon)
	if got, err := q.Ask(); err != nil || got.Decision.Outcome != continuation.Continue {
		t.Errorf("once it is over: %+v, %v", got.Decision, err)
	}
}
