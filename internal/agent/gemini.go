package agent

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// gemini reads `gemini --output-format stream-json`. One run is one session with one turn.
//
// A result of write_todos says only whether the call was accepted, so the list is the call's own.
// A call that the user cancelled is reported as a success; nothing in the stream tells it apart.
type gemini struct {
	r *Reader
	a *adapter
	s *stream

	waiting []geminiCall // calls of todo tools without a result, in order
	tracker tracker
	untold  bool // what the tracker did cannot be told
	speaks  bool // the last thing was a piece of the assistant's message, and more can follow
}

type geminiCall struct {
	id   string
	tool string
	args jsontext.Value
}

// maxWaiting bounds the calls that are remembered; a stream with more has lost their results.
const maxWaiting = 1024

// geminiLine is what we need of a line.
type geminiLine struct {
	Type       word           `json:"type"`
	SessionID  word           `json:"session_id"`
	Timestamp  word           `json:"timestamp"`
	Role       word           `json:"role"`
	Content    word           `json:"content"`
	Delta      truth          `json:"delta"`
	ToolName   word           `json:"tool_name"`
	ToolID     word           `json:"tool_id"`
	Parameters jsontext.Value `json:"parameters"`
	Status     word           `json:"status"`
	Output     word           `json:"output"`
	Error      geminiError    `json:"error"`
}

type geminiError struct {
	Type    word `json:"type"`
	Message word `json:"message"`
}

func (e *geminiError) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain geminiError
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	p, _ := objectAs[plain](v)
	*e = geminiError(p)
	return nil
}

func openGemini(r *Reader, a *adapter) parser { return &gemini{r: r, a: a} }

func detectGemini(h *head) bool {
	switch h.typ {
	case "init":
		return h.has("session_id", "timestamp")
	case "message":
		return h.has("role", "content", "timestamp")
	case "tool_use":
		return h.has("tool_name", "tool_id")
	case "tool_result":
		return h.has("tool_id", "status")
	case "error":
		return h.has("severity", "timestamp")
	case "result":
		return h.has("status", "timestamp")
	}
	return false
}

func (g *gemini) knows(typ string) bool {
	switch typ {
	case "init", "message", "tool_use", "tool_result", "error", "result":
		return true
	}
	return false
}

func (g *gemini) stream() *stream { return g.s }

// skim leaves out the results of calls that we do not wait for, and counts the calls of other tools.
func (g *gemini) skim(line []byte) bool {
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	var typ, tool []byte
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			typ, _ = k.word()
		case "tool_name":
			tool = k.wordOrNull()
		case "tool_id":
			id := k.wordOrNull()
			if string(typ) == "tool_result" {
				return !k.bad && g.find(string(id)) < 0
			}
		default:
			k.skip()
		}
	}
	if !k.done() || string(typ) != "tool_use" || len(tool) == 0 || isGeminiTodoTool(string(tool)) || g.s.newest() == nil {
		return false
	}
	g.s.newest().tools++
	g.speaks = false
	return true
}

// isGeminiTodoTool reports whether a tool is about todos, LLxprt Code's included.
func isGeminiTodoTool(name string) bool {
	switch name {
	case "write_todos", "todo_write", "todo_read", "todo_pause":
		return true
	}
	return isTrackerTool(name)
}

func (g *gemini) find(id string) int {
	return slices.IndexFunc(g.waiting, func(c geminiCall) bool { return c.id == id })
}

func (g *gemini) read(line []byte) error {
	var l geminiLine
	if err := decode(line, &l, g.r.decodeAll); err != nil {
		return err
	}
	at := instant(l.Timestamp)
	if l.Type == "init" {
		g.stop()
		if s := g.r.session(g.a, string(l.SessionID)); s != g.s {
			g.s, g.tracker, g.untold = s, tracker{}, false
		}
		g.s.begin(at)
		return nil
	}
	if g.s == nil {
		g.s = g.r.session(g.a, "")
	}
	switch l.Type {
	case "message":
		g.message(&l, at)
	case "tool_use":
		g.call(&l, at)
	case "tool_result":
		g.result(&l, at)
	case "result":
		g.end(&l, at)
	}
	return nil
}

