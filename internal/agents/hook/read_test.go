package hook

import (
	"slices"
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/session"
	"onward/internal/todo"
)

func TestOtherKindsAreIgnored(t *testing.T) {
	p, err := readPayload([]byte(`{"a":null,"A":"x","n":1.5,"b":true,"l":[1,"2"],"o":{"k":"v"},"s":"{\"k\":\"v\"}","neg":-1,"big":1e999,"half":"\ud83d"}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, ok := range []bool{
		p.Text("a") == "x", // null counts as absent, so the next member with this name is used
		p.Text("n") == "1.5", p.Text("b") == "", p.Text("l") == "", p.Text("none") == "",
		p.Flag("b"), !p.Flag("a"), *p.Number("n") == 1.5, p.Number("a") == nil, p.Number("big") == nil,
		p.Count("neg") == nil, *p.Count("n") == 1,
		len(p.List("l")) == 2, p.List("o") == nil, p.Object("l") == nil, p.Object("a") == nil,
		p.Object("o").Text("k") == "v", p.Object("s").Text("k") == "v",
		p.Text("half") == "\uFFFD",
	} {
		if !ok {
			t.Errorf("case %d", i)
		}
	}
}

// tools are todo tools of several agents, with the names and refusals that the tests use.
var tools = []*native.Tools{
	{
		Todo: []native.Tool{
			{Name: "TodoWrite", Does: native.Writes},
		},
		Refusals: []string{"<tool_use_error>", "InputValidationError", "Error writing todos", "Todo creation blocked"},
	},
	{
		Todo: []native.Tool{
			{Name: "update_plan", Does: native.Writes},
			{Name: "TodoList", Does: native.Writes},
			{Name: "SetTodoList", Does: native.Writes},
			{Name: "update_todos", Does: native.Writes},
			{Name: "todoread", Does: native.Reads},
		},
		Refusals: []string{"failed to parse", "unsupported call"},
	},
}

func TestTodoTools(t *testing.T) {
	saved := []todo.Item{{ID: "1", Content: "one", Status: todo.InProgress}, {ID: "2", Content: "two", Status: todo.Pending}}
	for _, c := range []struct {
		name     string
		tool     string
		input    string
		response string
		want     string // the list afterwards; "-" if there is no list, "?" if the call is not one of a todo tool
	}{
		{"another tool", "Bash", `{"todos":[]}`, `{}`, "?"},
		{"a whole list", "TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]}`, `{}`, "a:completed b:pending"},
		{"an empty list", "todo_write", `{"todos":[]}`, `{}`, ""},
		{"no list", "TodoWrite", `{}`, `{}`, "-"},
		{"a list of another type", "TodoWrite", `{"todos":"- [ ] a"}`, `{}`, "-"},
		{"invalid items are left out", "TodoWrite", `{"todos":[{"content":" "},{"content":"a\u0000"},7,{"content":"c"}]}`, `{}`, "c:pending"},
		{"a number in place of the text", "TodoWrite", `{"todos":[{"content":5},{"content":7,"title":"b"}]}`, `{}`, "b:pending"},
		{"an unknown status", "TodoWrite", `{"todos":[{"content":"a","status":"someday"},{"content":"b"}]}`, `{}`, "b:pending"},
		{"a status of another type, or an empty one", "TodoWrite", `{"todos":[{"content":"a","status":3},{"content":"b","status":true},{"content":"c","status":[]},{"content":"d","status":{}},{"content":"e","status":""},{"content":"f","status":null}]}`, `{}`, "f:pending"},
		{"a completed of another type", "update_plan", `{"plan":[{"step":"a","completed":"yes"},{"step":"b","completed":true},{"step":"c","completed":null}]}`, `{}`, "b:completed c:pending"},
		{"null, also at the end", "TodoWrite", `{"todos":[null,{"content":"a"},null]}`, `{}`, "a:pending"},
		{"a patch with a status of another type", "TodoWrite", `{"merge":true,"todos":[{"id":"1","content":"uno","status":3},null,{"id":"2","status":"completed"}]}`, `{}`, "one:in_progress two:completed"},
		{"other words for a status", "TodoList", `{"todos":[{"title":"a","status":"done"},{"title":"b","status":"in-progress"},{"title":"c","status":"canceled"},{"title":"d","status":"not-started"}]}`, `{}`, "a:completed b:in_progress c:cancelled d:pending"},
		{"a patch with an unknown status leaves the item as it was", "TodoWrite", `{"merge":true,"todos":[{"id":"1","content":"uno","status":"someday"}]}`, `{}`, "uno:in_progress two:pending"},
		{"an item that failed", "TodoWrite", `{"todos":[{"content":"a","status":"failed"}]}`, `{}`, "a:blocked"},
		{"reading", "SetTodoList", `{"todos":null}`, `{}`, "-"},
		{"reading", "todoread", `{}`, `{}`, "-"},
		{"a plan as a string", "update_plan", `"{\"plan\":[{\"step\":\"a\",\"status\":\"in_progress\"}]}"`, `"Plan updated"`, "a:in_progress"},
		{"a patch", "TodoWrite", `{"merge":true,"todos":[{"id":"2","status":"completed"},{"id":"3","content":"three"},{"id":"9"}]}`, `{}`, "one:in_progress two:completed three:pending"},
		{"a patch of a text", "updateTodos", `{"merge":true,"todos":[{"id":"1","content":"uno"}]}`, `{}`, "uno:in_progress two:pending"},
	} {
		in, _ := readPayload([]byte(`{"in":` + c.input + `,"out":` + c.response + `}`))
		list, known, _, _ := readTodoCall(slices.Values(tools), native.ToolIn(slices.Values(tools), c.tool), in.Get("in"), in.Get("out"), new(Call))
		if !known || list == nil {
			if got := map[bool]string{false: "?", true: "-"}[known]; got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
			continue
		}
		items, changed := list(native.SavedList{Items: saved})
		if !changed {
			if c.want != "-" {
				t.Errorf("%s: got no list, want %q", c.name, c.want)
			}
			continue
		}
		var got []string
		for _, it := range items {
			got = append(got, it.Content+":"+string(it.Status))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if saved[0].Content != "one" || saved[0].Status != todo.InProgress || len(saved) != 2 {
			t.Fatalf("%s: the saved list was changed: %+v", c.name, saved)
		}
	}
}

func TestRefusedCalls(t *testing.T) {
	for response, want := range map[string]bool{
		``: false, `null`: false, `"Todos have been modified successfully"`: false, `"Plan updated"`: false, `{}`: false, `[]`: false,
		`{"success":true}`: false, `{"is_error":false,"error":null}`: false, `{"error":""}`: false, `{"status":"success"}`: false, `{"llmContent":"ok","returnDisplay":{}}`: false,
		`"<tool_use_error>InputValidationError: x</tool_use_error>"`: true, `"InputValidationError: x"`: true, `"unsupported call: update_plan"`: true,
		`"failed to parse function arguments: x"`: true, `{"success":false}`: true, `{"isError":true}`: true, `{"error":"no"}`: true,
		`"Todo creation blocked: by a hook"`: true, `{"llmContent":"Error writing todos: disk full"}`: true,
		`{"error":{"type":"invalid_tool_params"}}`: true, `{"status":"cancelled"}`: true, `{"resultType":"denied"}`: true,
	} {
		if got := refused(slices.Values(tools), Value(response)); got != want {
			t.Errorf("%s: got %v", response, got)
		}
	}
}

func TestLastMessage(t *testing.T) {
	for name, c := range map[string]struct{ tail, want string }{
		"nothing":                   {"", ""},
		"no JSON":                   {"hello\nworld\n", ""},
		"Claude Code":               {`{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]}}` + "\n" + `{"type":"summary"}`, "a"},
		"Codex":                     {`{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}}`, "a"},
		"Codex, an event":           {`{"type":"event_msg","payload":{"type":"agent_message","message":"a"}}`, "a"},
		"a word of the agent's own": {`{"id":"1","type":"me","content":"a"}` + "\n" + `{"$set":{"x":1}}`, "a"},
		"Qwen Code":                 {`{"type":"assistant","message":{"role":"model","parts":[{"text":"a"}]}}`, "a"},
		"Copilot":                   {`{"type":"assistant.message","data":{"content":"a"}}`, "a"},
		"the last of several":       {`{"role":"assistant","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}`, "b"},
		"a line that was cut":       {`stant","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}`, "b"},
		"tool results in between":   {`{"role":"assistant","content":"a"}` + "\n" + `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}`, "a"},
		"not of an earlier turn":    {`{"role":"assistant","content":"a"}` + "\n" + `{"role":"user","content":"b"}`, ""},
		"not of a sub-agent":        {`{"role":"assistant","content":"a"}` + "\n" + `{"role":"assistant","content":"b","isSidechain":true}`, "a"},
		"a message without a text":  {`{"role":"assistant","content":"a"}` + "\n" + `{"role":"assistant","content":[{"type":"tool_use"}]}`, "a"},
		"without an end of line":    {`{"role":"assistant","content":"a"}`, "a"},
		"with carriage returns too": {"{\"role\":\"assistant\",\"content\":\"a\"}\r\n\r\n", "a"},
	} {
		if got, _ := (&Protocol{Speaker: "me"}).LastMessage([]byte(c.tail)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestHostNotesAreNotMessages checks that lines that a host writes while its hooks run do not count as a new end of a turn,
// and that a message does.
func TestHostNotesAreNotMessages(t *testing.T) {
	const said = `{"type":"user","message":{"role":"user","content":"x"}}` + "\n" + `{"type":"assistant","message":{"role":"assistant","content":"a"}}`
	for _, more := range []string{"", "\n", "\n{\"type\":\"attachment\"}\n", "\n{\"type\":\"system\",\"content\":\"hook\"}\n{\"type\"", "\n{\"type\":\"assistant\",\"isSidechain\":true}\n"} {
		if message, at := (&Protocol{Speaker: "me"}).LastMessage([]byte(said + more)); message != "a" || at != len(said) {
			t.Errorf("%q: %q, %d of %d", more, message, at, len(said))
		}
	}
	for _, more := range []string{`{"type":"user","isMeta":true,"message":{"content":"blocked"}}`, `{"type":"assistant","message":{"content":"a"}}`} {
		if message, at := (&Protocol{Speaker: "me"}).LastMessage([]byte(said + "\n" + more)); message != "a" || at == len(said) {
			t.Errorf("%q: %q, %d", more, message, at)
		}
	}
}

func TestErrorClasses(t *testing.T) {
	for _, c := range []struct {
		word, message string
		want          continuation.ErrorClass
	}{
		{"rate_limit", "", continuation.ErrorRateLimit},
		{"overloaded", "", continuation.ErrorServer},
		{"authentication_failed", "", continuation.ErrorAuth},
		{"billing_error", "", continuation.ErrorBilling},
		{"invalid_request", "", continuation.ErrorInvalidRequest},
		{"invalid_request", "prompt is too long: 2 tokens > 1", continuation.ErrorContext},
		{"server_error", "", continuation.ErrorServer},
		{"max_output_tokens", "", continuation.ErrorUnknown},
		{"loop_detected", "", continuation.ErrorUnknown},
		{"unknown", "", continuation.ErrorUnknown},
		{"", "", continuation.ErrorUnknown},
		{"APIError", "status 429 slow down", continuation.ErrorRateLimit},
		{"APIError", "status 503 gone", continuation.ErrorServer},
	} {
		if got := errorClass(c.word, c.message, nil); got != c.want {
			t.Errorf("%q, %q: got %s, want %s", c.word, c.message, got, c.want)
		}
	}
}

func TestOpeningContextText(t *testing.T) {
	var items []todo.Item
	for range 30 {
		items = append(items, todo.Item{ID: "x", Content: "a\nb", Status: todo.Pending})
	}
	items[0].Status = todo.Completed
	text := OpeningContext{Name: session.Name{Session: "s"}, List: true, Help: "see {session}\n"}.Text(listOf(items...))
	for _, want := range []string{"by onward. Open, 29 of 30:\n2. [pending] \"a b\"\n", "21. [pending] \"a b\"\n+9 more", "see s\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if text := (OpeningContext{List: true}).Text(nil); text != "" {
		t.Errorf("got %q", text)
	}
}
