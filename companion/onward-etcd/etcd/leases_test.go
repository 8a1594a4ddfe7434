//go:build unix

package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Each deletion leaves a mark. All marks of an hour share one lease, and are removed with it.
func TestDeletionsShareALease(t *testing.T) {
	c := newCluster(t, 1)
	now := todo.TimeOf(time.Now())
	for n := range 10 {
		s := c.open("team") // each deletion runs in its own process
		calls := &schedule.Store{Backend: s}
		lists := &session.Store{Backend: s, Machine: s, RemoveDependents: func(b store.Backend, n session.Name) (bool, error) {
			return (&schedule.Store{Backend: b}).Delete(n)
		}}
		name := session.Name{Session: fmt.Sprint("s", n)}
		if _, err := lists.Update(name, "once", now, func(d *session.Document) (session.Change, error) {
			d.Todos.Active = true
			return session.Change{What: "wrote a list", By: "cli", List: true}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := calls.Update(name, "", now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PushMessage(d, "and test it", "", now)
		}); err != nil {
			t.Fatal(err)
		}
		if err := lists.Delete(name); err != nil {
			t.Fatal(err)
		}
	}
	s := c.open("team")
	leases, err := s.client.Leases(context.Background())
	if err != nil || len(leases.Leases) > 2 { // two if the hour ended during the test
		t.Errorf("%d leases, %v", len(leases.Leases), err)
	}
	for _, l := range leases.Leases {
		if left, err := s.client.TimeToLive(context.Background(), l.ID); err != nil || left.TTL < 24*3600 || left.GrantedTTL > 26*3600 {
			t.Errorf("a mark stays for %d of %d s, %v", left.TTL, left.GrantedTTL, err)
		}
	}
	all, err := s.client.Get(context.Background(), "", clientv3.WithPrefix()) // with keys only, newer servers do not return the lease
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range all.Kvs {
		if !strings.HasPrefix(string(kv.Key), "team/deleted/") || kv.Lease == 0 {
			t.Errorf("left: %s", kv.Key)
		}
	}
	if err := (&session.Store{Backend: s, Machine: s}).Delete(session.Name{Session: "s1"}); err != nil {
		t.Errorf("a deletion whose answer was lost, again: %v", err)
	}
}

// Many writers change one list. A writer whose change was refused more than once must read the list again before it sends another one.
func TestManyWritersOfOneDocument(t *testing.T) {
	c := newCluster(t, 1)
	const writers, each = 32, 8
	var commits, refused, reads, blind atomic.Int64
	count := func(late *int) func(*Settings) {
		fresh := false
		return func(set *Settings) {
			set.Between = func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				err := invoke(ctx, method, req, reply, conn, opts...)
				txn, is := req.(*pb.TxnRequest)
				switch {
				case !is || err != nil:
				case len(txn.Compare) == 0:
					reads.Add(1)
					fresh = true
				default:
					commits.Add(1)
					if *late > 1 && !fresh {
						blind.Add(1)
					}
					if fresh = false; !reply.(*pb.TxnResponse).Succeeded {
						refused.Add(1)
						*late++
					}
				}
				return err
			}
		}
	}
	k := store.Key{Kind: &kind, Name: "a"}
	var all sync.WaitGroup
	for range writers {
		late := 0
		s := c.open("team", count(&late))
		all.Go(func() {
			for range each {
				late = 0
				err := s.Update(k, func(v store.Value, err error) (store.Write, error) {
					return store.Write{Data: append(v.Data, 'x'), Now: time.Now(), Line: []byte("x\n")}, err
				})
				if err != nil && !errors.Is(err, store.ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d changes by %d writers: %d commits were sent, %d of them refused, and %d reads", writers*each, writers, commits.Load(), refused.Load(), reads.Load())
	if n := blind.Load(); n > 0 {
		t.Errorf("%d changes were made again of what was old", n)
	}
}

// A caller that is interrupted waits neither for a frozen server nor for the holder of a document.
func TestInterruptEndsACall(t *testing.T) {
	c := newCluster(t, 1)
	s := c.open("team")
	k := store.Key{Kind: &kind, Name: "a"}
	change := func(store.Value, error) (store.Write, error) {
		return store.Write{Data: []byte("x"), Now: time.Now()}, nil
	}
	if err := s.Update(k, change); err != nil {
		t.Fatal(err)
	}
	interrupted := func(what string, call func(store.Backend) error) {
		t.Helper()
		ctx, interrupt := context.WithCancel(context.Background())
		ended, began := make(chan error, 1), time.Now()
		go func() { ended <- call(s.With(ctx)) }()
		time.AfterFunc(100*time.Millisecond, interrupt) // the call most likely waits by then; if it does not, the result is the same
		if err := <-ended; !errors.Is(err, store.ErrInterrupted) || time.Since(began) > 40*time.Second {
			t.Errorf("%s ended after %v: %v", what, time.Since(began), err)
		}
	}
	held, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	interrupted("waiting for the holder", func(b store.Backend) error { _, err := b.Hold(k, false); return err })
	held.Release()
	c.Nodes[0].Freeze()
	defer c.Nodes[0].Thaw()
	past, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for err = nil; err == nil; _, err = s.With(past).Get(k) { // the signal arrives after a moment
	}
	interrupted("a read", func(b store.Backend) error { _, err := b.Get(k); return err })
	interrupted("a change", func(b store.Backend) error { return b.Update(k, change) })
	interrupted("a list", func(b store.Backend) error { _, err := b.List(&kind, "", false); return err })
}

// A holder whose lease has expired learns of it when it checks, even if nothing else has changed. Otherwise a runner that
// waits for calls would wait forever.
func TestAHolderLearnsThatItHoldsNoMore(t *testing.T) {
	c := newCluster(t, 1)
	s := c.open("team")
	k := store.Key{Kind: &kind, Name: "a"}
	if err := s.Update(k, func(store.Value, error) (store.Write, error) {
		return store.Write{Data: []byte("x"), Now: time.Now()}, nil
	}); err != nil {
		t.Fatal(err)
	}
	by, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	defer by.Release()
	seen, err := by.Get(k)
	if err != nil || by.Replaced(seen) {
		t.Fatalf("the holder cannot read: %v", err)
	}
	if _, err := s.client.Revoke(context.Background(), by.(*held).lease); err != nil {
		t.Fatal(err)
	}
	if !by.Replaced(seen) {
		t.Error("who holds nothing is not told to look")
	}
	if _, err := by.Get(k); !errors.Is(err, store.ErrBusy) {
		t.Errorf("who holds nothing reads: %v", err)
	}
}

// After a change of the leader, a holder is asked whether it is still there. One that does not answer loses the document long before
// its lease is over, and learns of it; one that answers keeps the document.
func TestASilentHolderIsRemoved(t *testing.T) {
	c := newCluster(t, 1)
	holder := c.open("team", func(set *Settings) { set.Lease = time.Hour })
	other := c.open("team", func(set *Settings) { set.Lease = 2 * time.Second })
	hold := func(name string) *held {
		h, err := holder.Hold(store.Key{Kind: &kind, Name: name}, true)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Release)
		return h.(*held)
	}
	alive, dead := hold("alive"), hold("dead")
	dead.stop()
	is := func(h *held) bool {
		is, err := other.Held(h.key)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if !is(dead) {
		t.Error("a holder is removed without a reason")
	}
	for term := range uint64(2) {
		other.memory.sawTerm(1_000_000+term, time.Now())
	}
	for end := time.Now().Add(time.Minute); is(dead); {
		if !is(alive) || time.Now().After(end) {
			t.Fatal("the holder that answers was removed, or the other one was not")
		}
	}
	if a, err := other.holder(alive.key); err != nil || a.holder.latest == a.holder.revision {
		t.Errorf("nobody has asked the holder that answers: %v", err)
	}
	if err := dead.still(t.Context()); !errors.Is(err, store.ErrHoldLost) {
		t.Errorf("the holder that was removed: %v", err)
	}
}
