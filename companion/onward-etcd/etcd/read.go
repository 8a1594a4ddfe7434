package etcd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// rangeOf reads all keys with a prefix in their order, page by page, all as of one moment.
func (s *Store) rangeOf(ctx context.Context, prefix string, visit func(key string, value []byte) error, opts ...clientv3.OpOption) error {
	_, err := s.rangeAt(ctx, 0, prefix, visit, opts...)
	return err
}

// rangeAt is rangeOf at a revision of the store, which it returns; 0 is the present one.
func (s *Store) rangeAt(ctx context.Context, revision int64, prefix string, visit func(key string, value []byte) error, opts ...clientv3.OpOption) (at int64, err error) {
	const page = 2000
	from, end := prefix, clientv3.GetPrefixRangeEnd(prefix)
	for {
		resp, err := s.get(ctx, from, append([]clientv3.OpOption{clientv3.WithRange(end), clientv3.WithLimit(page), clientv3.WithRev(revision)}, opts...)...)
		if err != nil {
			return 0, err
		}
		s.saw(resp.Header.Revision)
		for _, kv := range resp.Kvs {
			if err := visit(string(kv.Key), kv.Value); err != nil {
				return 0, err
			}
		}
		if !resp.More {
			return resp.Header.Revision, nil
		}
		from, revision = string(resp.Kvs[len(resp.Kvs)-1].Key)+"\x00", resp.Header.Revision
	}
}

// readLog reads the lines of a log, oldest first, as of a revision of the store. If the servers have compacted that
// revision, the error is ErrBusy, and the document must be read again.
func (s *Store) readLog(ctx context.Context, k store.Key, revision int64) (log []byte, err error) {
	_, err = s.rangeAt(ctx, revision, s.logPrefix(k), func(key string, packed []byte) error {
		log, err = s.addLine(ctx, k, revision, log, key, packed)
		return err
	})
	return log, s.compacted(k, err)
}

// readLogs reads with one request the logs of documents that were read with one request.
func (s *Store) readLogs(keys []store.Key, revision int64) []read {
	ctx, cancel := s.limited()
	defer cancel()
	ops := make([]clientv3.Op, len(keys))
	for i, k := range keys {
		ops[i] = clientv3.OpGet(s.logPrefix(k), clientv3.WithPrefix(), clientv3.WithRev(revision))
	}
	var resp *clientv3.TxnResponse
	err := s.ask(ctx, func(ctx context.Context) (err error) {
		resp, err = s.transact(ctx, nil, ops, nil)
		return err
	})
	logs := make([]read, len(keys))
	for i, k := range keys {
		if logs[i].err = s.compacted(k, err); err != nil {
			continue
		}
		for _, kv := range resp.Responses[i].GetResponseRange().Kvs {
			if logs[i].err == nil {
				logs[i].log, logs[i].err = s.addLine(ctx, k, revision, logs[i].log, string(kv.Key), kv.Value)
			}
		}
	}
	return logs
}

// read has the lines of a log, or the error of reading it.
type read struct {
	log []byte
	err error
}

// part reads the content of a line that was too large for the request of its commit.
func (s *Store) part(ctx context.Context, revision int64, key string, limit int64) (c cell, err error) {
	resp, err := s.get(ctx, s.prefix+key, clientv3.WithRev(revision))
	if err != nil || len(resp.Kvs) == 0 {
		return c, err
	}
	return unpack(resp.Kvs[0].Value, limit)
}

// snapshot is a document at one moment, with its log, its revisions and the ids of its last commits.
type snapshot struct {
	value   store.Value
	unread  error // why the document cannot be read
	at      revision
	store   int64 // the revision of the whole store
	created int64 // the revision of the document's first commit; 0 without a document
	raw     []byte
	ids     []id // of the last commits
	entry   entry
}

// revision has what a commit compares: the revisions of the document, of its index and, without a document, of the mark
// of its deletion; 0 if there is none. Because of the mark, a first commit that arrives late does not bring a deleted
// document back.
type revision struct {
	doc, index, gone int64

	commit id // of the commit that created the document
}

// reads returns the operations that read a snapshot.
func (s *Store) reads(k store.Key) []clientv3.Op {
	ops := []clientv3.Op{clientv3.OpGet(s.docKey(k)), clientv3.OpGet(s.indexKey(k)), clientv3.OpGet(s.deletedKey(k), clientv3.WithKeysOnly())}
	if k.Journaled() {
		ops = append(ops, clientv3.OpGet(s.logPrefix(k), clientv3.WithPrefix()))
	}
	return ops
}

