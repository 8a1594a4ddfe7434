//go:build unix

package etcd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/store"
)

// long runs the tests for minutes and in full size.
var long = flag.Bool("long", false, "run the long form of tests")

// writers add words to one document, each with its own client, and count the acknowledged words.
type writers struct {
	all   sync.WaitGroup
	acked atomic.Int64
	over  chan struct{}
}

// write starts n writers of each words, which pause for pace between two words. If tolerant is set, a writer
// whose word was not added repeats it. If it is unknown whether it was added, the writer first looks for it, as --op does.
func (c *nodes) write(n, each int, pace, wait time.Duration, tolerant bool) *writers {
	w := &writers{over: make(chan struct{})}
	for i := range n {
		s := c.open("words")
		s.wait = wait
		w.all.Go(func() {
			for j := range each {
				time.Sleep(pace)
				word := fmt.Sprintf("%d.%d.", i, j)
				for {
					err := addOnce(s, word)
					if err == nil {
						w.acked.Add(1)
						break
					}
					if !tolerant || !errors.Is(err, store.ErrUnknown) && !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrBusy) {
						c.t.Errorf("%s: %v", word, err)
						break
					}
				}
			}
		})
	}
	go func() {
		w.all.Wait()
		close(w.over)
	}()
	return w
}

// addOnce adds a word unless the document has it: the word is also the id of its operation.
func addOnce(s *Store, word string) error {
	return s.Update(page, func(v store.Value, err error) (store.Write, error) {
		if err != nil || slices.Contains(strings.Fields(string(v.Data)), word) {
			return store.Write{}, err
		}
		return store.Write{Data: append(v.Data, word+"\n"...), Line: []byte(word + "\n"), Now: time.Now()}, nil
	})
}

// check fails unless the document has every word exactly once, and its log has one line for each of the last words.
func (c *nodes) check(w *writers, want int) {
	c.t.Helper()
	v, err := c.open("words").Get(page)
	if err != nil {
		c.t.Fatal(err)
	}
	all := strings.Fields(string(v.Data))
	slices.Sort(all)
	once := slices.Compact(slices.Clone(all))
	if len(all) != want || len(once) != want || int(w.acked.Load()) != want {
		c.t.Errorf("%d words, %d of them once, %d acknowledged; want %d", len(all), len(once), w.acked.Load(), want)
	}
}

// The leader of three servers is killed again and again. No writer may fail, and no word may be lost or added twice.
func TestLeaderKilledRepeatedly(t *testing.T) {
	c := newCluster(t, 3)
	const each = 150
	pace := 20 * time.Millisecond
	if *long {
		pace = 800 * time.Millisecond
	}
	w := c.write(8, each, pace, time.Minute, false)
	kills := 0
	for alive := true; alive; {
		select {
		case <-w.over:
			alive = false
		case <-time.After(2 * time.Second):
			dead := c.Leader()
			dead.Kill()
			kills++
			select {
			case <-w.over:
			case <-time.After(2 * time.Second):
			}
			dead.Start(t)
		}
	}
	c.check(w, 8*each)
	if t.Logf("%d words while the leader was killed %d times", 8*each, kills); kills == 0 {
		t.Error("the leader was never killed")
	}
}

// Two of three servers freeze at a time, so that there is no majority. The writers fail and repeat
// the same word, and each word must be there once.
func TestTwoOfThreeServersFreeze(t *testing.T) {
	c := newCluster(t, 3)
	const each = 25
	pace := 100 * time.Millisecond
	if *long {
		pace = time.Second
	}
	w := c.write(4, each, pace, 0, true)
	freezes := 0
	for i := 0; ; i++ {
		select {
		case <-w.over:
			c.check(w, 4*each)
			if t.Logf("%d words in %d freezes", 4*each, freezes); freezes == 0 {
				t.Error("nothing was frozen")
			}
			return
		case <-time.After(time.Second):
		}
		freezes++
		for _, n := range []*cluster.Node{c.Nodes[i%3], c.Nodes[(i+1)%3]} {
			n.Freeze()
			defer n.Thaw()
		}
		time.Sleep(1500 * time.Millisecond)
		for _, n := range c.Nodes {
			n.Thaw()
		}
	}
}

