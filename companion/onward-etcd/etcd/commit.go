package etcd

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// largest is how many bytes a document and its line have at most in one request; larger ones are
// sent in two. Servers accept 1.5 MiB in a request, unless configured otherwise.
const largest = 1 << 20

// asked is how long the mark of a deletion is kept, so that a deletion whose answer was lost can be repeated.
const asked = 24 * time.Hour

// Update reads, changes and commits, again if another commit came between.
func (s *Store) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return s.update(k, nil, change)
}

// update is Update for the holder of the document, or for any writer if that is nil.
func (s *Store) update(k store.Key, by *held, change func(store.Value, error) (store.Write, error)) error {
	ctx, cancel := s.limited()
	defer cancel()
	at, err := s.read(ctx, k)
	if err != nil {
		return err
	}
	c := commit{Store: s, key: k, id: newID(), by: by}
	for at != nil && err == nil {
		at, err = c.attempt(ctx, at, change)
	}
	return err
}

// commit is one change of a document, with all its attempts.
type commit struct {
	*Store
	key  store.Key
	id   id
	by   *held // the holder, without whose lease nothing is committed; nil for any writer
	lost error // why an answer was lost, after which the change may have been made
	late int   // how often another commit came first

	silence error // why a request was not answered
	made    int64 // the revision of the store once it was made, or a later one
}

// attempt computes the change of a snapshot, and commits it. If the document has changed since, it returns the new
// snapshot.
func (c *commit) attempt(ctx context.Context, at *snapshot, change func(store.Value, error) (store.Write, error)) (*snapshot, error) {
	if c.key.Kind.Log != nil && !c.key.Journaled() {
		at.value.ReadLog = func() ([]byte, error) { return c.readLog(ctx, c.key, at.store) }
	}
	w, err := change(at.value, at.unread)
	err = w.KeepCopy(err, func() (string, error) { return c.copyAside(ctx, c.key, at.raw) })
	if err == nil && w.Data == nil && !w.Delete {
		err = c.by.still(ctx)
	}
	if err != nil || w.Data == nil && !w.Delete {
		return nil, err
	}
	return c.make(ctx, at, w)
}

// make commits a write if the document is unchanged, and otherwise returns the new snapshot.
func (c *commit) make(ctx context.Context, at *snapshot, w store.Write) (*snapshot, error) {
	then, err := c.writes(ctx, at, w)
	if err != nil {
		return nil, err
	}
	compare := c.same(c.key, at.at)
	if c.key.Journaled() { // its log must be unchanged too
		compare = append(compare, clientv3.Compare(clientv3.ModRevision(c.logPrefix(c.key)).WithPrefix(), "<", at.store+1))
	}
	return c.send(ctx, at.at, compare, then, w.Delete)
}

// same returns the comparisons that are true as long as a document has a revision.
func (s *Store) same(k store.Key, was revision) []clientv3.Cmp {
	compare := []clientv3.Cmp{
		clientv3.Compare(clientv3.ModRevision(s.docKey(k)), "=", was.doc),
		clientv3.Compare(clientv3.ModRevision(s.indexKey(k)), "=", was.index),
	}
	if was.doc == 0 {
		compare = append(compare, clientv3.Compare(clientv3.ModRevision(s.deletedKey(k)), "=", was.gone))
	}
	return compare
}

// send sends a transaction until there is an answer. After a lost answer it sends the same transaction again. It
// cannot be made twice, because its own success makes its comparison false.
// If the comparison is false after a lost answer, the content of the document shows whether this commit is the reason.
func (c *commit) send(ctx context.Context, since revision, compare []clientv3.Cmp, then []clientv3.Op, deletes bool) (*snapshot, error) {
	otherwise := c.reads(c.key)
	if c.by != nil {
		compare = append(compare, c.by.isHolder())
		otherwise = append(otherwise, clientv3.OpGet(c.runKey(c.key), clientv3.WithKeysOnly()))
	}
	for {
		if c.lost == nil && ctx.Err() != nil { // no request is out that could still have an effect
			if c.late > 0 {
				return nil, c.outrun(ctx)
			}
			return nil, c.failed(ctx, ctx.Err())
		}
		var resp *clientv3.TxnResponse
		tracked, left := tracking(ctx)
		err := c.askOnce(tracked, func(ctx context.Context) (err error) {
			resp, err = c.transact(ctx, compare, then, otherwise)
			return err
		})
		switch {
		case err == nil && resp.Succeeded:
			c.made = resp.Header.Revision
			return nil, nil
		case err == nil:
			now := c.parse(c.key, resp.Header.Revision, resp.Responses)
			c.made = now.store
			if c.lost != nil {
				made, err := c.resolve(ctx, since, now)
				if made || deletes && now.at.doc == 0 { // a deleted document does not show who deleted it
					return nil, nil
				}
				if err != nil {
					return nil, err
				}
			}
			if c.by != nil {
				err = c.by.check((*clientv3.GetResponse)(resp.Responses[len(otherwise)-1].GetResponseRange()))
			}
			if err != nil {
				return nil, err
			}
			return c.again(ctx, now)
		case passing(err):
			c.silence = err
			if left.Load() {
				c.lost = err
			}
			if pause(ctx, breath) {
				continue
			}
		}
		if c.lost != nil {
			return nil, store.WrapProblem(store.ErrUnknown, "%s does not answer any more: %v", c.url, err) // %v, so that it is ErrUnknown alone
		}
		return nil, c.failed(ctx, err)
	}
}

