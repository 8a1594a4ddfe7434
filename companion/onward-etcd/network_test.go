//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// cable is a connection to a server that can be cut.
type cable struct {
	listen net.Listener
	server string

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func newCable(t *testing.T, server string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listen: l, server: server}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go c.connect(conn)
		}
	}()
	return c
}

func (c *cable) connect(client net.Conn) {
	server, err := net.Dial("tcp", c.server)
	if err != nil {
		client.Close()
		return
	}
	c.mu.Lock()
	c.conns = append(c.conns, client, server)
	cut := c.cut
	c.mu.Unlock()
	if cut {
		c.close()
		return
	}
	go io.Copy(server, client)
	io.Copy(client, server)
}

// set cuts the cable with all that is on its way, or mends it.
func (c *cable) set(cut bool) {
	c.mu.Lock()
	c.cut = cut
	c.mu.Unlock()
	if cut {
		c.close()
	}
}

func (c *cable) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

// The network is cut again and again, also between a commit and its answer. Whoever tries again with the same --op
// adds nothing twice, and nothing that was acknowledged is lost.
func TestNetworkCutRepeatedly(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	wire := newCable(t, c.Nodes[0].Client)
	over := make(chan struct{})
	var cuts sync.WaitGroup
	n := 0
	cuts.Go(func() {
		for {
			for _, cut := range []bool{true, false} {
				select {
				case <-over:
					wire.set(false)
					return
				case <-time.After(60 * time.Millisecond): // of the order of the time of one command
				}
				wire.set(cut)
			}
			n++
		}
	})
	const writers, each = 4, 20
	var all sync.WaitGroup
	codes := make([][]int, writers)
	m := newMachine(t, "etcd+plain://"+wire.listen.Addr().String()+"/team", "ONWARD_LOCK_TIMEOUT=0")
	var want []string
	for w := range writers {
		for i := range each {
			want = append(want, fmt.Sprintf("item.%d.%d", w, i))
		}
		all.Go(func() {
			for i := range each {
				item := fmt.Sprintf("item.%d.%d", w, i)
				for {
					code, _, errs := m.run("todo", "add", "--op", item, item)
					if codes[w] = append(codes[w], code); code == 0 {
						break
					}
					if code != 68 && code != 75 && code != 76 {
						t.Errorf("exit %d: %s", code, errs)
						break
					}
				}
			}
		})
	}
	all.Wait()
	close(over)
	cuts.Wait()
	var got []string
	for word := range strings.FieldsSeq(newMachine(t, c.URL("team")).must("todo", "show")) {
		if strings.HasPrefix(word, "item.") {
			got = append(got, word)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %d items, want %d: %v", len(got), len(want), got)
	}
	counts := map[int]int{}
	for _, code := range slices.Concat(codes...) {
		counts[code]++
	}
	t.Logf("the network was cut %d times; exit codes: %v", n, counts)
}
