//go:build unix

package realagents

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// call is a tool call by the model.
type call struct {
	id   string
	name string
	args map[string]any
}

// reply is an answer of the model.
type reply struct {
	text  string
	calls []call
	slow  bool   // the model takes half a second to answer, as a real one does at least
	hang  bool   // the model does not answer until the agent closes the connection
	fails bool   // the host refuses the request with an error
	limit bool   // the host refuses all requests for limitTime because of a usage limit
	quota bool   // the host refuses all requests for two hours, and says so in a way that no agent waits for
	full  bool   // the host refuses the request because the conversation is too long for the model
	first func() // what happens before the model answers; nil if nothing does
}

// request contains the members of a request that a script needs, in a form that all wire protocols share.
type request struct {
	tools   []string // the tools that the agent offers; none in requests for a title and the like
	results bool     // true if the last entry of the conversation is the result of a tool
	text    string   // the last message with the role of the user, which may be one that the agent wrote
	first   string   // the first message of the user, if the protocol repeats it
}

// model is a server that answers from a script, in any of the four wire protocols.
//
// A message of the user starts the next turn of the script, and each batch of tool results gets the next reply of the turn.
// The last turn is repeated forever, so a script that ends with talk is a model that no longer works.
type model struct {
	t    *testing.T
	base string // http://127.0.0.1:port

	mu    sync.Mutex
	turns [][]reply
	turn  int      // number of turns that have started
	step  int      // index of the next reply in the turn
	texts []string // the messages that started the turns
	tools []string // the tools that were offered with any request
	ids   int

	others []other

	free time.Time // the end of the usage limit

	meet  func() // called before the first answer, see together
	first sync.Once

	prepared bool // the agent's settings name it

	hung chan struct{} // closed when an agent waits for a reply with hang
}

// other is a model to which another one leaves some requests.
type other struct {
	answers func(request) bool
	model   *model
}

// leave lets another model answer the requests for which answers returns true.
func (m *model) leave(to *model, answers func(request) bool) {
	m.others = append(m.others, other{answers, to})
	to.ids = 1000 * len(m.others) // both may answer in one conversation, so their ids must differ
}

// newModel serves a script on loopback until the test ends.
func newModel(t *testing.T, turns ...[]reply) *model {
	t.Helper()
	m := &model{t: t, turns: turns, hung: make(chan struct{})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: m.routes()}}
	server.Start()
	t.Cleanup(server.Close)
	m.base = server.URL
	return m
}

// together delays the first answer of each model until all of them were asked, or until ctx ends.
func together(ctx context.Context, models ...*model) {
	var asked sync.WaitGroup
	asked.Add(len(models))
	all := make(chan struct{})
	go func() {
		asked.Wait()
		close(all)
	}()
	for _, m := range models {
		m.meet = func() {
			asked.Done()
			select {
			case <-all:
			case <-ctx.Done():
			}
		}
	}
}

func (m *model) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", m.anthropic)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"input_tokens":100}`)
	})
	mux.HandleFunc("POST /v1/responses", m.responses)
	mux.HandleFunc("POST /v1/chat/completions", m.chat)
	mux.HandleFunc("POST /v1beta/models/", m.gemini)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[],"models":[]}`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"error":{"message":"not served"}}`, http.StatusNotFound)
	})
	return mux
}

