package etcd

import (
	"context"
	"fmt"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// held is a key that lives as long as a lease. Its revision is compared by every commit of the holder:
// one that froze, and lost the lease meanwhile, commits nothing afterwards.
type held struct {
	*Store
	key      store.Key
	lease    clientv3.LeaseID
	revision int64 // that made the key
	stop     context.CancelFunc
}

// Hold waits for the holder of the document by watching it.
func (s *Store) Hold(k store.Key, atOnce bool) (store.Held, error) {
	ctx, cancel := s.limited()
	defer cancel()
	free := &Store{servers: s.servers, prefix: s.prefix, wait: s.wait}
	h := &held{Store: free, key: k}
	if err := h.grant(ctx); err != nil {
		return nil, err
	}
	h.renew() // also while it waits
	for {
		by, at, err := h.acquire(ctx)
		switch {
		case err != nil:
			h.Release()
			return nil, err
		case by == "":
			return h, nil
		case atOnce || !s.gone(ctx, s.runKey(k), at):
			h.Release()
			return nil, s.failed(ctx, store.Problem(store.ErrBusy, "%s is held by %s", s.Path(k), by))
		}
	}
}

// Held reports whether anybody holds a document.
func (s *Store) Held(k store.Key) (is bool, err error) {
	ctx, cancel := s.limited()
	defer cancel()
	resp, err := s.get(ctx, s.runKey(k), clientv3.WithCountOnly())
	return err == nil && resp.Count > 0, err
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

// acquire creates the key, or returns who created it and the revision of the store.
func (h *held) acquire(ctx context.Context) (by string, at int64, err error) {
	key := h.runKey(h.key)
	host, _ := os.Hostname()
	me := fmt.Sprintf("process %d on %s", os.Getpid(), host)
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
		by = string(there.Value)
		return nil
	})
	return by, at, err
}

// gone waits until a key is deleted after a revision, and reports whether it was in time.
func (s *Store) gone(ctx context.Context, key string, after int64) bool {
	for resp := range s.client.Watch(clientv3.WithRequireLeader(ctx), key, clientv3.WithRev(after+1), clientv3.WithFilterPut()) {
		if len(resp.Events) > 0 {
			return true
		}
	}
	return ctx.Err() == nil && pause(ctx, breath) // the watch broke: look again
}

// renew keeps the lease alive until it is released.
func (h *held) renew() {
	ctx, stop := context.WithCancel(h.client.Ctx())
	h.stop = stop
	if renewed, err := h.client.KeepAlive(ctx, h.lease); err == nil {
		go func() {
			for range renewed { // each is an answer; what matters is that they are asked for
			}
		}()
	}
}

// Release ends the lease and with it the key. If no server answers, it ends by itself.
func (h *held) Release() {
	h.stop()
	ctx, cancel := context.WithTimeout(h.client.Ctx(), least)
	defer cancel()
	_, _ = h.client.Revoke(ctx, h.lease)
}

// isHolder is the comparison that the document is held by this holder.
func (h *held) isHolder() clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(h.runKey(h.key)), "=", h.revision)
}

// check refuses where what is under the key of the lease is no more, or another holder's.
func (h *held) check(resp *clientv3.GetResponse) error {
	if len(resp.Kvs) == 0 || resp.Kvs[0].CreateRevision != h.revision {
		return store.Problem(store.ErrBusy, "this process did not answer for longer than %v, and lost the right to run", h.servers.lease)
	}
	return nil
}

// still refuses a caller that no longer holds the document: changes of another holder must not look like nothing to do.
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

// With returns the same holder bound to a context: what is committed by it still requires that the document is held.
func (h *held) With(ctx context.Context) store.Backend {
	bound := *h
	bound.Store = &Store{servers: h.servers, prefix: h.prefix, wait: h.wait, bound: ctx}
	return &bound
}

// Update commits only while the document is held.
func (h *held) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.update(k, h, change)
}

// Get refuses a caller that no longer holds the document: it would wait for news and never do anything about them.
func (h *held) Get(k store.Key) (store.Value, error) {
	ctx, cancel := h.limited()
	defer cancel()
	if err := h.still(ctx); err != nil {
		return store.Value{}, err
	}
	return h.Store.Get(k)
}

// Moved asks the servers, without reading anything. For a caller that no longer holds the document it has moved.
func (h *held) Moved(seen store.Value) bool {
	ctx, cancel := h.limited()
	defer cancel()
	moved := true
	_ = h.ask(ctx, func(ctx context.Context) error {
		was, _ := seen.Revision.(revision)
		resp, err := h.transact(ctx, append(h.same(h.key, was), h.isHolder()), nil, nil)
		moved = err != nil || !resp.Succeeded
		return err
	})
	return moved // also if no server answers: a later read reports that
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
		}
		line, err := change(v, unread)
		if err != nil || line.Data == nil {
			if !fresh && h.Moved(v) {
				v = store.Value{} // it may have been decided by what is no more
				continue
			}
			if err == nil {
				err = h.still(ctx)
			}
			return v, err
		}
		packed, err := cell{data: line.Data, ids: []id{c.id}, mark: line.Acknowledged}.pack()
		if err != nil {
			return v, err
		}
		prefix := h.logPrefix(h.key)
		since, _ := v.Revision.(revision)
		now, err := c.send(ctx, since, h.same(h.key, since), []clientv3.Op{
			// What follows is void.
			clientv3.OpDelete(prefix+number(line.At+1), clientv3.WithRange(clientv3.GetPrefixRangeEnd(prefix))),
			clientv3.OpPut(prefix+number(line.At), string(packed)),
		}, false)
		if err != nil {
			return v, err
		}
		if now == nil {
			v.Acknowledged = line.Acknowledged
			return v, nil
		}
		v, unread, fresh = now.value, now.unread, true
	}
}