// message keeps the end of what the assistant says, which comes in pieces.
func (g *gemini) message(l *geminiLine, at todo.Time) {
	if l.Role != "assistant" {
		g.speaks = false
		return
	}
	t := g.s.current(at)
	if !g.speaks {
		t.text.reset()
	}
	t.text.add(string(l.Content))
	g.speaks = bool(l.Delta)
}

func (g *gemini) call(l *geminiLine, at todo.Time) {
	t := g.s.current(at)
	g.speaks = false
	switch name := string(l.ToolName); {
	case name == "todo_write" || name == "todo_read" || name == "todo_pause":
		g.llxprt(l)
	case name == "write_todos" || isTrackerTool(name):
		g.wait(name, l)
	default:
		t.tools++
	}
}

// wait notes a call that its result decides.
func (g *gemini) wait(tool string, l *geminiLine) {
	if len(g.waiting) == maxWaiting {
		g.lose(g.waiting[0])
		g.waiting = slices.Delete(g.waiting, 0, 1)
	}
	g.waiting = append(g.waiting, geminiCall{id: string(l.ToolID), tool: tool, args: slices.Clone(l.Parameters)})
}

func (g *gemini) result(l *geminiLine, at todo.Time) {
	i := g.find(string(l.ToolID))
	if i < 0 {
		return
	}
	call := g.waiting[i]
	g.waiting = slices.Delete(g.waiting, i, i+1)
	if l.Status != "success" {
		if !isTrackerTool(call.tool) || changesTracker(call.tool) {
			g.s.rejected(Call{Tool: call.tool, ID: call.id}, string(l.Error.Message), l.Error.Type == "tool_not_registered")
		}
		return
	}
	g.s.current(at)
	if call.tool == "todo_pause" {
		g.pause(call.args, at)
		return
	}
	if isTrackerTool(call.tool) {
		g.track(call, string(l.Output), at)
		return
	}
	list, ok := objectAs[nativeList](call.args)
	if !ok || list.Todos == nil {
		g.s.warn("%s was accepted, but holds no list", quote(call.id))
		return
	}
	g.s.list(Update{TodoID: call.id, At: at}, g.s.items(list.Todos))
}

// track follows the task tracker as far as results tell what it did. Most versions leave the output out,
// and without a task's id an update cannot be joined to what it changes.
func (g *gemini) track(call geminiCall, output string, at todo.Time) {
	g.s.sum.TodoTool = TodoToolOn
	if g.untold {
		return
	}
	changed, told := g.tracker.apply(call.tool, call.args, output, nil)
	switch {
	case !told:
		g.untold = true
		g.s.warn("the task tracker is used, and this stream leaves out what it did; the chat recording tells it: ingest ~/.gemini/tmp/…/chats/session-….jsonl")
	case changed:
		g.s.list(Update{TodoID: call.id, At: at}, slices.Clone(g.tracker.items))
	}
}

func (g *gemini) end(l *geminiLine, at todo.Time) {
	t := g.s.current(at)
	status := continuation.Done
	switch {
	case l.Status == "success":
	case l.Error.Type == "FatalCancellationError":
		status = continuation.Aborted // thrown for the user's interrupt alone
	default:
		status = continuation.Failed
		t.failure = failure{code: spokenStatus(string(l.Error.Message)), kind: string(l.Error.Type), text: string(l.Error.Message)}
	}
	g.drop()
	g.s.end(status, at)
}

// drop gives up the calls whose result never came.
func (g *gemini) drop() {
	for _, c := range g.waiting {
		g.lose(c)
	}
	g.waiting, g.speaks = nil, false
}

func (g *gemini) lose(c geminiCall) {
	if !isTrackerTool(c.tool) || changesTracker(c.tool) {
		g.s.unconfirmed(Call{Tool: c.tool, ID: c.id})
	}
}

func (g *gemini) stop() {
	if g.s != nil {
		g.drop()
		g.s.cut()
	}
}
