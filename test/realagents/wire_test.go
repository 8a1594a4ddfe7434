//go:build unix

package realagents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// object is any JSON object.
type object = map[string]any

// stream writes server-sent events; a name is left out where the protocol has none.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	return stream{w}
}

func (s stream) event(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", text)
	s.w.(http.Flusher).Flush()
}

// decode reads a request; a body that is not JSON is answered as the agent's mistake.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// part is a piece of content, in the words of any protocol.
type part struct {
	Type             string          `json:"type"`
	Text             string          `json:"text"`
	FunctionResponse json.RawMessage `json:"functionResponse"`
}

// content is a text, or a list of parts.
type content []part

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]part)(c))
}

func (c content) text() string {
	var out []string
	for _, p := range c {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n")
}

// hear notes the last thing in the conversation so far.
func (r *request) hear(c content) {
	r.results = slices.ContainsFunc(c, func(p part) bool { return p.Type == "tool_result" || p.FunctionResponse != nil })
	r.text = c.text()
}

// writeWhole writes an answer that is not streamed.
func writeWhole(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, asJSON(answer))
}

// anthropic is the Messages API.
func (m *model) anthropic(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Stream   bool
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content content
		}
	}
	if !decode(w, r, &in) {
		return
	}
	var req request
	for _, t := range in.Tools {
		req.tools = append(req.tools, t.Name)
	}
	for _, msg := range in.Messages {
		if msg.Role != "user" {
			continue
		}
		req.hear(msg.Content)
		req.first = cmp.Or(req.first, req.text)
	}
	out, ok := m.respond(w, r, req)
	if !ok {
		return
	}
	stop := "end_turn"
	blocks := []object{{"type": "text", "text": out.text}}
	for _, c := range out.calls {
		stop = "tool_use"
		blocks = append(blocks, object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": c.args})
	}
	message := object{
		"id": m.id("msg"), "type": "message", "role": "assistant", "model": in.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": 100, "output_tokens": 10},
	}
	if !in.Stream {
		writeWhole(w, message)
		return
	}
	s := newStream(w)
	message["content"], message["stop_reason"] = []object{}, nil
	s.event("message_start", object{"type": "message_start", "message": message})
	for i, b := range blocks {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": out.text}
		if b["type"] == "tool_use" {
			start = object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": asJSON(b["input"])}
		}
		s.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
		s.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta})
		s.event("content_block_stop", object{"type": "content_block_stop", "index": i})
	}
	s.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	s.event("message_stop", object{"type": "message_stop"})
}

// responses is the Responses API.
func (m *model) responses(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools []struct {
			Type, Name string
			Tools      []struct{ Name string }
		}
		Input []struct {
			Type    string
			Role    string
			Content content
		}
	}
	if !decode(w, r, &in) {
		return
	}
	var req request
	for _, t := range in.Tools {
		req.tools = append(req.tools, t.Name)
		for _, inner := range t.Tools {
			req.tools = append(req.tools, t.Name+"."+inner.Name)
		}
	}
	for _, item := range in.Input {
		switch {
		case strings.HasSuffix(item.Type, "_call_output"):
			req.results = true
		case item.Role == "user":
			req.hear(item.Content)
		}
	}
	out, ok := m.respond(w, r, req)
	if !ok {
		return
	}
	items := []object{{
		"type": "message", "id": m.id("msg"), "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": out.text, "annotations": []any{}}},
	}}
	for _, c := range out.calls {
		item := object{
			"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.name,
			"arguments": asJSON(c.args), "status": "completed",
		}
		if space, name, ok := strings.Cut(c.name, "."); ok {
			item["namespace"], item["name"] = space, name
		}
		items = append(items, item)
	}
	s, id := newStream(w), m.id("resp")
	s.event("response.created", object{"type": "response.created", "response": object{"id": id}})
	for i, item := range items {
		s.event("response.output_item.added", object{"type": "response.output_item.added", "output_index": i, "item": item})
		s.event("response.output_item.done", object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	s.event("response.completed", object{"type": "response.completed", "response": object{
		"id": id, "output": items,
		"usage": object{"input_tokens": 100, "output_tokens": 10, "total_tokens": 110},
	}})
}

// chat is the Chat Completions API.
func (m *model) chat(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Stream   bool
		Tools    []struct{ Function struct{ Name string } }
		Messages []struct {
			Role    string
			Content content
		}
	}
	if !decode(w, r, &in) {
		return
	}
	var req request
	for _, t := range in.Tools {
		req.tools = append(req.tools, t.Function.Name)
	}
	for _, msg := range in.Messages {
		switch msg.Role {
		case "tool":
			req.results = true
		case "user":
			// Grok Build has its model sum a turn up, and Kimi Code adds reminders of its own, as messages of the user.
			switch text := strings.TrimSpace(msg.Content.text()); {
			case strings.HasPrefix(text, "<system-reminder>Write an ultra-short dashboard line"):
				req.tools = nil
			case !strings.HasPrefix(text, "<system-reminder>") || !strings.HasSuffix(text, "</system-reminder>"):
				req.hear(msg.Content)
			}
		}
	}
	out, ok := m.respond(w, r, req)
	if !ok {
		return
	}
	finish := "stop"
	message := object{"role": "assistant", "content": out.text}
	var calls []object
	for i, c := range out.calls {
		finish = "tool_calls"
		calls = append(calls, object{
			"index": i, "id": c.id, "type": "function",
			"function": object{"name": c.name, "arguments": asJSON(c.args)},
		})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
	id := m.id("chatcmpl")
	chunk := func(kind string, choice object) object {
		return object{"id": id, "object": kind, "created": 1, "model": in.Model, "choices": []object{choice}}
	}
	if !in.Stream {
		whole := chunk("chat.completion", object{"index": 0, "message": message, "finish_reason": finish})
		whole["usage"] = usage
		writeWhole(w, whole)
		return
	}
	s := newStream(w)
	s.event("", chunk("chat.completion.chunk", object{"index": 0, "delta": message, "finish_reason": nil}))
	last := chunk("chat.completion.chunk", object{"index": 0, "delta": object{}, "finish_reason": finish})
	last["usage"] = usage
	s.event("", last)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// gemini is generateContent, streamed or not.
func (m *model) gemini(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
		Contents []struct {
			Role  string
			Parts content
		}
	}
	if !decode(w, r, &in) {
		return
	}
	var req request
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			req.tools = append(req.tools, f.Name)
		}
	}
	for _, c := range in.Contents {
		if c.Role != "user" && c.Role != "function" {
			continue
		}
		req.hear(c.Parts)
	}
	if strings.HasSuffix(r.URL.Path, ":countTokens") {
		fmt.Fprint(w, `{"totalTokens":100}`)
		return
	}
	out, ok := m.respond(w, r, req)
	if !ok {
		return
	}
	parts := []object{{"text": out.text}}
	for _, c := range out.calls {
		parts = append(parts, object{"functionCall": object{"name": c.name, "args": c.args}})
	}
	whole := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
	}
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		newStream(w).event("", whole)
		return
	}
	writeWhole(w, whole)
}