// respond returns the next reply of the script; ok is false if it has refused the request.
func (m *model) respond(w http.ResponseWriter, to *http.Request, r request) (out reply, ok bool) {
	for _, o := range m.others {
		if o.answers(r) {
			return o.model.respond(w, to, r)
		}
	}
	if m.meet != nil && len(r.tools) > 0 {
		m.first.Do(m.meet)
	}
	if m.limited() {
		refuse(w, http.StatusTooManyRequests, "rate_limit_error", "RESOURCE_EXHAUSTED", "rate_limit_exceeded", "This request would exceed your rate limit. Please try again later.")
		return reply{}, false
	}
	if out = m.next(r); out.first != nil {
		out.first()
	}
	if out.slow {
		time.Sleep(time.Second / 2)
	}
	switch {
	case out.limit:
		m.mu.Lock()
		m.free = time.Now().Add(limitTime)
		m.mu.Unlock()
		return m.respond(w, to, r)
	case out.quota:
		w.Header().Set("X-Should-Retry", "false")
		refuseFor(w, 2*time.Hour, http.StatusTooManyRequests, "usage_limit_reached", "RESOURCE_EXHAUSTED", "usage_limit_reached", "You have hit your usage limit. Please try again in 2 hours.")
		return reply{}, false
	case out.full:
		refuse(w, http.StatusBadRequest, "invalid_request_error", "INVALID_ARGUMENT", "context_length_exceeded",
			"prompt is too long: 250000 tokens > 200000 maximum. The input token count exceeds the maximum number of tokens allowed; your input exceeds the context window of this model.")
		return out, false
	case out.hang:
		m.hungUp()
		<-to.Context().Done()
		panic(http.ErrAbortHandler)
	case out.fails:
		// No agent retries after this status.
		refuse(w, http.StatusBadRequest, "invalid_request_error", "INVALID_ARGUMENT", "", "the model refuses")
	}
	return out, !out.fails
}

// limitTime is how long a usage limit lasts.
const limitTime = 20 * time.Second

// limited reports whether a usage limit applies now.
func (m *model) limited() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Before(m.free)
}

// refuse answers with an error in the form of each protocol. As with real hosts, the error for a limit names its end.
func refuse(w http.ResponseWriter, status int, kind, grpc, code, message string) {
	refuseFor(w, limitTime, status, kind, grpc, code, message)
}

func refuseFor(w http.ResponseWriter, d time.Duration, status int, kind, grpc, code, message string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	failure := object{"type": kind, "status": grpc, "code": code, "message": message}
	if code == "" || grpc == "RESOURCE_EXHAUSTED" {
		failure["code"] = status
	}
	if status == http.StatusTooManyRequests {
		seconds := fmt.Sprint(int(d.Seconds()))
		h.Set("Retry-After", seconds)
		failure["details"] = []object{{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": seconds + "s"}}
	}
	w.WriteHeader(status)
	fmt.Fprint(w, asJSON(object{"type": "error", "error": failure}))
}

func (m *model) hungUp() {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.hung:
	default:
		close(m.hung)
	}
}

func (m *model) next(r request) reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(r.tools) == 0 || slices.Equal(r.tools, []string{"session_title"}) {
		return reply{text: "A title"}
	}
	if !r.results {
		m.turn++
		m.step = 0
		m.texts = append(m.texts, r.text)
	}
	turn := m.turns[min(max(m.turn, 1), len(m.turns))-1]
	out := turn[min(m.step, len(turn)-1)]
	m.step++
	m.tools = append(m.tools, r.tools...)
	for i := range out.calls {
		out.calls[i].name = named(out.calls[i].name, r.tools)
		out.calls[i].id = m.newID("call")
	}
	return out
}

// named returns the agent's name of the tool that a call means. Each agent adds its own prefix to the names of a
// server's tools, so a script writes an asterisk and the end of the name.
func named(name string, tools []string) string {
	if end, ok := strings.CutPrefix(name, "*"); ok {
		if i := slices.IndexFunc(tools, func(tool string) bool { return strings.HasSuffix(tool, end) }); i >= 0 {
			return tools[i]
		}
	}
	return name
}

// offered returns the tools that the agent has offered with any of its requests.
func (m *model) offered() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tools)
}

// id returns a unique id: agents merge messages with the same id.
func (m *model) id(kind string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newID(kind)
}

func (m *model) newID(kind string) string {
	m.ids++
	return fmt.Sprintf("%s_%04d", kind, m.ids)
}

// began returns the messages that have started turns so far.
func (m *model) began() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.texts...)
}

// textReply returns a reply without tool calls, which ends a turn.
func textReply(text string) reply { return reply{text: text} }

// use returns a reply that calls tools.
func use(calls ...call) reply { return reply{text: "Working.", calls: calls} }
