//go:build unix

package etcd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/store"
	"onward/test/storetest"
)

func TestStore(t *testing.T) {
	c := newCluster(t, 1)
	n := 0
	storetest.Run(t, func(t *testing.T) storetest.Subject {
		n++
		return c.subject(t, c.open("suite"+number(n)))
	})
}

// subject returns the store as a subject of the suite, with functions that damage its keys.
func (c *nodes) subject(t *testing.T, s *Store) storetest.Subject {
	return storetest.Subject{
		Backend: s, Notes: storetest.NewMemory(),
		Damage: func(k store.Key, data []byte) {
			packed, err := cell{data: data}.pack()
			if err == nil {
				_, err = s.client.Put(context.Background(), s.docKey(k), string(packed))
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		Lose: func(k store.Key) {
			if _, err := s.client.Delete(context.Background(), s.docKey(k)); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// The suite must fail for a store whose commits do not compare revisions; otherwise it would prove nothing.
func TestLostUpdatesWithoutComparison(t *testing.T) {
	c := newCluster(t, 1)
	careless := func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if txn, ok := req.(*pb.TxnRequest); ok && len(txn.Compare) > 0 {
			req = &pb.TxnRequest{Success: txn.Success, Failure: txn.Failure}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	if lost := storetest.Lost(t, c.subject(t, c.open("careless", func(set *Settings) { set.Between = careless }))); lost == 0 {
		t.Error("nothing is lost")
	}
}

// kind is a collection with a log, and calls is one whose log is a journal.
var (
	kind  = store.Spec{Name: "page", Folder: "pages", Limit: 8 << 20, Log: &store.Log{Folder: "past", Limit: 16 << 20, Bound: 4 << 20, Lines: 3}}
	calls = store.Spec{Name: "calls", Folder: "calls", Limit: 8 << 20, Log: &store.Log{Folder: "calls", Limit: 16 << 20, Journal: true}}
	page  = store.Key{Kind: &kind, Name: "a"}
	call  = store.Key{Kind: &calls, Name: "a"}
)

// add adds a word to a document, and a line to its log.
func add(s *Store, k store.Key, word string) error {
	return s.Update(k, func(v store.Value, err error) (store.Write, error) {
		w := store.Write{Data: append(v.Data, word+"\n"...), Now: time.Now()}
		if !k.Journaled() {
			w.Line = []byte("added " + word + "\n")
		}
		return w, err
	})
}

// fault lets one request fail, before it is sent or after it was answered. If dead is set, all later
// requests fail too.
type fault struct {
	at         int
	late, dead bool
	n          int
}

func (f *fault) between(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if strings.HasSuffix(method, "/Status") {
		return invoke(ctx, method, req, reply, conn, opts...) // it is sent concurrently with the others, in no certain order
	}
	f.n++
	hit := f.n == f.at || f.dead && f.n > f.at
	if hit && (!f.late || f.n > f.at) {
		return status.Error(codes.Unavailable, "the test")
	}
	err := invoke(ctx, method, req, reply, conn, opts...)
	if hit {
		err = status.Error(codes.Unavailable, "the answer is lost")
	}
	return err
}

// TestEveryRequestFails lets each request in turn fail or lose its answer. After a single fault, the change must be made
// exactly once. If all later requests fail too, the document must be the old one or the new one,
// and the old one if the error says so.
func TestEveryRequestFails(t *testing.T) {
	c := newCluster(t, 1)
	good := c.open("faults")
	for name, do := range map[string]func(*Store, string) error{
		"update":              func(s *Store, word string) error { return add(s, page, word) },
		"update of a journal": func(s *Store, word string) error { return add(s, call, word) },
		"append": func(s *Store, word string) error {
			h, err := s.Hold(call, true)
			if err != nil {
				return err
			}
			defer h.Release()
			// The line is added to the document, to be compared with the results of the other cases.
			_, err = h.Append(store.Value{}, func(v store.Value, err error) (store.Line, error) {
				return store.Line{Data: []byte(word + "\n"), At: len(v.Log), Acknowledged: word}, err
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := page
			if name != "update" {
				k = call
			}
			if err := add(good, k, "first"); err != nil {
				t.Fatal(err)
			}
			for at, over := 1, false; !over; at++ {
				for _, f := range []fault{{at: at}, {at: at, late: true}, {at: at, dead: true}, {at: at, late: true, dead: true}} {
					word := fmt.Sprintf("%s %d %v %v", name, at, f.late, f.dead)
					s := c.open("faults", func(set *Settings) { set.Between = f.between; set.Lease = time.Second })
					s.wait = 0
					err := do(s, word)
					v, unread := good.Get(k)
					if unread != nil {
						t.Fatal(unread)
					}
					times := strings.Count(string(v.Data)+string(v.Log), word+"\n")
					if over = f.n < at; over {
						if err != nil || times != 1 {
							t.Errorf("without a fault: %v, and it is there %d times", err, times)
						}
						break
					}
					switch {
					case err == nil && times == 1:
					case f.dead && errors.Is(err, store.ErrUnavailable) && times == 0:
					case f.dead && errors.Is(err, store.ErrUnknown) && times <= 1:
					default:
						t.Errorf("request %d, late %v, dead %v: %v, and it is there %d times", at, f.late, f.dead, err, times)
					}
					for f.dead && name == "append" { // the lease of a dead holder expires
						if held, err := good.Held(k); err != nil {
							t.Fatal(err)
						} else if !held {
							break
						}
						if h, err := good.Hold(k, false); err == nil {
							h.Release()
						}
					}
				}
				if at > 20 {
					t.Fatal("it does not end")
				}
			}
		})
	}
}

// If the time of a change is over before it is sent, the change is not made, and the error says so. This holds for a
// single writer and for one that others overtook.
func TestNothingSentIsNotUnknown(t *testing.T) {
	c := newCluster(t, 1)
	for late, want := range map[bool]error{false: store.ErrUnavailable, true: store.ErrBusy} {
		s, other := c.open("late"), c.open("late")
		s.wait = 3 * time.Second // long enough for the other writer on a busy machine
		attempts := 0
		err := s.Update(page, func(v store.Value, err error) (store.Write, error) {
			if attempts++; late && attempts == 1 {
				if err := add(other, page, "faster"); err != nil {
					return store.Write{}, err
				}
			} else {
				time.Sleep(s.wait + 50*time.Millisecond)
			}
			return store.Write{Data: append(v.Data, "late\n"...), Now: time.Now()}, err
		})
		if !errors.Is(err, want) || errors.Is(err, store.ErrUnknown) {
			t.Errorf("late %v: %v, want %v", late, err, want)
		}
		if v, err := other.Get(page); err != nil || strings.Contains(string(v.Data), "late") {
			t.Errorf("late %v: there is %q, %v", late, v.Data, err)
		}
	}
}

// A change without a connection was not sent, so the error says that it was not made.
func TestNothingIsSentWithoutConnection(t *testing.T) {
	c := newCluster(t, 1)
	wire := cluster.NewProxy(t, c.Nodes[0].Client)
	s := c.open("cut", func(set *Settings) { set.Hosts = []string{wire.Address} })
	s.wait = 0
	err := s.Update(page, func(v store.Value, err error) (store.Write, error) {
		wire.Set(cluster.Cut, 0)
		s.client.ActiveConnection().WaitForStateChange(t.Context(), connectivity.Ready)
		return store.Write{Data: []byte("late\n"), Now: time.Now()}, err
	})
	if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrUnknown) {
		t.Error(err)
	}
}

// The first commit of a document is sent twice, because its first answer was lost. One of the two requests is delayed by the
// network and arrives after the document was deleted. It must not restore the document.
func TestLateFirstCommitBringsNothingBack(t *testing.T) {
	s := newCluster(t, 1).open("late")
	delete := func() {
		if err := s.Update(page, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // first with a name that was never used, then with one whose document was deleted
		ctx, cancel := s.limited()
		absent, err := s.read(ctx, page)
		if err != nil {
			t.Fatal(err)
		}
		c := commit{Store: s, key: page, id: newID()}
		first := store.Write{Data: []byte("first\n"), Now: time.Now()}
		if moved, err := c.make(ctx, absent, first); moved != nil || err != nil {
			t.Fatalf("%v, %v", moved, err)
		}
		delete()
		if moved, err := c.make(ctx, absent, first); moved == nil || err != nil {
			t.Errorf("it is made again: %v", err)
		}
		if v, err := s.Get(page); v.Data != nil || err != nil {
			t.Errorf("there is %q, %v", v.Data, err)
		}
		c.lost = errors.New("no answer")
		for _, then := range []string{"", "second\n"} { // in both cases it is unknown whether the commit was made, even if the document is another one now
			if then != "" {
				if err := s.Update(page, func(store.Value, error) (store.Write, error) {
					return store.Write{Data: []byte(then), Now: time.Now()}, nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.make(ctx, absent, first); !errors.Is(err, store.ErrUnknown) {
				t.Errorf("after a lost answer, with %q there: %v", then, err)
			}
			if v, err := s.Get(page); string(v.Data) != then || err != nil {
				t.Errorf("there is %q, %v", v.Data, err)
			}
		}
		delete()
		cancel()
	}
}

// A line of a journal is sent twice, because its first answer was lost. One of the two requests is delayed by the network and arrives
// after later lines. It must not remove them: the calls that they are about would run again.
func TestLateLineRemovesNoOther(t *testing.T) {
	s := newCluster(t, 1).open("late-line")
	if err := add(s, call, "document"); err != nil {
		t.Fatal(err)
	}
	by, err := s.Hold(call, true)
	if err != nil {
		t.Fatal(err)
	}
	defer by.Release()
	h := by.(*held)
	seen, err := h.Get(call)
	if err != nil {
		t.Fatal(err)
	}
	since, _ := seen.Revision.(revision)
	at := 0
	next := func(text string) store.Line { return store.Line{Data: []byte(text), At: at, Acknowledged: text} }
	for _, text := range []string{"one\n", "two\n", "three\n"} {
		compare, then, err := h.line(since, next(text), newID())
		if err != nil {
			t.Fatal(err)
		}
		seen, err = h.Append(seen, func(store.Value, error) (store.Line, error) { return next(text), nil })
		if err != nil {
			t.Fatal(err)
		}
		at += len(text)
		ctx, cancel := s.limited()
		resp, err := h.transact(ctx, compare, then, nil)
		cancel()
		if err != nil || resp.Succeeded {
			t.Errorf("the request for %q counts again: %v", text, err)
		}
	}
	if v, err := s.Get(call); string(v.Log) != "one\ntwo\nthree\n" || err != nil {
		t.Errorf("the log is %q, %v", v.Log, err)
	}
}

// A line of the log that does not fit into one request with its document is sent first, and can be read.
func TestSendLargeLineAlone(t *testing.T) {
	s := newCluster(t, 1).open("large")
	noise := func(n int) []byte { // random bytes cannot be compressed
		b := make([]byte, n)
		for i := range b {
			b[i] = byte((i*i*2654435761 + i*40503) >> 11)
		}
		return b
	}
	write := func(doc, line int) error {
		return s.Update(page, func(_ store.Value, err error) (store.Write, error) {
			return store.Write{Data: noise(doc), Line: append(noise(line), '\n'), Now: time.Now()}, err
		})
	}
	for _, line := range []int{900_000, 10, 950_000} {
		if err := write(700_000, line); err != nil {
			t.Fatal(err)
		}
		_, log, _, err := store.GetWithLog(s, page)
		if want := append(noise(line), '\n'); err != nil || !bytes.HasSuffix(log, want) {
			t.Errorf("the log has %d bytes, %v", len(log), err)
		}
	}
	before, err := s.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(4_000_000, 10); !errors.Is(err, store.ErrLimit) {
		t.Errorf("a document that is too large: %v", err)
	}
	if after, err := s.Get(page); err != nil || after.Revision != before.Revision {
		t.Errorf("it was changed: %v", err)
	}
	_, log, _, err := store.GetWithLog(s, page)
	if err != nil || len(log) != 900_001+11+950_001 {
		t.Errorf("the log has %d bytes, %v", len(log), err)
	}
}