// read returns the snapshot of a document. An error means that nothing could be read.
func (s *Store) read(ctx context.Context, k store.Key) (*snapshot, error) {
	var resp *clientv3.TxnResponse
	err := s.ask(ctx, func(ctx context.Context) (err error) {
		resp, err = s.transact(ctx, nil, s.reads(k), nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.parse(k, resp.Header.Revision, resp.Responses), nil
}

// parse makes a snapshot of the answers to the operations of reads, at a revision of the store.
func (s *Store) parse(k store.Key, revision int64, answers []*pb.ResponseOp) *snapshot {
	at := &snapshot{store: revision}
	answer := func(n int) *clientv3.GetResponse {
		return (*clientv3.GetResponse)(answers[n].GetResponseRange())
	}
	if kvs := answer(1).Kvs; len(kvs) > 0 {
		at.at.index = kvs[0].ModRevision
		at.entry, at.unread = parseEntry(string(kvs[0].Value))
		at.value.Changed = at.entry.changed
	}
	ours := at.at.index != 0 && (at.unread != nil || at.entry.name == k.Name)
	switch kvs := answer(0).Kvs; {
	case len(kvs) > 0:
		at.at.doc, at.created, at.raw = kvs[0].ModRevision, kvs[0].CreateRevision, kvs[0].Value
		c, err := unpack(at.raw, int64(k.Kind.Limit))
		at.value.Data, at.ids = c.data, c.ids
		if len(c.ids) > 0 {
			at.at.commit = c.ids[len(c.ids)-1]
		}
		at.unread = errors.Join(at.unread, err)
	case ours:
		at.unread = store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone)
	default:
		for _, kv := range answer(2).Kvs {
			at.value.Deleted, at.at.gone = true, kv.ModRevision
		}
	}
	if k.Journaled() {
		at.join(k, answer(3))
	}
	at.value.Revision = at.at
	if at.unread != nil {
		at.value.Data = nil
	}
	return at
}

// join concatenates the lines of a journal.
func (at *snapshot) join(k store.Key, lines *clientv3.GetResponse) {
	for _, kv := range lines.Kvs {
		c, err := unpack(kv.Value, k.Kind.Log.Limit)
		var place int
		if err == nil {
			_, err = fmt.Sscanf(string(kv.Key[len(kv.Key)-16:]), "%x", &place)
		}
		if err == nil && place > len(at.value.Log) {
			err = store.WrapProblem(store.ErrCorrupt, "the log misses what is before byte %d", place)
		}
		if err != nil {
			at.unread = errors.Join(at.unread, err)
			return
		}
		at.value.Log = append(at.value.Log[:place], c.data...)
		at.value.Acknowledged = c.mark
		at.ids = append(at.ids, c.ids...)
	}
	if int64(len(at.value.Log)) > k.Kind.Log.Limit {
		at.unread = errors.Join(at.unread, store.WrapProblem(store.ErrLimit, "the log has more than %d bytes", k.Kind.Log.Limit))
	}
}

// has reports whether a commit is among the last ones of the document.
func (at *snapshot) has(commit id) bool { return slices.Contains(at.ids, commit) }

// remembers reports whether the document has the ids of all commits since a revision.
func (at *snapshot) remembers(since revision) bool {
	return since.doc == 0 && len(at.ids) < keptIDs || at.has(since.commit)
}

// Get reads a document.
func (s *Store) Get(k store.Key) (store.Value, error) {
	ctx, cancel := s.limited()
	defer cancel()
	at, err := s.read(ctx, k)
	if err != nil {
		return store.Value{}, err
	}
	return s.result(k, at), at.unread
}

// result returns a snapshot as Get does.
func (s *Store) result(k store.Key, at *snapshot) store.Value {
	if k.Kind.Log != nil && !k.Journaled() {
		at.value.ReadLog = func() ([]byte, error) {
			ctx, cancel := s.limited()
			defer cancel()
			return s.readLog(ctx, k, at.store)
		}
	}
	return at.value
}

// GetMany reads as many documents with each request as servers accept, and sends some requests in parallel. A caller
// that reads one log usually reads all of them, so the logs of one request are read together.
func (s *Store) GetMany(keys []store.Key) []store.GetResult {
	out := make([]store.GetResult, len(keys))
	for i, a := range s.getMany(keys) {
		out[i] = a.got
	}
	return out
}

func (s *Store) getMany(keys []store.Key) []answer {
	ctx, cancel := s.limited()
	defer cancel()
	out := make([]answer, len(keys))
	var all sync.WaitGroup
	slots := make(chan struct{}, 8)
	for from := 0; from < len(keys); {
		var ops []clientv3.Op
		first := from
		for more := s.reads(keys[from]); len(ops)+len(more) <= mostOps; more = s.reads(keys[from]) {
			ops = append(ops, more...)
			if from++; from == len(keys) {
				break
			}
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			s.getSome(ctx, keys[first:from], ops, out[first:from])
		})
	}
	all.Wait()
	return out
}

// getSome reads documents with one request.
func (s *Store) getSome(ctx context.Context, keys []store.Key, ops []clientv3.Op, out []answer) {
	var resp *clientv3.TxnResponse
	err := s.ask(ctx, func(ctx context.Context) (err error) {
		resp, err = s.transact(ctx, nil, ops, nil)
		return err
	})
	var logged []store.Key
	logs := sync.OnceValue(func() []read { return s.readLogs(logged, resp.Header.Revision) })
	for i, k := range keys {
		if err != nil {
			out[i].got.Err = err
			continue
		}
		n := len(s.reads(k))
		at := s.parse(k, resp.Header.Revision, resp.Responses[:n])
		resp.Responses = resp.Responses[n:]
		out[i] = answer{at: at.store, got: store.GetResult{Value: at.value, Err: at.unread}}
		if k.Kind.Log != nil && !k.Journaled() {
			nth := len(logged)
			logged = append(logged, k)
			out[i].got.Value.ReadLog = func() ([]byte, error) { l := logs()[nth]; return l.log, l.err }
		}
	}
}
