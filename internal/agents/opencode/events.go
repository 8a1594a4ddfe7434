package opencode

import (
	"bytes"
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// events reads what opencode's server reports to its clients at /event, one event a line, without the `data: ` before it.
//
// A server has any number of sessions, which each event names; a sub-agent's names its parent when it is created.
// An event has no time.
type events struct {
	stream.Interleaved[*served]
	sessions map[string]*served
}

// served is one session of a server.
type served struct {
	*stream.Session
	sub string // the sub-agent whose session it is; empty for a main one
}

// maxServed is how many sessions of a server are followed at once.
const maxServed = 1000

// detectEvents goes by the ids of the event and of its session.
func detectEvents(l *stream.Line) bool {
	return bytes.HasPrefix(l.Word("id"), []byte("evt_")) && bytes.HasPrefix(l.Word("properties", "sessionID"), []byte("ses_"))
}

// isServerEvent reports whether a type is that of an event: a group and what happened in it.
func isServerEvent(typ []byte) bool { return bytes.IndexByte(typ, '.') > 0 }

// ignoredServer are events that say nothing about a list or a turn.
var ignoredServer = []string{
	"catalog.updated", "command.executed", "file.edited", "file.watcher.updated", "installation.update-available", "installation.updated",
	"integration.updated", "lsp.client.diagnostics", "lsp.updated", "mcp.tools.changed", "message.part.delta", "message.part.removed",
	"message.removed", "message.updated", "permission.asked", "permission.replied", "permission.updated", "plugin.added", "project.updated",
	"pty.created", "pty.deleted", "pty.exited", "pty.updated", "question.asked", "question.rejected", "question.replied", "reference.updated",
	"server.connected", "server.heartbeat", "server.instance.disposed", "session.compacted", "session.deleted", "session.diff", "session.updated",
	"tui.command.execute", "tui.prompt.append", "tui.session.select", "tui.toast.show", "vcs.branch.updated",
}

func (p *events) Read(l *stream.Line) error {
	about := l.Member("properties")
	id := about.Word("sessionID")
	switch {
	case len(l.Word("id")) == 0 || about.Kind() != '{':
		return stream.ErrOtherAgent
	case len(id) == 0 && p.Now == nil:
		return stream.ErrUnknownType // of the server as a whole, before any session
	case len(id) > 0:
		p.enterSession(string(id), string(about.Word("info", "parentID")))
	}
	p.Now.event(string(l.Type), about)
	return nil
}

// enterSession goes to a session. One that another session started is that session's sub-agent.
func (p *events) enterSession(id, parent string) {
	s := p.sessions[id]
	if s != nil && !s.Abandoned {
		p.EnterSession(s)
		return
	}
	s = new(served)
	if parent == "" {
		s.Session = p.Open(id)
	} else {
		s.sub = stream.SubAgentName(id)
		s.Session = p.OpenSub(parent, s.sub)
	}
	if p.sessions == nil || len(p.sessions) >= maxServed {
		p.sessions = make(map[string]*served)
	}
	p.sessions[id] = s
	p.EnterSession(s)
}

// event applies what the server tells of a session.
func (s *served) event(typ string, about stream.Value) {
	switch typ {
	case "session.created":
		s.Counts.Version = string(about.Word("info", "version"))
	case "session.status":
		switch idle := string(about.Word("status", "type")) == "idle"; {
		case idle:
			s.idle()
		case s.NewestTurn() == nil:
			s.BeginTurn(0)
		}
	case "session.idle": // in older versions besides the status
		s.idle()
	case "session.error":
		if s.NewestTurn() != nil {
			status, failure := failureOf(about.Member("error"))
			s.NewestTurn().Failure = failure
			s.CloseTurn(status, 0)
		}
	case "todo.updated":
		if list := about.Member("todos").List(); list != nil {
			s.EmitList(stream.Update{TodoID: "todo.updated"}, s.Items(list))
		}
	case "message.part.updated":
		s.part(about.Member("part"))
	default:
		if !slices.Contains(ignoredServer, typ) {
			s.CountUnread(typ)
		}
	}
}

func (s *served) idle() {
	if s.NewestTurn() != nil {
		s.CloseTurn(continuation.Done, 0)
	}
}

// part counts a call, or keeps the model's message and what a step used. The list of a call comes with todo.updated.
func (s *served) part(p stream.Value) {
	t := s.NewestTurn()
	if t == nil {
		return
	}
	switch string(p.Word("type")) {
	case "tool":
		if name := string(p.Word("tool")); tools.Find(name) != nil {
			return
		}
		id := p.Word("callID")
		s.CountCall(t, id, string(p.Word("tool")), p.Member("state", "input").Raw())
		switch string(p.Word("state", "status")) {
		case "completed", "error":
			s.NoteResult(id)
		default:
			s.ExpectResult(id)
		}
	case "text":
		if !p.IsTrue("synthetic") && p.Has("time", "end") {
			t.RecordMessage(p.Text("text"))
		}
	case "step-finish":
		t.Usage.Add(usageOf(p))
	}
}