// A holder that freezes for longer than its lease loses the document: nothing that it does afterwards may be committed.
func TestFrozenHolderCommitsNothing(t *testing.T) {
	c := newCluster(t, 1)
	s := c.open("frozen", func(set *Settings) { set.Lease = time.Second })
	if err := add(s, call, "first"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Hold(call, true)
	if err != nil {
		t.Fatal(err)
	}
	got.(*held).stop() // a frozen process sends nothing
	next, err := c.open("frozen").Hold(call, false)
	if err != nil {
		t.Fatal(err)
	}
	line := func(v store.Value, err error) (store.Line, error) {
		return store.Line{Data: []byte("late\n"), At: len(v.Log)}, err
	}
	if _, err := got.Append(store.Value{}, line); !errors.Is(err, store.ErrBusy) {
		t.Errorf("a line: %v", err)
	}
	err = got.Update(call, func(v store.Value, err error) (store.Write, error) {
		return store.Write{Data: []byte("late\n"), Now: time.Now()}, err
	})
	if !errors.Is(err, store.ErrBusy) {
		t.Errorf("a commit: %v", err)
	}
	err = got.Update(call, func(_ store.Value, err error) (store.Write, error) { return store.Write{}, err })
	if !errors.Is(err, store.ErrBusy) {
		t.Errorf("a commit of nothing: %v", err)
	}
	got.Release()
	if is, err := s.Held(call); !is || err != nil {
		t.Errorf("the next holder lost it: %v", err)
	}
	if _, err := next.Append(store.Value{}, line); err != nil {
		t.Error(err)
	}
	next.Release()
	v, err := s.Get(call)
	if err != nil || string(v.Data) != "first\n" || string(v.Log) != "late\n" {
		t.Errorf("%q, %q, %v", v.Data, v.Log, err)
	}
}

// A holder does not take the word of one server that nothing has changed: it may know less than the others.
func TestReplacedAsksTheMajority(t *testing.T) {
	c := newCluster(t, 3)
	s := c.open("held")
	if err := add(s, call, "first"); err != nil {
		t.Fatal(err)
	}
	v, err := s.Get(call)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Hold(call, true)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Release()
	if got.Replaced(v) {
		t.Error("a document is replaced that nobody has changed")
	}
	got.(*held).wait = 3 * time.Second // each server is asked within it
	for _, n := range c.Nodes[:2] {
		n.Freeze()
		defer n.Thaw()
	}
	if !got.Replaced(v) {
		t.Error("a server without the others knows that the document is not replaced")
	}
}

// A watch is notified immediately, also after its server was killed.
func TestWatchesOutliveServers(t *testing.T) {
	c := newCluster(t, 3)
	s := c.open("words")
	if err := addOnce(s, "first"); err != nil {
		t.Fatal(err)
	}
	other := c.open("words")
	if _, err := other.Get(page); err != nil {
		t.Fatal(err)
	}
	w := other.Watch(page)
	defer w.Close()
	for i, n := range c.Nodes {
		if err := addOnce(s, fmt.Sprint("a", i)); err != nil {
			t.Fatal(err)
		}
		<-w.Changes
		n.Kill()
		if err := addOnce(s, fmt.Sprint("b", i)); err != nil {
			t.Fatal(err)
		}
		<-w.Changes
		n.Start(t)
		c.Leader()
	}
}

// A watch that cannot know what has changed, because nothing was read before or the servers have compacted its revision,
// wakes its caller, who reads again.
func TestWatchOfUnknownChanges(t *testing.T) {
	s := newCluster(t, 1).open("words")
	for _, word := range []string{"first", "second"} {
		if err := addOnce(s, word); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.client.Compact(t.Context(), s.latest.Load()); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{0, 1} {
		s.latest.Store(after)
		w := s.Watch(page)
		<-w.Changes
		if err := addOnce(s, fmt.Sprint("after ", after)); err != nil {
			t.Fatal(err)
		}
		<-w.Changes
		w.Close()
	}
}

// A writer that loses a race after servers did not answer for a while is told that, and not that others write all the time.
func TestLostRaceAndSilence(t *testing.T) {
	c := newCluster(t, 1)
	other := c.open("words")
	commits := 0
	s := c.open("words", func(set *Settings) {
		set.Between = func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			txn, is := req.(*pb.TxnRequest)
			if !is || len(txn.Compare) == 0 {
				return invoke(ctx, method, req, reply, conn, opts...)
			}
			if commits++; commits == 1 {
				return status.Error(codes.Unavailable, "no leader")
			}
			if err := addOnce(other, "other"); err != nil {
				t.Error(err)
			}
			err := invoke(ctx, method, req, reply, conn, opts...)
			time.Sleep(least) // the answer is the last one that the writer waits for
			return err
		}
	})
	s.wait, s.version = least, nil
	if err := addOnce(s, "mine"); !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrBusy) {
		t.Errorf("the error is %v", err)
	}
}
