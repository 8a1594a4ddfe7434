package main

import (
	"bufio"
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is how long a message may be, in bytes.
const maxMessage = 16 << 20

// stdio is a transport over the client's pipes, with one message in each line. The library's own transport would end the
// conversation, with every call in progress, at the first line that is not a message, and would make every numeric id an integer.
type stdio struct {
	in  io.ReadCloser
	out io.Writer
}

// Connect starts reading the client's messages.
func (s stdio) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{stdio: s, lines: make(chan line), closed: make(chan struct{}), calls: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
	go c.receive()
	return c, nil
}

// connection is a client's pipes while they are read.
type connection struct {
	stdio
	lines  chan line
	once   sync.Once
	closed chan struct{}

	mu       sync.Mutex // held while a message is written
	calls    map[jsonrpc.ID]bool
	answered chan struct{} // signals that a call was answered
}

// line is one line of the client, or the error after the last one.
type line struct {
	data []byte
	long bool // it is longer than maxMessage
	err  error
}

// receive reads lines until the end of the input. Where Close cannot interrupt the read, receive goes on after it; that
// is harmless, because it shares nothing else.
func (c *connection) receive() {
	in := bufio.NewReaderSize(c.in, 64<<10)
	for {
		var next line
		for more := true; more && next.err == nil; {
			var part []byte
			part, more, next.err = in.ReadLine()
			if next.long = next.long || len(next.data)+len(part) > maxMessage; next.long {
				next.data = nil
			} else {
				next.data = append(next.data, part...)
			}
		}
		if next.err != nil && (next.long || len(next.data) > 0) {
			next.err = nil // the last line has no line break
		}
		select {
		case c.lines <- next:
		case <-c.closed:
			return
		}
		if next.err != nil {
			return
		}
	}
}

// Read returns the client's next message. It answers a line that is not a message with an error.
// At the end of the input, it returns only after every call is answered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var next line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case next = <-c.lines:
		}
		if next.err != nil {
			return nil, c.drain(ctx, next.err)
		}
		if !next.long && len(bytes.TrimSpace(next.data)) == 0 {
			continue
		}
		msg, refused := decodeMessage(next)
		if refused == nil {
			c.note(msg)
			return msg, nil
		}
		if err := c.send(refused); err != nil {
			return nil, err
		}
	}
}

// note remembers a call until it is answered, or the client cancels it.
func (c *connection) note(msg jsonrpc.Message) {
	request, ok := msg.(*jsonrpc.Request)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case request.Method == "subscriptions/listen": // is answered when it is cancelled
	case request.IsCall():
		c.calls[request.ID] = true
	case request.Method == "notifications/cancelled":
		if of := cancelled(request.Params); of.IsValid() {
			delete(c.calls, of)
		}
	}
}

// drain waits until every call is answered. That takes not long, since a call runs onward a few times at most.
func (c *connection) drain(ctx context.Context, end error) error {
	late := time.After(3 * patience)
	for {
		c.mu.Lock()
		n := len(c.calls)
		c.mu.Unlock()
		if n == 0 {
			return end
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-late:
			return end
		case <-c.answered:
		}
	}
}

// Write writes a message of the server.
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.send(data)
	}
	data, err := encodeResponse(response)
	if err == nil {
		err = c.send(data)
	}
	c.mu.Lock()
	delete(c.calls, response.ID)
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
	return err
}

