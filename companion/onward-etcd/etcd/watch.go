package etcd

import (
	"context"
	"strings"
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
	w := &watch{Store: s, changes: make(chan struct{}, 1), after: s.latest.Load(), kept: newKept()}
	for _, k := range keys {
		if k.Name == "" { // the whole collection, and the journals of its documents
			w.begin(ctx, s.docKey(k), clientv3.WithPrefix())
			if k.Kind.Log != nil && k.Kind.Log.Journal {
				w.begin(ctx, s.runKey(k), clientv3.WithPrefix())
			}
			continue
		}
		w.begin(ctx, s.docKey(k))
		if k.Journaled() {
			w.begin(ctx, s.logPrefix(k), clientv3.WithPrefix())
			w.begin(ctx, s.runKey(k))
		}
	}
	return store.Watch{Changes: w.changes, Close: stop, Reader: &reader{s, w.kept}}
}

// watch reports the changes of some keys.
type watch struct {
	*Store
	changes chan struct{}
	after   int64 // the revision of the store after which changes are reported; 0 if none is known
	kept    *kept
}

func (w *watch) begin(ctx context.Context, key string, opts ...clientv3.OpOption) {
	w.kept.sees(w.place(key), w.after)
	go w.follow(ctx, key, opts)
}

// follow reports each change of a key, until the watch is closed. If no revision is known to begin with, or the servers
// ended the watch, changes may have been missed. Then the beginning of the next watch is reported too, so that the
// caller reads again.
func (w *watch) follow(ctx context.Context, key string, opts []clientv3.OpOption) {
	place := w.place(key)
	since := clientv3.WithRev(w.after + 1)
	if w.after == 0 {
		since = clientv3.WithCreatedNotify()
	}
	for open := true; open; open = pause(ctx, retry) {
		for resp := range w.client.Watch(ctx, key, append(opts[:len(opts):len(opts)], since)...) {
			if resp.Created {
				w.kept.sees(place, resp.Header.Revision)
			}
			for _, e := range resp.Events {
				w.kept.moved(w.place(string(e.Kv.Key)), e.Kv.ModRevision)
			}
			if resp.Created || len(resp.Events) > 0 {
				select {
				case w.changes <- struct{}{}:
				default: // a report that nobody has read yet is enough
				}
			}
		}
		w.kept.sees(place, 0)
		since = clientv3.WithCreatedNotify()
	}
}

// place returns the part of a key that names a document or the holder of one. It is the same for all lines of a journal, and
// ends in a slash for a whole collection.
func (s *Store) place(key string) string {
	words := strings.Split(strings.TrimPrefix(key, s.prefix), "/")
	most := 2
	if words[0] == "run" {
		most = 3
	}
	return strings.Join(words[:min(most, len(words))], "/")
}
