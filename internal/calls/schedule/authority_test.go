package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/todo"
)

func TestAuthorOfAMessage(t *testing.T) {
	for _, c := range []struct {
		by     string
		person bool
		names  []string
		want   string
	}{
		{todo.ByUser, true, []string{"claude", "", ""}, ""},
		{todo.ByUser, false, []string{"claude", "codex", ""}, "claude"}, // typed in a terminal in which an agent works
		{"", true, []string{"", "codex", "reviewer"}, "codex"},
		{"", false, []string{"", "", "reviewer"}, "reviewer"},
		{"", false, []string{"", "", ""}, "agent"},
	} {
		if got := MessageAuthor(c.by, c.person, c.names...); got != c.want {
			t.Errorf("by %q, a person %v, %q: got %q, want %q", c.by, c.person, c.names, got, c.want)
		}
	}
}

// TestPermittedChange: an agent may change the queue, but not the user's messages in it.
func TestPermittedChange(t *testing.T) {
	drop := func(d *Document) (Change, error) { return DropMessage(d, 1) }
	push := func(d *Document) (Change, error) { return PushMessage(d, "more", "codex", 1) }
	for _, c := range []struct {
		name   string
		change func(*Document) (Change, error)
		sent   []string
		person bool
		want   error
		asks   bool
	}{
		{"a person drops it", drop, nil, true, nil, true},
		{"an agent drops it", drop, nil, false, todo.ErrForbidden, true},
		{"an agent drops what was sent", drop, []string{"u"}, false, nil, false},
		{"an agent queues another", push, nil, false, nil, false},
	} {
		asked := false
		d := &Document{Messages: []Message{{ID: "u", Text: "of the user"}}}
		_, err := Guard(c.change, c.sent, func() bool { asked = true; return c.person }, nil)(d)
		if !errors.Is(err, c.want) || asked != c.asks {
			t.Errorf("%s: %v, asked %v", c.name, err, asked)
		}
	}
}

func TestCheckMessages(t *testing.T) {
	before := []Message{{ID: "a", By: "codex", Text: "of the agent"}, {ID: "u", Text: "of the user"}, {ID: "s", Text: "sent"}}
	for _, c := range []struct {
		name   string
		change func([]Message) []Message
		want   bool // forbidden
	}{
		{"nothing", func(m []Message) []Message { return m }, false},
		{"push", func(m []Message) []Message { return append(m, Message{ID: "n", By: "codex"}) }, false},
		{"edit its own", func(m []Message) []Message { m[0].Text = "x"; return m }, false},
		{"drop its own", func(m []Message) []Message { return m[1:] }, false},
		{"drop what was sent", func(m []Message) []Message { return m[:2] }, false},
		{"drop the user's", func(m []Message) []Message { return slices.Delete(m, 1, 2) }, true},
		{"edit the user's", func(m []Message) []Message { m[1].Text = "x"; return m }, true},
		{"make it an agent's", func(m []Message) []Message { m[1].By = "codex"; return m }, true},
		{"pop all", func([]Message) []Message { return nil }, true},
	} {
		if err := CheckMessages(before, c.change(slices.Clone(before)), []string{"s"}); errors.Is(err, todo.ErrForbidden) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestAnswersOfAnAgent: whatever the command is, an agent's change of calls and rules that answers for the user is refused, in words.
func TestAnswersOfAnAgent(t *testing.T) {
	approval := func(outcome string) func(d *Document) {
		return func(d *Document) {
			d.Calls[0].Approval = &Approval{Outcome: outcome}
			d.Calls[0].Status = map[string]Status{outcomeModified: Awaiting, outcomeRefused: Cancelled}[outcome]
			if d.Calls[0].Status == "" {
				d.Calls[0].Status = Scheduled
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(d *Document)
		want   string
	}{
		{"nothing", func(*Document) {}, ""},
		{"approves once", approval(outcomeOnce), "approve a call"},
		{"approves always", approval(outcomeAlways), "approve a call"},
		{"a rule allows it", approval(outcomePolicy), ""},
		{"denies", approval(outcomeRefused), "deny a call"},
		{"cancels", func(d *Document) { d.Calls[0].Status = Cancelled }, ""},
		{"removes what waits", func(d *Document) { d.Calls = d.Calls[1:] }, "remove calls"},
		{"removes what has ended", func(d *Document) { Clear(d) }, "remove calls"},
		{"modifies", func(d *Document) { d.Calls[0].Args = jsontext.Value(`{"a":2}`) }, "modify a call"},
		{"submits", func(d *Document) { d.Calls = append(d.Calls, Call{ID: "new", Status: Awaiting}) }, ""},
		{"what has ended", func(d *Document) { d.Calls[1].Approval = nil }, ""},
		{"adds a rule", func(d *Document) { d.Rules = append(d.Rules, policy.Rule{Tool: "x", Decision: policy.Allow}) }, "add a rule"},
		{"removes a rule", func(d *Document) { d.Rules = slices.Delete(d.Rules, 0, 1) }, "remove a rule"},
		{"changes a rule", func(d *Document) { d.Rules[0].Decision = policy.Allow }, "remove a rule"},
	} {
		d := &Document{
			Calls: []Call{{ID: "c1", Status: Awaiting, Args: jsontext.Value(`{"a":1}`)}, {ID: "c2", Status: Success, Approval: &Approval{Outcome: outcomeOnce}}},
			Rules: []policy.Rule{{Tool: "y", Decision: policy.Deny}},
		}
		refused := ""
		may := func(what, instead string) error {
			if refused = what; !strings.HasPrefix(instead, "`onward ") {
				t.Errorf("%s: refused without a command instead: %s", c.name, instead)
			}
			return todo.ErrForbidden
		}
		change := func(d *Document) (Change, error) { c.change(d); return Change{What: "did it"}, nil }
		_, err := Guard(change, nil, func() bool { return false }, may)(d)
		if refused != c.want || (err != nil) != (c.want != "") {
			t.Errorf("%s: refused to %q, want %q; error %v", c.name, refused, c.want, err)
		}
	}
}