func (c *connection) send(data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Close ends the conversation.
func (c *connection) Close() (err error) {
	c.once.Do(func() {
		close(c.closed)
		err = c.in.Close()
	})
	return err
}

// SessionID is empty, because there is one session on the pipes.
func (c *connection) SessionID() string { return "" }

// lenient accepts what other readers of JSON accept: duplicate names and invalid UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// decodeMessage reads a message, or returns the error that answers an invalid line.
func decodeMessage(l line) (msg jsonrpc.Message, refused []byte) {
	value := jsontext.Value(l.data)
	switch {
	case l.long:
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has more than %d bytes", maxMessage))
	case !value.IsValid(lenient):
		return nil, refusal(nil, jsonrpc.CodeParseError, "the line is not JSON")
	case value.Kind() == '[':
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "the line is an array; send one message on a line, not a batch")
	case value.Kind() != '{':
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "the line is not a JSON object")
	}
	var wire map[string]jsontext.Value
	if err := json.Unmarshal(value, &wire, lenient); err != nil {
		return nil, refusal(nil, jsonrpc.CodeParseError, "the line is not JSON")
	}
	raw, named := wire["id"]
	id, ok := decodeID(raw)
	if named && !ok {
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "id is neither a string nor a number")
	}
	var version, method string
	switch {
	case json.Unmarshal(wire["jsonrpc"], &version) != nil || version != "2.0":
		return nil, refusal(raw, jsonrpc.CodeInvalidRequest, `jsonrpc is not "2.0"`)
	case wire["method"] == nil && (wire["result"] != nil || wire["error"] != nil) && named:
		if msg, err := jsonrpc.DecodeMessage(value); err == nil {
			return msg, nil
		}
		return nil, refusal(raw, jsonrpc.CodeInvalidRequest, "the message is not a response")
	case wire["method"] == nil:
		return nil, refusal(raw, jsonrpc.CodeInvalidRequest, "method is missing")
	case json.Unmarshal(wire["method"], &method, lenient) != nil:
		return nil, refusal(raw, jsonrpc.CodeInvalidRequest, "method is not a string")
	}
	params := wire["params"]
	if method == "notifications/cancelled" {
		params = renamed(params)
	}
	return &jsonrpc.Request{ID: id, Method: method, Params: stdjson.RawMessage(params)}, nil
}

// foreign begins the id that the library sees of a call whose own id it would change. The rest of it is the own id, as JSON.
const foreign = "\x00"

// decodeID returns the id that is passed to the library.
func decodeID(raw jsontext.Value) (id jsonrpc.ID, ok bool) {
	switch raw.Kind() {
	case '"':
		var text string
		if json.Unmarshal(raw, &text, lenient) != nil {
			return id, false
		}
		if strings.HasPrefix(text, foreign) {
			text = foreign + string(raw)
		}
		id, _ = jsonrpc.MakeID(text)
	case '0':
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && math.Abs(float64(n)) < 1<<53 && strconv.FormatInt(n, 10) == string(raw) {
			id, _ = jsonrpc.MakeID(float64(n))
		} else {
			id, _ = jsonrpc.MakeID(foreign + string(raw))
		}
	default:
		return id, false
	}
	return id, true
}

// renamed returns the parameters of a cancellation, with the id that the library uses.
func renamed(params jsontext.Value) jsontext.Value {
	var p map[string]jsontext.Value
	if json.Unmarshal(params, &p, lenient) != nil {
		return params
	}
	id, ok := decodeID(p["requestId"])
	if text, _ := id.Raw().(string); !ok || !strings.HasPrefix(text, foreign) {
		return params
	}
	p["requestId"], _ = jsontext.AppendQuote(nil, id.Raw().(string))
	out, err := json.Marshal(p)
	if err != nil {
		return params
	}
	return out
}

// cancelled returns the id of the call that a notification cancels.
func cancelled(params []byte) (id jsonrpc.ID) {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p, lenient) == nil {
		id, _ = jsonrpc.MakeID(p.ID)
	}
	return id
}

// encodeResponse writes an answer with the id that the call had.
func encodeResponse(r *jsonrpc.Response) ([]byte, error) {
	text, _ := r.ID.Raw().(string)
	own, ok := strings.CutPrefix(text, foreign)
	if !ok {
		return jsonrpc.EncodeMessage(r)
	}
	zero, err := jsonrpc.MakeID(0.0)
	if err != nil {
		return nil, err
	}
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: zero, Result: r.Result, Error: r.Error})
	if err != nil {
		return nil, err
	}
	before, after, ok := bytes.Cut(data, []byte(`"id":0`))
	if !ok {
		return nil, errors.New("an encoded response has no id")
	}
	return append(append(append([]byte{}, before...), `"id":`+own...), after...), nil
}

// refusal returns the answer to a line that is not a message. The id is null if it cannot be known.
func refusal(id jsontext.Value, code int, why string) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	text, _ := jsontext.AppendQuote(nil, why)
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text)
}
