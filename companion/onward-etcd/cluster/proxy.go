//go:build unix

package cluster

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// Fault is what a proxy does to the connections through it.
type Fault int

// The faults of a network.
const (
	NoFault Fault = iota
	Cut           // every connection is closed, and new ones are closed immediately
	Hole          // nothing arrives, in either direction, and no connection ends
	Mute          // requests arrive; their answers do not, from some moment of each connection on
	Slow          // everything arrives later
)

// Proxy is the network between a client and a server. It listens on this machine only.
type Proxy struct {
	Address string

	// Tap, if set before the first connection, returns two functions for each connection. One is called with
	// the bytes that the client sends, even if they are lost, the other with those that it receives.
	Tap func() (sent, received io.WriteCloser)

	server string

	mu    sync.Mutex
	fault Fault
	late  time.Duration
	pipes map[*pipe]bool
	count int // of connections so far
	hurt  int // connections that a fault has closed or robbed of data
}

// pipe is one connection through a proxy.
type pipe struct {
	client, server net.Conn
	lossy          bool // it has lost data, so nothing after that may arrive
	answers        int  // how many bytes of answers arrive before Mute begins; a client needs some to send its first request
}

// NewProxy starts a proxy in front of a server; it ends with the test.
func NewProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Address: l.Addr().String(), server: server, pipes: map[*pipe]bool{}}
	t.Cleanup(func() {
		_ = l.Close()
		p.Set(Cut, 0)
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.connect(conn)
		}
	}()
	return p
}

// Set begins a fault, or ends the present one. A connection that has lost bytes is closed then, as its ends would do.
// The time is the delay of each piece of data in a slow network.
func (p *Proxy) Set(f Fault, late time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.late = f, late
	for c := range p.pipes {
		if f == Cut {
			p.hurt++
		}
		if f == Cut || c.lossy {
			c.close()
		}
	}
}

// DamagedConnections returns how many connections a fault or their server has closed, or robbed of data.
func (p *Proxy) DamagedConnections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hurt
}

// Accepted returns how many connections there were so far.
func (p *Proxy) Accepted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// Connections returns how many connections are open. A connection counts until Tap has seen everything that its client sent.
func (p *Proxy) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.pipes)
}

func (p *Proxy) connect(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	c := &pipe{client: client, server: server, answers: rand.IntN(2000)}
	p.mu.Lock()
	p.pipes[c] = true
	p.count++
	if p.fault == Cut {
		p.hurt++
		c.close()
	}
	p.mu.Unlock()
	sent, received := io.WriteCloser(nothing{}), io.WriteCloser(nothing{})
	if p.Tap != nil {
		sent, received = p.Tap()
	}
	var both sync.WaitGroup
	both.Go(func() { p.carry(c, client, server, sent, nothing{}, Hole) })
	both.Go(func() { p.carry(c, server, client, nothing{}, received, Mute) })
	both.Wait()
	_ = sent.Close()
	_ = received.Close()
	p.mu.Lock()
	delete(p.pipes, c)
	p.mu.Unlock()
}

// carry copies one direction. Before is called with the data that came, after with the data that was passed on; swallows
// is the fault, besides Hole, that drops this direction. What the client sends is shown until the client ends, even if
// the server has ended before.
func (p *Proxy) carry(c *pipe, from, to net.Conn, before, after io.Writer, swallows Fault) {
	defer func() {
		if swallows == Hole {
			c.close()
			return
		}
		_ = c.server.Close()
		_ = c.client.(*net.TCPConn).CloseWrite()
	}()
	gone := false
	data := make([]byte, 32<<10)
	for {
		n, err := from.Read(data)
		_, _ = before.Write(data[:n])
		p.mu.Lock()
		fault, late := p.fault, p.late
		if swallows == Mute {
			c.answers -= n
		}
		if n > 0 && !c.lossy && (fault == Hole || fault == swallows && c.answers < 0) {
			c.lossy = true
			p.hurt++
		}
		lossy := c.lossy
		p.mu.Unlock()
		if fault == Slow && n > 0 {
			time.Sleep(late)
		}
		// Requests still arrive after an answer was lost.
		if n > 0 && !gone && (!lossy || swallows == Hole && fault == Mute) {
			_, err := to.Write(data[:n])
			if gone = err != nil; gone && swallows == Mute {
				return
			}
			_, _ = after.Write(data[:n])
		}
		if err != nil {
			if swallows == Mute && !errors.Is(err, net.ErrClosed) { // the server has ended, and the data on its way is lost
				p.mu.Lock()
				p.hurt++
				p.mu.Unlock()
			}
			return
		}
	}
}

func (c *pipe) close() {
	_ = c.client.Close()
	_ = c.server.Close()
}

// nothing ignores the data.
type nothing struct{}

func (nothing) Write(data []byte) (int, error) { return len(data), nil }
func (nothing) Close() error                   { return nil }
