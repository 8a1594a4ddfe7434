package cline

import (
	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// The names of Cline and of what it writes.
const (
	Kind stream.Kind = "cline"

	Stream stream.Format = "cline"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`cline --json`", List: "none: its model uses `onward todo`",
		Lines: lines, ChangesNothing: idle, New: func() stream.Parser { return new(parser) },
	},
}

// program is how it is started. It asks nobody before it changes files, and every run is a conversation of its own.
var program = agent.Program{
	Command: []string{"cline", "--json"},
	Ends:    []string{"--"},
	Prompt:  agent.PromptPlaceholder,
	Costs:   true,
	Install: "npm install -g cline",
}

// parser reads `cline --json`. One run is one turn, which run_result ends.
//
// Lines of a hook name their agent, and those of a sub-agent its parent; all others belong to the running agent.
type parser struct {
	stream.SequentialSessions
	calls int // the running agent's calls for which only the hook's line has arrived
}

var lines = []stream.LineType{
	{Name: "run_start", Marks: "providerId modelId"},
	{Name: "hook_event", Marks: "hookEventName agentId"},
	{Name: "agent_event", Marks: "ts event"},
	{Name: "team_event"},
	{Name: "team_restored"},
	{Name: "run_abort_requested"},
	{Name: "run_result", Marks: "finishReason iterations"},
	{Name: "run_aborted"},
	{Name: "error"},
}

// idle recognises the pieces of what a later line has as a whole.
func idle(_ stream.Parser, l *stream.Line) bool {
	return l.Is("agent_event") && string(l.Word("event", "type")) == "content_update"
}

func (p *parser) Read(l *stream.Line) error {
	switch string(l.Type) {
	case "hook_event":
		p.hook(l)
	case "agent_event":
		p.event(l.Member("event"))
	case "run_result":
		p.end(l)
	default:
		p.BeginRun()
	}
	return nil
}

// hook reads a line that names its agent.
func (p *parser) hook(l *stream.Line) {
	main := len(l.Word("parentAgentId")) == 0 || l.Member("parentAgentId").Kind() == 'n'
	name := string(l.Word("hookEventName"))
	if id := string(l.Word("taskId")); main && name == "agent_start" && (p.Session == nil || p.Session.ID != id) {
		p.Stop()
		p.Session, p.RunOver, p.calls = p.Open(id), false, 0
	}
	p.BeginRun()
	if !main {
		return
	}
	switch at := stream.ParseInstant(l.Word("ts")); name {
	case "agent_start", "agent_resume":
		if p.Session.NewestTurn() == nil {
			p.Session.BeginTurn(at)
		}
	case "tool_call":
		p.Session.CurrentTurn(at).Tools++
		p.calls++
	}
}

// event reads what happened to the agent or a sub-agent.
func (p *parser) event(e stream.Value) {
	p.BeginRun()
	t := p.Session.CurrentTurn(0)
	switch id := e.Word("toolCallId"); string(e.Word("type")) {
	case "content_start":
		switch name, input := string(e.Word("toolName")), e.Member("input").Raw(); {
		case len(id) == 0:
		case p.calls > 0: // it is the one that the hook has counted
			p.calls, t.Tools = p.calls-1, t.Tools-1
			p.Session.CountCall(t, id, name, input)
		default:
			p.Session.NoteCall(id, name, input)
		}
		p.Session.ExpectResult(id)
	case "content_end":
		p.Session.NoteAnswer(id, e.Member("output"), e.Member("error"))
		if callFailed(e) {
			p.Session.NoteFailedCall(id)
		}
		p.Session.NoteResult(id)
	case "usage":
		u := e.Usage("outputTokens", "inputTokens")
		u.Cost = stream.ParseMicros(e.Word("cost"))
		t.Usage.Add(u)
	case "error":
		t.Failure = stream.FailureOf("", string(e.Member("error").Text("message")), nil)
	default:
		p.Session.CountUnknown(e.Word("type"), ignoredEvents, "agent_event")
	}
}

// callFailed reports whether a call ended with an error. One with several parts did if each of them did.
func callFailed(e stream.Value) bool {
	parts, failed := 0, 0
	for part := range e.Member("output").Values('[') {
		if parts++; part.Member("success").Kind() == 'f' {
			failed++
		}
	}
	return e.Member("error").IsString() || parts > 0 && failed == parts
}

// ignoredEvents are types of events that say nothing of calls, of what they cost, or of failures. What is not here and not
// read is named as unread.
var ignoredEvents = []string{"content_update", "done", "iteration_end", "iteration_start", "notice"}

// end ends the run, which says how.
func (p *parser) end(l *stream.Line) {
	p.BeginRun()
	if p.Session.IsDuplicateEnd() {
		return
	}
	at := stream.ParseInstant(l.Word("ts"))
	t, status := p.Session.CurrentTurn(at), continuation.Failed
	t.RecordMessage(l.Text("text"))
	p.Session.NoteModel(l.Member("model").Word("id"))
	switch string(l.Word("finishReason")) {
	case "completed", "max_iterations": // the user's limit, after which a new run can begin
		status = continuation.Done
	case "aborted":
		status = continuation.Aborted
	default:
		t.Failure = stream.FailureOf("", string(l.Text("text")), nil)
	}
	p.Session.CloseTurn(status, at)
	p.RunOver = true
}
