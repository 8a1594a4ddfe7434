package etcd

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// retry is how long a watch that the servers ended waits before it restarts.
const retry = time.Second

// Watch is notified by the servers. All watches of a process share one connection.
// It begins after the last revision that this process has seen, so that nothing is missed between a read and the watch.
func (s *Store) Watch(keys ...store.Key) store.Watch {
	ctx, stop := context.WithCancel(clientv3.WithRequireLeader(s.client.Ctx()))
	w := &watch{Store: s, changes: make(chan struct{}, 1)}
	after := s.latest.Load()
	for _, k := range keys {
		if k.Name == "" { // the whole collection, and the logs that are joined to its documents
			go w.follow(ctx, after, s.docKey(k), clientv3.WithPrefix())
			continue
		}
		go w.follow(ctx, after, s.docKey(k))
		if joined(k) {
			go w.follow(ctx, after, s.logPrefix(k), clientv3.WithPrefix())
			go w.follow(ctx, after, s.runKey(k), clientv3.WithFilterPut()) // the end of its holder
		}
	}
	return store.Watch{Changes: w.changes, Close: stop}
}

type watch struct {
	*Store
	changes chan struct{}
}

func (w *watch) changed() {
	select {
	case w.changes <- struct{}{}:
	default: // one lies there already
	}
}

// follow reports each change of a key after a revision, until the watch is closed. Revision 0 is
// that nothing was seen yet.
func (w *watch) follow(ctx context.Context, after int64, key string, opts ...clientv3.OpOption) {
	if after == 0 {
		after = w.now(ctx)
		w.changed()
	}
	for ctx.Err() == nil {
		for resp := range w.client.Watch(ctx, key, append(opts[:len(opts):len(opts)], clientv3.WithRev(after+1))...) {
			if resp.Err() != nil {
				break // such as that the revision is compacted
			}
			if len(resp.Events) > 0 {
				after = resp.Header.Revision
				w.changed()
			}
		}
		if ctx.Err() == nil {
			// Changes meanwhile are unknown, so the caller has to read again.
			after = w.now(ctx)
			w.changed()
		}
	}
}

// now returns the revision of the store, as soon as a server answers.
func (w *watch) now(ctx context.Context) int64 {
	for {
		once, cancel := context.WithTimeout(ctx, w.once())
		resp, err := w.client.Get(once, w.prefix, clientv3.WithCountOnly())
		cancel()
		if err == nil {
			return resp.Header.Revision
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(retry):
		}
	}
}