// resolve finds out whether the change whose answer was lost was made. The document has the ids of its last commits.
// If there were too many since, the line that was logged at the revision decides, since only one commit can have
// written that.
func (c *commit) resolve(ctx context.Context, since revision, now *snapshot) (made bool, err error) {
	if now.has(c.id) {
		return true, nil
	}
	if since.doc == 0 {
		if same, err := c.sameAge(ctx, since, now); err != nil || !same {
			return false, store.WrapProblem(store.ErrUnknown, "the answer was lost, and what it was about has been deleted since: %v", errors.Join(c.lost, err))
		}
	}
	known := now.remembers(since)
	if !known && c.key.Kind.Log != nil && !c.key.Journaled() {
		err = c.rangeOf(ctx, c.logPrefix(c.key)+number(since.index), func(_ string, packed []byte) error {
			line, err := unpack(packed, c.key.Kind.Log.Limit)
			known, made = true, slices.Contains(line.ids, c.id)
			return err
		})
	}
	switch {
	case err != nil || !known:
		return false, store.WrapProblem(store.ErrUnknown, "the answer was lost, and too much has happened since: %v", errors.Join(c.lost, err))
	case !made && since.index != 0:
		c.lost = nil // a late request can have no effect any more, because its revision is over
	}
	return made, nil
}

// sameAge reports whether no document of this name was created and deleted since a revision at which there was none. Such
// a document would have taken the ids of its commits with it. The next document's first commit removes the mark of the
// deletion, so the mark is read as of the revision before that.
func (c *commit) sameAge(ctx context.Context, since revision, now *snapshot) (bool, error) {
	if now.at.doc == 0 {
		return now.at.gone == since.gone, nil
	}
	before, err := c.get(ctx, c.deletedKey(c.key), clientv3.WithKeysOnly(), clientv3.WithRev(now.created-1))
	if err != nil {
		return false, err
	}
	gone := int64(0)
	if len(before.Kvs) > 0 {
		gone = before.Kvs[0].ModRevision
	}
	return gone == since.gone, nil
}

// again returns the snapshot for another attempt, or an error if the time is up. If other commits came first
// more than once, it reads the document after the pause. The earlier snapshot would be old by then, and a refused
// transaction costs the servers more than a read, because it goes through their log.
func (c *commit) again(ctx context.Context, now *snapshot) (*snapshot, error) {
	// Many writers of one document succeed sooner if they do not all try at the same time: with these pauses, 32 of them
	// send two transactions for each change; without them, four.
	if c.late++; !pause(ctx, rand.N(8*time.Millisecond<<min(c.late, 6))) {
		return nil, c.outrun(ctx)
	}
	if c.late == 1 || c.lost != nil { // after a read, a late success of the lost request would look like another commit
		return now, nil
	}
	return c.read(ctx, c.key)
}

// outrun returns the error of a commit that ran out of time because others always came first, or because servers did not
// answer for a while before or after one did.
func (c *commit) outrun(ctx context.Context) error {
	if c.silence != nil {
		return c.failed(ctx, c.silence)
	}
	return c.failed(ctx, store.WrapProblem(store.ErrBusy, "%s is written by others all the time", c.Path(c.key)))
}

// writes returns the operations of a write.
func (c *commit) writes(ctx context.Context, at *snapshot, w store.Write) ([]clientv3.Op, error) {
	if w.Delete {
		return c.deletion(ctx, w)
	}
	k := c.key
	doc, err := cell{data: w.Data, ids: append(at.ids[:len(at.ids):len(at.ids)], c.id)}.pack()
	if err != nil {
		return nil, err
	}
	ops := []clientv3.Op{clientv3.OpPut(c.docKey(k), string(doc))}
	e := at.entry
	e.name, e.changed = k.Name, w.Now
	switch {
	case w.Line != nil:
		more, err := c.log(ctx, at, w, &e, len(doc))
		if err != nil {
			return nil, err
		}
		ops = append(ops, more...)
	case k.Journaled():
		// The document now contains what the lines of its journal said.
		ops = append(ops, clientv3.OpDelete(c.logPrefix(k), clientv3.WithPrefix()))
	}
	if at.value.Deleted {
		ops = append(ops, clientv3.OpDelete(c.deletedKey(k)))
	}
	return append(ops, clientv3.OpPut(c.indexKey(k), e.String())), nil
}

