// Package etcd keeps documents in etcd. It is a backend of package store, like files.
//
// Changing a document locks nothing. A commit is one transaction, which compares the revisions
// that were read; if they have changed, the change is computed again. A document is held by a lease.
package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// Store keeps documents under a prefix of keys.
type Store struct {
	*servers
	prefix string // of all keys; ends in a slash
	wait   time.Duration
	bound  context.Context // of the caller; nil if there is none
}

// servers is what the stores returned by With share: they differ in their contexts and limits only.
type servers struct {
	url     string // for messages
	client  *clientv3.Client
	link    *link
	lease   time.Duration               // how long a holder that does not renew it keeps a document
	version func(context.Context) error // returns an error for servers of versions that lose data; nil if one was asked lately
	memory  *memory
	latest  atomic.Int64 // the newest revision of the store that was seen
	marks   atomic.Int64 // the lease of the latest mark of a deletion
}

var (
	_ store.Backend = (*Store)(nil)
	_ store.Remote  = (*Store)(nil)
)

// least is the shortest wait, even for a caller that does not want to wait, because every answer takes time on a network.
const least = time.Second

// With returns the same store bound to a context.
func (s *Store) With(ctx context.Context) store.Backend {
	return &Store{servers: s.servers, prefix: s.prefix, wait: s.wait, bound: ctx}
}

// Path returns a document's key in the store's URL.
func (s *Store) Path(k store.Key) string { return s.address(s.docKey(k)) }

// address returns a key as the user sees it.
func (s *Store) address(key string) string {
	return s.url + "/" + strings.TrimPrefix(key, s.prefix)
}

// limited returns the context of one call of the store. It ends at the deadline of the caller, but leaves at least the
// time that an answer takes, and ends immediately if the caller's context is cancelled.
func (s *Store) limited() (context.Context, context.CancelFunc) {
	if s.bound == nil {
		return context.WithTimeout(s.client.Ctx(), max(s.wait, least))
	}
	wait := s.wait
	if end, limited := s.bound.Deadline(); limited {
		wait = time.Until(end)
	}
	inner, interrupt := context.WithCancelCause(s.client.Ctx())
	ctx, cancel := context.WithTimeout(inner, max(wait, least))
	stop := context.AfterFunc(s.bound, func() {
		if errors.Is(s.bound.Err(), context.Canceled) {
			interrupt(store.ErrInterrupted)
		}
	})
	return ctx, func() {
		stop()
		cancel()
		interrupt(nil)
	}
}

// failed classifies the error of a call.
func (s *Store) failed(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), store.ErrInterrupted) {
		return store.WrapProblem(store.ErrInterrupted, "while %s was asked", s.url)
	}
	return s.problem(err)
}

// once is how long to wait for one server before the next one is asked. A frozen leader is replaced sooner than that.
func (s *Store) once() time.Duration { return min(max(s.wait/4, least/2), 2*time.Second) }

// ask calls one server after another, until one answers or the time is over. The call can reach servers twice, so it
// must be harmless to repeat.
func (s *Store) ask(ctx context.Context, call func(context.Context) error) error {
	for {
		err := s.askOnce(ctx, call)
		if err == nil || !passing(err) || !pause(ctx, breath) {
			return s.failed(ctx, err)
		}
	}
}

// get reads a key, or a range of keys.
func (s *Store) get(ctx context.Context, key string, opts ...clientv3.OpOption) (resp *clientv3.GetResponse, err error) {
	err = s.ask(ctx, func(ctx context.Context) (err error) {
		resp, err = s.client.Get(ctx, key, opts...)
		return err
	})
	return resp, err
}

func (s *Store) askOnce(ctx context.Context, call func(context.Context) error) error {
	once, cancel := context.WithTimeout(ctx, s.once())
	defer cancel()
	s.link.asks()
	err := call(once)
	if err == nil || !passing(err) {
		s.link.answers()
	}
	if err == nil && s.version != nil {
		err = s.version(once)
	}
	if err == nil {
		s.memory.keep(s.link.best(), s.version != nil, time.Now())
	}
	return err
}

