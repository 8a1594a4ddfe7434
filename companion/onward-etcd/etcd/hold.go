package etcd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/object"
	"onward/internal/process"
	"onward/internal/store"
	"onward/internal/todo"
)

// held is a key that exists as long as a lease. Every commit of the holder compares the key's revision,
// so that a holder that froze and lost the lease commits nothing afterwards.
type held struct {
	*Store
	key      store.Key
	lease    clientv3.LeaseID
	revision int64           // the one at which the key was created
	ctx      context.Context // until the holder stops
	stop     context.CancelFunc
	lapsed   chan struct{} // closed once the servers have said that the lease is over
	known    *atomic.Int64 // the revision of the store at which this process saw or wrote the log of the document last
}

// holder is who holds a document, as its key says.
type holder struct {
	text     string // for messages
	process  *todo.Process
	revision int64 // at which the key was created
	latest   int64 // at which it was written last
	lease    clientv3.LeaseID
	answers  bool // it answers those who ask whether it is still there; an earlier version does not
}

// answering ends the value of the key of a holder that answers.
const answering = "\nanswers"

// me describes this process in the value of a key: a line for messages, and what tells whether the process still runs.
func me() string {
	host, _ := os.Hostname()
	text := fmt.Sprintf("process %d on %s", os.Getpid(), host)
	if self := process.Self(); self != nil {
		w := object.NewWriter(256)
		w.Write(self)
		text += "\n" + string(w.Bytes())
	}
	return text + answering
}

// holderOf reads what me has written. An earlier version wrote the first line only.
func holderOf(kv *mvccpb.KeyValue) *holder {
	value, answers := strings.CutSuffix(string(kv.Value), answering)
	text, record, _ := strings.Cut(value, "\n")
	h := &holder{text: text, revision: kv.CreateRevision, latest: kv.ModRevision, lease: clientv3.LeaseID(kv.Lease), answers: answers}
	if record != "" {
		p := &todo.Process{}
		r := object.NewReader(jsontext.NewDecoder(strings.NewReader(record)))
		if r.Read(p); r.Err() == nil {
			h.process = p
		}
	}
	return h
}

// ended reports whether the holder was a process of this machine that does not run any more.
func (h *holder) ended() bool { return process.KnownEnded(h.process) }

// Hold waits for the holder of the document by watching it. The lease of a holder that is known to have ended is not waited
// for: each new leader of the servers gives it its whole time again, so it may not end for as long as leaders change.
func (s *Store) Hold(k store.Key, atOnce bool) (store.Held, error) {
	ctx, cancel := s.limited()
	defer cancel()
	free := &Store{servers: s.servers, prefix: s.prefix, wait: s.wait}
	h := &held{Store: free, key: k, known: new(atomic.Int64)}
	if err := h.grant(ctx); err != nil {
		return nil, err
	}
	h.renew() // the lease must last while Hold waits
	for {
		by, at, err := h.acquire(ctx)
		switch {
		case err != nil:
			h.Release()
			return nil, err
		case by == nil:
			go h.answer(at)
			return h, nil
		case by.ended():
			if err := h.remove(ctx, by); err != nil {
				h.Release()
				return nil, err
			}
		case s.isSilent(ctx, k, by):
		case atOnce || !s.gone(ctx, s.runKey(k), at):
			h.Release()
			return nil, s.failed(ctx, store.WrapProblem(store.ErrBusy, "%s is held by %s", s.Path(k), by.text))
		}
	}
}

// Held reports whether a process holds a document.
func (s *Store) Held(k store.Key) (bool, error) {
	a, err := s.holder(k)
	if err != nil || a.holder == nil || a.holder.ended() {
		return false, err
	}
	ctx, cancel := s.limited()
	defer cancel()
	return !s.isSilent(ctx, k, a.holder), nil
}

func (s *Store) holder(k store.Key) (a answer, err error) {
	ctx, cancel := s.limited()
	defer cancel()
	resp, err := s.get(ctx, s.runKey(k))
	if err != nil {
		return a, err
	}
	if a.at = resp.Header.Revision; len(resp.Kvs) > 0 {
		a.holder = holderOf(resp.Kvs[0])
	}
	return a, nil
}

