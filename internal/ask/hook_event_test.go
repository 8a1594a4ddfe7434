package ask

import (
	"testing"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

func TestTaskOfAnEvent(t *testing.T) {
	abort := []continuation.Event{{Type: continuation.Abort}}
	idle, working := &session.Document{}, &session.Document{}
	working.Continuation.Turn = &session.Turn{}
	for _, c := range []struct {
		name        string
		call        hook.Call
		doc         *session.Document
		refuses     bool // the agent lets a hook keep a prompt from the model
		inRun       bool
		withoutUser bool
		want        HookAction
	}{
		{"the end of a turn", hook.Call{Kind: hook.Stop}, idle, true, false, false, Decide},
		{"the end of a turn in a run", hook.Call{Kind: hook.Stop}, idle, true, true, true, IgnoreEvent},
		{"the end of a sub-agent in a run", hook.Call{Kind: hook.SubagentStop}, idle, true, true, true, Decide},
		{"a new conversation", hook.Call{Kind: hook.Start}, nil, true, false, false, ApplyAndTellList},
		{"a new conversation in a run", hook.Call{Kind: hook.Start}, nil, true, true, true, ApplyAndTellList},
		{"a prompt", hook.Call{Kind: hook.Prompt, Text: "fix it"}, idle, true, false, false, ApplyEvent},
		{"a prompt of a run", hook.Call{Kind: hook.Prompt, Text: "fix it"}, idle, true, true, true, IgnoreEvent},
		{"a prompt in a gate", hook.Call{Kind: hook.Prompt, Text: "fix it"}, idle, true, false, true, IgnoreEvent},
		{"a command", hook.Call{Kind: hook.Prompt, Text: "/todo done 1"}, idle, true, false, false, RunCommand},
		{"a command that the agent cannot hold back", hook.Call{Kind: hook.Prompt, Text: "/todo done 1"}, idle, false, false, false, ApplyEvent},
		{"a command that an agent may send too", hook.Call{Kind: hook.Prompt, Text: "/todo done 1"}, idle, true, false, true, RunCommand},
		{"a command of the user alone", hook.Call{Kind: hook.Prompt, Text: "/stop"}, idle, true, false, false, RunCommand},
		{"the same without a user", hook.Call{Kind: hook.Prompt, Text: "/stop"}, idle, true, false, true, IgnoreEvent},
		{"a tool call", hook.Call{Kind: hook.Report}, idle, true, false, false, ApplyEvent},
		{"a tool call in a run", hook.Call{Kind: hook.Report}, idle, true, true, true, ApplyEvent},
		{"the agent interrupts itself", hook.Call{Kind: hook.Report, Events: abort}, idle, true, false, false, IgnoreEvent},
		{"the user interrupts its turn", hook.Call{Kind: hook.Report, Events: abort}, working, true, false, false, ApplyEvent},
		{"an interrupt without a list", hook.Call{Kind: hook.Report, Events: abort}, nil, true, false, false, ApplyEvent},
	} {
		e := HookHandler{Agent: &hook.Protocol{CanRefusePrompt: c.refuses, Exits: func([]byte) bool { return true }}, Call: c.call, doc: c.doc}
		if got := e.ChooseAction(c.inRun, func() bool { return c.withoutUser }, func() []byte { return nil }); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestConversationIsApart(t *testing.T) {
	project, own := session.Name{Session: "project"}, session.Name{Session: "project-2"}
	for _, c := range []struct {
		name, meant session.Name
		named, want bool
	}{
		{project, project, false, false},
		{own, project, false, true},
		{own, project, true, false},
	} {
		e := HookHandler{Name: c.name, Named: c.named, meant: c.meant}
		if e.HasOwnList() != c.want {
			t.Errorf("%v for %v, named %v: want %v", c.name, c.meant, c.named, c.want)
		}
	}
}