// pause waits before another attempt, and reports whether there is time for one.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// breath is the pause before servers that did not answer are asked again.
const breath = 20 * time.Millisecond

// transact sends a transaction once.
func (s *Store) transact(ctx context.Context, compare []clientv3.Cmp, then, otherwise []clientv3.Op) (*clientv3.TxnResponse, error) {
	resp, err := s.client.Txn(ctx).If(compare...).Then(then...).Else(otherwise...).Commit()
	if err == nil {
		s.saw(resp.Header.Revision)
		s.memory.sawTerm(resp.Header.RaftTerm, time.Now())
	}
	return resp, err
}

// saw records the newest revision of the store that was seen. A watch begins after it, so that it misses nothing.
func (s *servers) saw(revision int64) {
	for old := s.latest.Load(); old < revision && !s.latest.CompareAndSwap(old, revision); old = s.latest.Load() {
	}
}

// List reads the index only.
func (s *Store) List(kind *store.Spec, like string, times bool) ([]store.Entry, error) {
	a, err := s.list(kind, like)
	return a.entries, err
}

func (s *Store) list(kind *store.Spec, like string) (a answer, err error) {
	ctx, cancel := s.limited()
	defer cancel()
	add := func(_ string, value []byte) error {
		e, err := parseEntry(string(value))
		if err == nil {
			a.entries = append(a.entries, store.Entry{Name: e.name, Changed: e.changed})
		}
		return err
	}
	if like == "" {
		a.at, err = s.rangeAt(ctx, 0, s.key("index", kind.Folder, ""), add)
		return a, err
	}
	resp, err := s.get(ctx, s.indexKey(store.Key{Kind: kind, Name: like}))
	if err != nil || len(resp.Kvs) == 0 {
		return a, err
	}
	err = add("", resp.Kvs[0].Value)
	return a, err
}

// Leftovers returns the copies of damaged documents. A deletion leaves nothing behind, because it is one transaction.
func (s *Store) Leftovers(kind *store.Spec, name string) ([]store.Leftover, error) {
	ctx, cancel := s.limited()
	defer cancel()
	prefix := s.key("copies", kind.Folder, "")
	if name != "" {
		prefix = s.copyPrefix(store.Key{Kind: kind, Name: name})
	}
	var traces []store.Leftover
	err := s.rangeOf(ctx, prefix, func(key string, _ []byte) error {
		words := strings.Split(key, "/")
		traces = append(traces, store.Leftover{Name: words[len(words)-2], Copy: s.address(key)})
		return nil
	}, clientv3.WithKeysOnly())
	return traces, err
}

// addLine appends a line to the lines of a log.
func (s *Store) addLine(ctx context.Context, k store.Key, revision int64, log []byte, key string, packed []byte) ([]byte, error) {
	limit := k.Kind.Log.Limit
	c, err := unpack(packed, limit)
	if err == nil && c.mark == inPart {
		c, err = s.part(ctx, revision, string(c.data), limit)
	}
	if err != nil {
		return log, fmt.Errorf("%s: %w", s.address(key), err)
	}
	if log = append(log, c.data...); int64(len(log)) > limit {
		return log, store.WrapProblem(store.ErrLimit, "the log %s has more than %d bytes", s.address(s.logPrefix(k)), limit)
	}
	return log, nil
}

// compacted turns the error about a compacted revision into ErrBusy, since the document must be read again.
func (s *Store) compacted(k store.Key, err error) error {
	if errors.Is(err, rpctypes.ErrCompacted) {
		err = store.WrapProblem(store.ErrBusy, "%s was changed while its log was read", s.Path(k))
	}
	return err
}

// inPart marks a line of a log that contains only the key of its content.
const inPart = "part"

// Close ends the connections. A command need not call it before it ends.
func (s *Store) Close() error { return s.client.Close() }

// mostOps is how many operations servers accept in one request, unless configured otherwise.
const mostOps = 128