func (h *held) grant(ctx context.Context) error {
	return h.ask(ctx, func(ctx context.Context) error {
		resp, err := h.client.Grant(ctx, int64(h.servers.lease/time.Second))
		if err == nil {
			h.lease = resp.ID
		}
		return err
	})
}

// acquire creates the key, or returns its present holder and the revision of the store.
func (h *held) acquire(ctx context.Context) (by *holder, at int64, err error) {
	key, me := h.runKey(h.key), me()
	err = h.ask(ctx, func(ctx context.Context) error {
		resp, err := h.transact(ctx, []clientv3.Cmp{clientv3.Compare(clientv3.CreateRevision(key), "=", 0)},
			[]clientv3.Op{clientv3.OpPut(key, me, clientv3.WithLease(h.lease))}, []clientv3.Op{clientv3.OpGet(key)})
		if err != nil {
			return err
		}
		if at = resp.Header.Revision; resp.Succeeded {
			h.revision = at
			return nil
		}
		there := resp.Responses[0].GetResponseRange().Kvs[0]
		if clientv3.LeaseID(there.Lease) == h.lease { // the answer to the first attempt was lost
			h.revision = there.CreateRevision
			return nil
		}
		by = holderOf(there)
		return nil
	})
	return by, at, err
}

// remove deletes the key of a holder that has ended, unless another one holds the document by now.
func (h *held) remove(ctx context.Context, by *holder) error {
	key := h.runKey(h.key)
	return h.ask(ctx, func(ctx context.Context) error {
		_, err := h.transact(ctx, []clientv3.Cmp{clientv3.Compare(clientv3.CreateRevision(key), "=", by.revision)}, []clientv3.Op{clientv3.OpDelete(key)}, nil)
		return err
	})
}

// gone waits until a key is deleted after a revision, and reports whether the caller should look again: after a while it should
// in any case, because the holder may not have answered whether it is still there.
func (s *Store) gone(ctx context.Context, key string, after int64) bool {
	once, cancel := context.WithTimeout(ctx, s.lease/4)
	defer cancel()
	for resp := range s.client.Watch(clientv3.WithRequireLeader(once), key, clientv3.WithRev(after+1), clientv3.WithFilterPut()) {
		if len(resp.Events) > 0 {
			return true
		}
	}
	return ctx.Err() == nil && pause(ctx, breath)
}

// renew keeps the lease alive until it is released, or the servers say that it is over. The library gives a lease up by this
// machine's clock, but servers that did not answer for a while may still have it.
func (h *held) renew() {
	ctx, stop := context.WithCancel(h.client.Ctx())
	h.ctx, h.stop, h.lapsed = ctx, stop, make(chan struct{})
	go func() {
		for open := true; open; open = pause(ctx, retry) {
			if renewed, err := h.client.KeepAlive(ctx, h.lease); err == nil {
				for range renewed { // the library renews as long as its answers are read
				}
			}
			once, cancel := context.WithTimeout(ctx, h.once())
			_, err := h.client.KeepAliveOnce(once, h.lease)
			cancel()
			if errors.Is(err, rpctypes.ErrLeaseNotFound) && ctx.Err() == nil {
				close(h.lapsed)
				return
			}
		}
	}()
}

// Lapsed returns a channel that is closed once the servers have ended the lease.
func (h *held) Lapsed() <-chan struct{} { return h.lapsed }

// Release ends the lease and with it the key. If no server answers, the lease expires on its own.
func (h *held) Release() {
	h.stop()
	ctx, cancel := context.WithTimeout(h.client.Ctx(), least)
	defer cancel()
	_, _ = h.client.Revoke(ctx, h.lease)
}

// isHolder returns the comparison that is true as long as this holder holds the document.
func (h *held) isHolder() clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(h.runKey(h.key)), "=", h.revision)
}

// check returns an error if the holder's key does not exist any more, or belongs to another holder.
func (h *held) check(resp *clientv3.GetResponse) error {
	if len(resp.Kvs) == 0 || resp.Kvs[0].CreateRevision != h.revision {
		return store.WrapProblem(store.ErrHoldLost, "this process did not answer for longer than %v, and lost the right to run", h.servers.lease)
	}
	return nil
}

