package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// kimi reads `kimi -p --output-format stream-json`: bare chat messages, without types and times.
//
// A message of the assistant without calls is a turn's last one. Newer versions begin with a line that tells their version,
// and end a run that went well with one that tells how to resume the session, which is the only line that names it.
// A run that failed says so on stderr only, so its turn is cut off.
type kimi struct {
	r *Reader
	a *adapter
	s *stream

	calls todoCalls
	final bool // the turn's last message was seen
	over  bool // the session was named, so what follows is another run
}

// kimiLine is what we need of a line.
type kimiLine struct {
	Role       word         `json:"role"`
	Type       word         `json:"type"`
	Content    claudeBlocks `json:"content"`
	ToolCalls  kimiCalls    `json:"tool_calls"`
	ToolCallID word         `json:"tool_call_id"`
	Session    word         `json:"session_id"`
}

// text joins the content's pieces, of which a text has one or several.
func (l *kimiLine) text() string {
	var b strings.Builder
	for i := range l.Content {
		b.WriteString(string(l.Content[i].Text))
	}
	return b.String()
}

type kimiCalls []kimiCall

type kimiCall struct {
	ID       word         `json:"id"`
	Function kimiFunction `json:"function"`
}

type kimiFunction struct {
	Name      word           `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

func (f *kimiFunction) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain kimiFunction
	return objectOrNothing(d, (*plain)(f))
}

func (l *kimiCalls) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nil
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		if call, ok := objectAs[kimiCall](v); ok {
			*l = append(*l, call)
		}
		return nil
	})
}

// arguments gives the list that a call writes; it is nil for a call that only looks. They come as a string of JSON.
func (f *kimiFunction) arguments() (todos nativeItems, ok bool) {
	v := f.Arguments
	if len(v) > 0 && v.Kind() == jsontext.KindString {
		text, ok := textOf(v)
		if !ok {
			return nil, false
		}
		v = jsontext.Value(text)
	}
	list, ok := objectAs[nativeList](v)
	return list.Todos, ok
}

func openKimi(r *Reader, a *adapter) parser { return &kimi{r: r, a: a} }

func detectKimi(h *head) bool {
	switch h.typ {
	case "":
		return h.has("role", "tool_calls") || h.has("role", "tool_call_id") || h.fresh && h.has("role", "content")
	case "session.resume_hint":
		return h.has("role", "session_id")
	case "system.version":
		return h.has("role", "version")
	}
	return false
}

func (k *kimi) knows(typ string) bool {
	return typ == "" || typ == "session.resume_hint" || typ == "system.version"
}

func (k *kimi) stream() *stream { return k.s }

// skim leaves out the results of calls that nobody waits for.
func (k *kimi) skim(line []byte) bool {
	typ, _ := quickType(line)
	if string(typ) == "error" {
		return false // it may be all that another agent prints
	}
	if len(typ) > 0 || k.over || k.final || len(k.calls) > 0 || k.s.newest() == nil {
		return false
	}
	tool, answers := false, false
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		switch string(name) {
		case "role":
			role, ok := w.word()
			tool = ok && string(role) == "tool"
		case "tool_call_id":
			answers = true
			w.skip()
		case "type":
			return false
		default:
			w.skip()
		}
	}
	return tool && answers && !w.bad
}

func (k *kimi) read(line []byte) error {
	var l kimiLine
	if err := decode(line, &l, k.r.decodeAll); err != nil {
		return err
	}
	switch l.Role {
	case "assistant", "tool", "user", "system", "meta":
	default:
		return errUnknownType
	}
	if l.Type == "system.version" {
		k.stop()
	}
	if k.s == nil || k.over {
		k.run()
	}
	switch l.Role {
	case "meta":
		switch l.Type {
		case "system.version":
			k.s.begin(0)
		case "session.resume_hint":
			k.s.name(string(l.Session))
			k.stop()
		}
	case "user":
		k.end()
		k.s.cut()
		k.s.begin(0)
	case "assistant":
		k.assistant(&l)
	case "tool":
		k.result(&l)
	}
	return nil
}

// run goes to a session that has no name yet. Its events must differ from those of the run before, which had none either.
func (k *kimi) run() {
	ordinal := 0
	if k.s != nil {
		ordinal = k.s.ordinal
	}
	k.s, k.over = k.r.session(k.a, ""), false
	k.s.ordinal = max(k.s.ordinal, ordinal)
}

func (k *kimi) assistant(l *kimiLine) {
	k.end()
	t := k.s.current(0)
	text := l.text()
	t.text.reset()
	t.text.add(text)
	for i := range l.ToolCalls {
		call := &l.ToolCalls[i]
		if !isKimiTool(call.Function.Name) {
			t.tools++
			continue
		}
		todos, ok := call.Function.arguments()
		if ok && todos == nil {
			continue // it only looks
		}
		k.calls.add(k.s, todoCall{id: string(call.ID), tool: string(call.Function.Name), input: slices.Clone(call.Function.Arguments)})
	}
	k.final = len(l.ToolCalls) == 0 && !isKimiHook(text)
}

func isKimiTool(name word) bool { return name == "SetTodoList" || name == "TodoList" }

// isKimiHook reports whether a message is what a user's hook said, which comes in between.
func isKimiHook(text string) bool {
	title, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(title, " hook") || strings.HasSuffix(title, " hook blocked")
}

// result applies a call. No member tells whether it was accepted, only the text.
func (k *kimi) result(l *kimiLine) {
	call, ok := k.calls.take(string(l.ToolCallID))
	if !ok {
		return
	}
	text := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(l.text()), "<system>"))
	for _, start := range []string{"error", "invalid", "fail", "unknown", "unsupported", "tool ", "the tool call is rejected"} {
		if strings.HasPrefix(text, start) {
			k.s.rejected(call.named(), text, strings.Contains(text, "not found"))
			return
		}
	}
	f := kimiFunction{Arguments: call.input}
	todos, ok := f.arguments()
	if !ok {
		k.s.warn("%s was accepted, but holds no list", quote(call.id))
		return
	}
	k.s.list(Update{TodoID: call.id}, k.s.items(todos))
}

// kimiStatus reads the one word that is not ours.
func kimiStatus(word string) (todo.Status, bool) { return todo.Completed, word == "done" }

// end ends the turn whose last message was seen.
func (k *kimi) end() {
	if k.final {
		k.final = false
		k.calls.drop(k.s)
		k.s.end(continuation.Done, 0)
	}
}

func (k *kimi) stop() {
	if k.s != nil {
		k.end()
		k.calls.drop(k.s)
		k.s.cut()
		k.over = true
	}
}