// log returns the operations that add a line to a log, together with a document of that size, and trim the log if it has become too long.
func (c *commit) log(ctx context.Context, at *snapshot, w store.Write, e *entry, beside int) ([]clientv3.Op, error) {
	k, kind := c.key, c.key.Kind.Log
	line, err := cell{data: w.Line, ids: []id{c.id}}.pack()
	if err != nil {
		return nil, err
	}
	if beside+len(line) > largest {
		// If the commit does not follow, this part is never read, and is removed with the log.
		part := "parts/" + kind.Folder + "/" + k.Name + "/" + number(at.at.index) + "-" + fmt.Sprintf("%x", c.id)
		err := c.ask(ctx, func(ctx context.Context) error {
			_, err := c.client.Put(ctx, c.prefix+part, string(line))
			return err
		})
		if err != nil {
			return nil, err
		}
		if line, err = (cell{data: []byte(part), ids: []id{c.id}, mark: inPart}).pack(); err != nil {
			return nil, err
		}
	}
	var ops []clientv3.Op
	if kind.NeedsTrim(e.bytes, w, len(at.value.Data)) {
		if ops, err = c.trim(ctx, at, w, e); err != nil {
			return nil, err
		}
	}
	e.lines, e.bytes = e.lines+1, e.bytes+len(w.Line)
	return append(ops, clientv3.OpPut(c.logPrefix(k)+lineName(at.at.index, len(w.Line)), string(line))), nil
}

// trim returns the operations that delete the oldest lines of a log.
func (c *commit) trim(ctx context.Context, at *snapshot, w store.Write, e *entry) ([]clientv3.Op, error) {
	prefix := c.logPrefix(c.key)
	var keys []string
	var sizes []int
	err := c.rangeOf(ctx, prefix, func(key string, _ []byte) error {
		if key < prefix+number(at.at.index) { // a later line is from another commit, after which this one fails
			keys, sizes = append(keys, key), append(sizes, lineSize(key))
		}
		return nil
	}, clientv3.WithKeysOnly())
	if err != nil {
		return nil, err
	}
	from := c.key.Kind.Log.Trim(sizes, w, len(at.value.Data))
	e.lines, e.bytes = len(sizes)-from, 0
	for _, size := range sizes[from:] {
		e.bytes += size
	}
	if from == 0 {
		return nil, nil
	}
	last := strings.TrimPrefix(keys[from-1], prefix)
	after, _, _ := strings.Cut(last, "-")
	part := c.partPrefix(c.key)
	return []clientv3.Op{
		clientv3.OpDelete(prefix, clientv3.WithRange(prefix+last+"\x00")),
		clientv3.OpDelete(part, clientv3.WithRange(part+after+".")), // the full stop follows the hyphen
	}, nil
}

// deletion returns the operations that remove a document with everything that belongs to it, and leave a mark that expires.
func (c *commit) deletion(ctx context.Context, w store.Write) ([]clientv3.Op, error) {
	k := c.key
	lease, err := c.leaseOfMarks(ctx)
	if err != nil {
		return nil, err
	}
	ops := []clientv3.Op{
		clientv3.OpDelete(c.docKey(k)), clientv3.OpDelete(c.indexKey(k)),
		clientv3.OpPut(c.deletedKey(k), "", clientv3.WithLease(lease)),
	}
	if k.Kind.Log != nil {
		ops = append(ops, clientv3.OpDelete(c.logPrefix(k), clientv3.WithPrefix()), clientv3.OpDelete(c.partPrefix(k), clientv3.WithPrefix()))
	}
	if w.Copy == nil {
		ops = append(ops, clientv3.OpDelete(c.copyPrefix(k), clientv3.WithPrefix()))
	}
	return ops, nil
}

// leaseOfMarks returns the lease for the marks of all deletions of an hour. They share one, because servers keep every
// lease in memory. Its id is computed from the hour, and the first deletion grants it.
func (s *Store) leaseOfMarks(ctx context.Context) (clientv3.LeaseID, error) {
	name := fnv.New64a()
	name.Write(fmt.Append(nil, s.prefix, time.Now().Unix()/3600))
	lease := int64(name.Sum64()>>1 | 1) // servers accept positive ids only
	if s.marks.Load() == lease {
		return clientv3.LeaseID(lease), nil
	}
	err := s.ask(ctx, func(ctx context.Context) error {
		request := &pb.LeaseGrantRequest{ID: lease, TTL: int64((asked + time.Hour) / time.Second)}
		_, err := pb.NewLeaseClient(s.client.ActiveConnection()).LeaseGrant(ctx, request)
		if err = rpctypes.Error(err); errors.Is(err, rpctypes.ErrLeaseExist) {
			err = nil
		}
		return err
	})
	if err == nil {
		s.marks.Store(lease)
	}
	return clientv3.LeaseID(lease), err
}

// copyAside copies a damaged document unchanged, each content once, and returns the key of the copy.
func (s *Store) copyAside(ctx context.Context, k store.Key, raw []byte) (string, error) {
	if raw == nil {
		return "", nil
	}
	key := s.copyPrefix(k) + store.Checksum(raw)
	return s.address(key), s.ask(ctx, func(ctx context.Context) error {
		_, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).Then(clientv3.OpPut(key, string(raw))).Commit()
		return err
	})
}
