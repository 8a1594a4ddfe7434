package etcd

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// retry is the pause before a watch that the servers ended is restarted.
const retry = time.Second

// Watch lets the servers report changes. All watches of a process share one connection.
// A watch begins after the last revision that this process has seen, so that no change between a read and the watch is missed.
func (s *Store) Watch(keys ...store.Key) store.Watch {
	ctx, stop := context.WithCancel(clientv3.WithRequireLeader(s.client.Ctx()))
	changes, after := make(chan struct{}, 1), s.latest.Load()
	follow := func(key string, opts ...clientv3.OpOption) { go s.follow(ctx, changes, after, key, opts) }
	for _, k := range keys {
		if k.Name == "" { // the whole collection, and the journals of its documents
			follow(s.docKey(k), clientv3.WithPrefix())
			continue
		}
		follow(s.docKey(k))
		if k.Journaled() {
			follow(s.logPrefix(k), clientv3.WithPrefix())
			follow(s.runKey(k), clientv3.WithFilterPut()) // the deletion of the key, when the holder ends
		}
	}
	return store.Watch{Changes: changes, Close: stop}
}

// follow reports each change of a key after a revision, until the watch is closed. If the revision is 0, or the servers
// ended the watch, changes may have been missed. Then the beginning of the next watch is reported too, so that the
// caller reads again.
func (s *Store) follow(ctx context.Context, changes chan<- struct{}, after int64, key string, opts []clientv3.OpOption) {
	since := clientv3.WithRev(after + 1)
	if after == 0 {
		since = clientv3.WithCreatedNotify()
	}
	for open := true; open; open = pause(ctx, retry) {
		for resp := range s.client.Watch(ctx, key, append(opts[:len(opts):len(opts)], since)...) {
			if resp.Created || len(resp.Events) > 0 {
				select {
				case changes <- struct{}{}:
				default: // a report that nobody has read yet is enough
				}
			}
		}
		since = clientv3.WithCreatedNotify()
	}
}
