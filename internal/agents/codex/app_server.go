package codex

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// appServer reads what `codex app-server` writes to its client, such as an editor: JSON-RPC without the member jsonrpc.
//
// A server has any number of threads, which each line names. A plan is a result already. Tokens are the thread's total so far.
type appServer struct {
	stream.Interleaved[*appThread]
	threads map[string]*appThread
}

// appThread is one thread of a server.
type appThread struct {
	*stream.Session
	total continuation.Usage
}

// maxThreads is how many threads of a server are followed at once.
const maxThreads = 1000

// detectAppServer goes by the method and the thread that is named.
func detectAppServer(l *stream.Line) bool {
	if len(l.Type) > 0 || l.Has("jsonrpc") {
		return false
	}
	switch string(l.Word("method")) {
	case "thread/started":
		return l.Member("params", "thread", "id").IsString()
	case "turn/started", "turn/completed", "turn/plan/updated", "item/started", "item/completed", "thread/tokenUsage/updated", "thread/status/changed":
		return l.Member("params", "threadId").IsString()
	}
	return false
}

func (p *appServer) Read(l *stream.Line) error {
	method, params := string(l.Word("method")), l.Member("params")
	if l.Has("jsonrpc") || method == "" && !l.Has("id") {
		return stream.ErrOtherAgent
	}
	id := params.Word("threadId")
	if method == "thread/started" {
		id = params.Word("thread", "id")
	}
	switch {
	case len(id) == 0 && p.Now == nil:
		return stream.ErrUnknownType // of the server as a whole, before any thread
	case len(id) > 0:
		p.enterThread(string(id), string(params.Word("thread", "parentThreadId")))
	}
	if method != "" {
		p.applyNotification(method, params, stream.ParseMillis(l.Word("emittedAtMs")))
	}
	return nil
}

// enterThread goes to a thread. One that another thread started is that thread's sub-agent.
func (p *appServer) enterThread(id, parent string) {
	s := p.threads[id]
	if s != nil && !s.Abandoned {
		p.EnterSession(s)
		return
	}
	s = &appThread{}
	if parent == "" {
		s.Session = p.Open(id)
	} else {
		s.Session = p.OpenSub(parent, stream.SubAgentName(id))
	}
	if p.threads == nil || len(p.threads) >= maxThreads {
		p.threads = make(map[string]*appThread)
	}
	p.threads[id] = s
	p.EnterSession(s)
}

// applyNotification applies what the server tells of the present thread.
func (p *appServer) applyNotification(method string, params stream.Value, at todo.Time) {
	s := p.Now
	switch method {
	case "turn/started":
		s.Stop()
		s.BeginTurn(at)
	case "turn/plan/updated":
		if list := params.Member("plan").List(); list != nil {
			s.EmitList(stream.Update{TodoID: string(params.Word("turnId")), At: at}, s.Items(list))
		}
	case "thread/tokenUsage/updated":
		total := params.Member("tokenUsage", "total")
		s.total = total.Usage("outputTokens", "inputTokens")
		s.total.Cached = stream.ParseCount(total.Word("cachedInputTokens"))
		s.total.Thread = native.ShortenID(s.ID)
	case "item/started", "item/completed":
		s.item(params.Member("item"), method == "item/completed", at)
	case "error":
		s.CurrentTurn(at).Failure = failureOf(params.Member("error"))
	case "turn/completed":
		if !s.IsDuplicateEnd() {
			s.end(params.Member("turn"), at)
		}
	case "thread/status/changed":
		s.Asks = len(params.Words("status", "activeFlags")) > 0 // it waits for an approval, or for an answer
	case "thread/goal/updated":
		goal(s.Session, params.Member("goal"), at)
	case "thread/goal/cleared":
		s.Emit(stream.Update{Event: goalOf("", "complete"), At: at})
	case "thread/closed":
		s.Stop()
	default:
		s.CountUnknown(stream.Word(method), ignoredNotices)
	}
}

// item counts a call, or keeps the model's message.
func (s *appThread) item(it stream.Value, completed bool, at todo.Time) {
	switch id := it.Word("id"); string(it.Word("type")) {
	case "commandExecution", "fileChange", "mcpToolCall", "collabAgentToolCall", "dynamicToolCall", "webSearch", "imageGeneration":
		s.CountCall(s.CurrentTurn(at), id, callName(it), callInput(it))
		if string(it.Word("status")) == "declined" {
			s.CurrentTurn(at).NoteDenied(id, string(it.Word("type")))
		}
		if completed {
			s.NoteResult(id)
		} else {
			s.ExpectResult(id)
		}
	case "agentMessage":
		if completed {
			s.CurrentTurn(at).RecordMessage(it.Text("text"))
		}
	}
}

func (s *appThread) end(turn stream.Value, at todo.Time) {
	t, status := s.CurrentTurn(at), continuation.Done
	t.Usage = s.total
	switch string(turn.Word("status")) {
	case "interrupted":
		status = continuation.Aborted
	case "failed":
		status = continuation.Failed
		if why := turn.Member("error"); why.Kind() == '{' {
			t.Failure = failureOf(why)
		}
	}
	s.CloseTurn(status, at)
}

// failureOf reads an error, whose class is a word, or an object with the class for a name.
func failureOf(why stream.Value) stream.Failure {
	info := why.Member("codexErrorInfo")
	kind, status := string(info.Word()), stream.Word(nil)
	for class := range info.Values('{') {
		kind, status = string(class.Name()), class.Word("httpStatusCode")
	}
	switch kind {
	case "usageLimitExceeded", "rateLimitExceeded":
		kind = "rate_limit"
	case "serverOverloaded":
		kind = "overloaded"
	case "contextWindowExceeded":
		kind = "context window"
	case "unauthorized":
		kind = "authentication"
	case "sessionBudgetExceeded":
		kind = "billing"
	}
	return stream.FailureOf(kind, string(why.Text("message")), status)
}
