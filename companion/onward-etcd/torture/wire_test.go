//go:build unix

package torture

import (
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"
)

// tap follows the connections of one client to the servers, and knows which of its changes got no answer.
type tap struct {
	mu     sync.Mutex
	writes []*call // the changes that were sent completely
}

// reset forgets the requests of the command before.
func (t *tap) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writes = nil
}

// soon is how long before its end a command may have stopped waiting for an answer without cancelling the request.
// On a busy machine, a command needs a second between its last look at the connection and its end.
const soon = 2 * time.Second

// unanswered returns the number of changes that were sent since the last reset and that got no answer before the
// end of the command, or too late for it.
func (t *tap) unanswered(end time.Time) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.writes {
		if one.givenUp || one.answered.IsZero() || one.answered.After(end.Add(-soon)) {
			n++
		}
	}
	return n
}

// conn is an HTTP/2 connection as the proxy sees it.
type conn struct {
	tap *tap

	mu      sync.Mutex
	headers *hpack.Decoder // decodes the headers that the client sends
	path    string         // the path in the block of headers that is being decoded
	answers *hpack.Decoder // decodes the headers that the client receives
	status  string
	calls   map[uint32]*call
}

// call is a gRPC request.
type call struct {
	path string
	data []byte

	// Guarded by the tap's mutex.
	answered time.Time // the time when the client had the whole answer with status 0
	givenUp  bool      // the client no longer waited for it
}

func (t *tap) watch() (sent, received io.WriteCloser) {
	c := &conn{tap: t, calls: map[uint32]*call{}}
	c.headers = hpack.NewDecoder(1<<16, func(f hpack.HeaderField) {
		if f.Name == ":path" {
			c.path = f.Value
		}
	})
	c.answers = hpack.NewDecoder(1<<16, func(f hpack.HeaderField) {
		if f.Name == "grpc-status" {
			c.status = f.Value
		}
	})
	return &frames{skip: len(preface), each: c.request}, &frames{each: c.answer}
}

// preface is the start of each connection: RFC 9113, section 3.4.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// The frames of HTTP/2 that matter here: RFC 9113, section 6.
const (
	frameData, frameHeaders, frameReset byte = 0, 1, 3
	flagEnd, flagPadded, flagPriority   byte = 1, 8, 0x20
)

// request handles a frame that the client sends.
func (c *conn) request(kind, flags byte, stream uint32, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body = content(kind, flags, body)
	switch kind {
	case frameHeaders: // the client's headers always fit in one frame
		c.path = ""
		_, _ = c.headers.Write(body)
		c.calls[stream] = &call{path: c.path}
	case frameData:
		one := c.calls[stream]
		if one == nil || !strings.HasPrefix(one.path, "/etcdserverpb.KV/") {
			return
		}
		one.data = append(one.data, body...)
		if flags&flagEnd != 0 && changes(one.path, one.data) {
			c.tap.mu.Lock()
			c.tap.writes = append(c.tap.writes, one)
			c.tap.mu.Unlock()
		}
	case frameReset:
		if one := c.calls[stream]; one != nil {
			c.tap.mu.Lock()
			one.givenUp = true
			c.tap.mu.Unlock()
		}
	}
}

// changes reports whether a request can change the store.
func changes(path string, data []byte) bool {
	if !strings.HasSuffix(path, "/Txn") {
		return !strings.HasSuffix(path, "/Range")
	}
	var txn pb.TxnRequest
	if len(data) < 5 || proto.Unmarshal(data[5:], &txn) != nil {
		return true
	}
	for _, op := range txn.Success {
		if op.GetRequestRange() == nil {
			return true
		}
	}
	return false
}

// answer handles a frame that the client has received. The trailers end a call; unless their status is 0,
// it is unknown whether the change was made.
func (c *conn) answer(kind, flags byte, stream uint32, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kind != frameHeaders {
		return
	}
	c.status = ""
	_, _ = c.answers.Write(content(kind, flags, body))
	if one := c.calls[stream]; one != nil && flags&flagEnd != 0 && c.status == "0" {
		c.tap.mu.Lock()
		one.answered = time.Now()
		c.tap.mu.Unlock()
	}
}

// content returns the body of a frame without its padding and its priority.
func content(kind, flags byte, body []byte) []byte {
	if kind > frameHeaders {
		return body
	}
	if flags&flagPadded != 0 && len(body) > int(body[0]) {
		body = body[1 : len(body)-int(body[0])]
	}
	if kind == frameHeaders && flags&flagPriority != 0 && len(body) >= 5 {
		body = body[5:]
	}
	return body
}

// frames splits one direction of a connection into frames.
type frames struct {
	skip int
	data []byte
	each func(kind, flags byte, stream uint32, body []byte)
}

func (f *frames) Write(data []byte) (int, error) {
	f.data = append(f.data, data...)
	if f.skip > 0 {
		n := min(f.skip, len(f.data))
		f.data, f.skip = f.data[n:], f.skip-n
	}
	for len(f.data) >= 9 {
		n := int(f.data[0])<<16 | int(f.data[1])<<8 | int(f.data[2])
		if len(f.data) < 9+n {
			break
		}
		f.each(f.data[3], f.data[4], binary.BigEndian.Uint32(f.data[5:])&(1<<31-1), f.data[9:9+n])
		f.data = f.data[9+n:]
	}
	return len(data), nil
}

func (f *frames) Close() error { return nil }