// still returns an error if the caller no longer holds the document. Without it, a change of the new holder could look
// as if there were nothing to do.
func (h *held) still(ctx context.Context) error {
	if h == nil {
		return nil
	}
	resp, err := h.get(ctx, h.runKey(h.key), clientv3.WithKeysOnly())
	if err == nil {
		err = h.check(resp)
	}
	return err
}

// With returns the same holder bound to a context. Its commits still require that the document is held.
func (h *held) With(ctx context.Context) store.Backend {
	bound := *h
	bound.Store = &Store{servers: h.servers, prefix: h.prefix, wait: h.wait, bound: ctx}
	return &bound
}

// Update commits only while the document is held.
func (h *held) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.update(k, h, change)
}

// Get returns an error if the caller no longer holds the document. It would otherwise wait for changes that it cannot act on.
func (h *held) Get(k store.Key) (store.Value, error) {
	ctx, cancel := h.limited()
	defer cancel()
	if err := h.still(ctx); err != nil {
		return store.Value{}, err
	}
	at, err := h.read(ctx, k)
	if err != nil {
		return store.Value{}, err
	}
	if k == h.key {
		h.known.Store(at.store)
	}
	return h.result(k, at), at.unread
}

// Replaced asks the servers whether the document has changed, without reading it. For a caller that no longer holds it, it has.
//
// etcd answers a transaction without operations from the state of one server. That state may lack a change that a watch has already
// reported, and the caller would go on waiting for it. Counting a key makes the answer as recent as that of any read.
func (h *held) Replaced(seen store.Value) bool {
	ctx, cancel := h.limited()
	defer cancel()
	moved := true
	_ = h.ask(ctx, func(ctx context.Context) error {
		was, _ := seen.Revision.(revision)
		current := []clientv3.Op{clientv3.OpGet(h.runKey(h.key), clientv3.WithCountOnly())}
		resp, err := h.transact(ctx, append(h.same(h.key, was), h.isHolder()), current, nil)
		moved = err != nil || !resp.Succeeded
		return err
	})
	return moved // if no server answers, a later read reports that
}

// Append adds a line in one transaction, so that no other process can have moved the document before.
func (h *held) Append(seen store.Value, change func(store.Value, error) (store.Line, error)) (store.Value, error) {
	ctx, cancel := h.limited()
	defer cancel()
	c := commit{Store: h.Store, key: h.key, id: newID(), by: h}
	v, unread := seen, error(nil)
	fresh := false
	for {
		if v.Data == nil && !fresh {
			at, err := h.read(ctx, h.key)
			if err != nil {
				return v, err
			}
			v, unread, fresh = at.value, at.unread, true
			h.known.Store(at.store)
		}
		line, err := change(v, unread)
		if err != nil || line.Data == nil {
			if !fresh && h.Replaced(v) {
				v = store.Value{} // the function may have seen a document that has changed since, so it runs again
				continue
			}
			if err == nil {
				err = h.still(ctx)
			}
			return v, err
		}
		since, _ := v.Revision.(revision)
		compare, then, err := h.line(since, line, c.id)
		if err != nil {
			return v, err
		}
		now, err := c.send(ctx, since, compare, then, false)
		if err != nil {
			return v, err
		}
		if now == nil {
			h.known.Store(c.made)
			v.Acknowledged = line.Acknowledged
			return v, nil
		}
		v, unread, fresh = now.value, now.unread, true
		h.known.Store(now.store)
	}
}

// line returns the comparisons and the operations that add a line to the log of a document. It does not change the document, so it also
// compares the log from its position on: a request that was sent again, and arrives when later lines are there, would else remove them.
func (h *held) line(since revision, line store.Line, commit id) ([]clientv3.Cmp, []clientv3.Op, error) {
	packed, err := cell{data: line.Data, ids: []id{commit}, mark: line.Acknowledged}.pack()
	if err != nil {
		return nil, nil, err
	}
	prefix := h.logPrefix(h.key)
	at, end := prefix+number(line.At), clientv3.GetPrefixRangeEnd(prefix)
	compare := append(h.same(h.key, since), clientv3.Compare(clientv3.ModRevision(at).WithRange(end), "<", h.known.Load()+1))
	return compare, []clientv3.Op{
		// Lines that an earlier runner wrote beyond this position are void.
		clientv3.OpDelete(prefix+number(line.At+1), clientv3.WithRange(end)),
		clientv3.OpPut(at, string(packed)),
	}, nil
}
