//go:build unix

package etcd

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// fleet is a store with many sessions.
type fleet struct {
	*testing.T
	servers *cluster.Cluster
	store   *Store
	asked   sync.Map // number of requests, by method
}

func (f *fleet) count(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	n, _ := f.asked.LoadOrStore(method[strings.LastIndexByte(method, '/')+1:], new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	return invoke(ctx, method, req, reply, conn, opts...)
}

// times returns the number of requests with a method.
func (f *fleet) times(method string) int64 {
	if n, ok := f.asked.Load(method); ok {
		return n.(*atomic.Int64).Load()
	}
	return 0
}

func name(i int) session.Name {
	return session.Name{Session: fmt.Sprintf("team-repository-branch-%05d", i)}
}

// add adds an item to the list of a session, as todo add does.
func (f *fleet) add(i int) {
	sessions := &session.Store{Backend: f.store}
	now := todo.TimeOf(time.Now())
	_, err := sessions.Update(name(i), "", now, func(d *session.Document) (session.Change, error) {
		draft := []todo.Draft{{Content: "make the parser take what follows the end of a line, and test it"}}
		end, err := todo.ParsePosition(strconv.Itoa(len(d.Todos.Items) + 1))
		if err != nil {
			return session.Change{}, err
		}
		edit, err := todo.Add(d.Todos.Items, end, draft, now)
		if err == nil {
			d.Todos.Active, d.Todos.Items = true, edit.Items
		}
		return session.Change{What: "added 1 item", By: "cli", List: true}, err
	})
	if err != nil {
		f.Error(err)
	}
}

// each calls do for n sessions, several at a time, and returns the number of calls per second.
func (f *fleet) each(n int, do func(i int)) float64 {
	began := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && !f.Failed(); i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// TestFleet measures figures of docs/fleet.md. With -long, it has the size that is given there, and the servers keep
// their data on a real disk. Otherwise they keep it in memory: how fast a disk is must not decide whether a change is merged.
func TestFleet(t *testing.T) {
	sessions, watches, servers := 100, 20, cluster.New
	if *long {
		sessions, watches = 10_000, 1000
		servers = func(t testing.TB, n int, args ...string) *cluster.Cluster {
			return cluster.NewIn(t, t.TempDir(), n, args...)
		}
	}
	for _, nodes := range []int{1, 3} {
		t.Run(fmt.Sprint(nodes, " servers"), func(t *testing.T) {
			f := &fleet{T: t, servers: servers(t, nodes)}
			set, err := ParseURL(f.servers.URL("fleet"))
			if err != nil {
				t.Fatal(err)
			}
			set.Between = f.count
			if f.store, err = Open(f.servers.URL("fleet"), set, time.Minute); err != nil {
				t.Fatal(err)
			}
			defer f.store.Close()
			f.measure(sessions, watches)
		})
	}
}

func (f *fleet) measure(sessions, watches int) {
	node := f.servers.Leader()
	empty, memory := f.size(node), node.Memory()
	rate := f.each(sessions, f.add)
	f.Logf("%d sessions begun, %.0f a second; %d bytes each", sessions, rate, (f.size(node)-empty)/int64(sessions))

	begun := f.size(node)
	const more = 5
	rate = f.each(sessions*more, func(i int) { f.add(i % sessions) })
	f.Logf("%d more items, %.0f a second; %d bytes each, with its history and the revisions that are not compacted", sessions*more, rate, (f.size(node)-begun)/int64(sessions*more))

	reads, ranges := f.times("Txn"), f.times("Range")
	began := time.Now()
	entries, err := f.store.List(session.Key(name(0)).Kind, "", true)
	if err != nil || len(entries) != sessions {
		f.Fatalf("%d sessions, %v", len(entries), err)
	}
	f.Logf("%d sessions listed in %v by %d requests", sessions, time.Since(began).Round(time.Millisecond), f.times("Range")-ranges)
	if f.times("Txn") != reads || f.times("Range")-ranges > int64(sessions/1000+1) {
		f.Error("the list has read documents")
	}
	f.watch(watches)
	f.Logf("the server uses %d MiB of memory, %d MiB of them since it began", node.Memory()>>20, (node.Memory()-memory)>>20)
}

// watch watches many sessions from one process, and changes each of them.
func (f *fleet) watch(n int) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var watched []store.Watch
	for i := range n {
		w := f.store.Watch(session.Key(name(i)))
		defer w.Close()
		watched = append(watched, w)
	}
	var late []time.Duration
	for i, w := range watched {
		began := time.Now()
		f.add(i)
		<-w.Changes
		late = append(late, time.Since(began))
	}
	runtime.ReadMemStats(&after)
	slices.Sort(late)
	f.Logf("%d watches of one process, %d kB each; from the beginning of a change to its sight: %v, and %v at most of 99 %%",
		n, max(0, int64(after.HeapInuse+after.StackInuse)-int64(before.HeapInuse+before.StackInuse))/int64(n)>>10, late[n/2].Round(100*time.Microsecond), late[n*99/100].Round(100*time.Microsecond))
}

func (f *fleet) size(n *cluster.Node) int64 {
	size, err := n.Size()
	if err != nil {
		f.Fatal(err)
	}
	return size
}
