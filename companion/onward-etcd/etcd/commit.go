package etcd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// largest is from which size on, in bytes, a document and its line are sent in two requests.
// Servers accept 1.5 MiB in one, unless configured otherwise.
const largest = 1 << 20

// asked is how long a caller may ask whether a document was deleted.
const asked = 30 * 24 * time.Hour

// Update reads, changes and commits until no other commit has come between.
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
	for {
		w, err := change(at.value, at.unread)
		err = w.KeepCopy(err, func() (string, error) { return s.copyAside(ctx, k, at.raw) })
		if err == nil && w.Data == nil && !w.Delete {
			err = by.still(ctx)
		}
		if err != nil || w.Data == nil && !w.Delete {
			return err
		}
		removed := false
		if w.Delete && w.First != nil {
			removed, err = w.First()
		}
		if err == nil {
			if at, err = c.make(ctx, at, w); at == nil && err == nil {
				return nil
			}
		}
		if err != nil {
			if removed {
				err = fmt.Errorf("%w: it is not deleted, but what belonged to it is: %w", store.ErrNotDurable, err)
			}
			return err
		}
	}
}

// commit is one change of a document on its way to the servers, however often it is tried.
type commit struct {
	*Store
	key  store.Key
	id   id
	by   *held // commits require that it is held; nil means by any writer
	lost error // an answer that was lost: the change may have been made
	late int   // how often others were faster
}

// make commits a write where the document is as it was. If it has moved, what is there now is returned.
func (c *commit) make(ctx context.Context, at *snapshot, w store.Write) (*snapshot, error) {
	then, err := c.writes(ctx, at, w)
	if err != nil {
		return nil, err
	}
	compare := c.same(c.key, at.at)
	if c.key.Joined() { // and no line was added to its log
		compare = append(compare, clientv3.Compare(clientv3.ModRevision(c.logPrefix(c.key)).WithPrefix(), "<", at.store+1))
	}
	return c.send(ctx, at.at, compare, then, w.Delete)
}

// same compares a document with what was seen.
func (s *Store) same(k store.Key, was revision) []clientv3.Cmp {
	return []clientv3.Cmp{
		clientv3.Compare(clientv3.ModRevision(s.docKey(k)), "=", was.doc),
		clientv3.Compare(clientv3.ModRevision(s.indexKey(k)), "=", was.index),
	}
}

// send sends a transaction until there is an answer. One that was lost is settled by sending the same again:
// it cannot be made twice, since the first makes its comparison false.
// If the document has moved since a revision, its present content shows whether this very change moved it.
func (c *commit) send(ctx context.Context, since revision, compare []clientv3.Cmp, then []clientv3.Op, deletes bool) (*snapshot, error) {
	otherwise := c.reads(c.key)
	if c.by != nil {
		compare = append(compare, c.by.isHolder())
		otherwise = append(otherwise, clientv3.OpGet(c.runKey(c.key), clientv3.WithKeysOnly()))
	}
	for {
		var resp *clientv3.TxnResponse
		err := c.askOnce(ctx, func(ctx context.Context) (err error) {
			resp, err = c.transact(ctx, compare, then, otherwise)
			return err
		})
		switch {
		case err == nil && resp.Succeeded:
			return nil, nil
		case err == nil:
			now := c.parse(c.key, resp)
			if c.lost != nil {
				made, err := c.resolve(ctx, since, now)
				if made || deletes && now.at.doc == 0 { // a deletion leaves no memory of who made it
					return nil, nil
				}
				if err != nil {
					return nil, err
				}
			}
			if c.by != nil {
				err = c.by.check((*clientv3.GetResponse)(resp.Responses[len(otherwise)-1].GetResponseRange()))
			}
			if err == nil {
				err = c.again(ctx)
			}
			return now, err
		case passing(err):
			c.lost = err
			if pause(ctx, breath) {
				continue
			}
		}
		if c.lost != nil {
			return nil, store.Problem(store.ErrUnknown, "%s does not answer any more: %v", c.url, err) // not also of another kind
		}
		return nil, c.problem(err)
	}
}

// resolve finds out whether the change was made whose answer was lost. The document knows its last commits;
// where more have come between, there is the line that follows the revision in the log, and only
// one commit can have left that.
func (c *commit) resolve(ctx context.Context, since revision, now *snapshot) (made bool, err error) {
	if now.has(c.id) {
		return true, nil
	}
	known := now.remembers(since)
	if !known && c.key.Kind.Log != nil && !c.key.Joined() {
		err = c.rangeOf(ctx, c.logPrefix(c.key)+number(since.index), func(_ string, packed []byte) error {
			line, err := unpack(packed, c.key.Kind.Log.Limit)
			known, made = true, slices.Contains(line.ids, c.id)
			return err
		})
	}
	switch {
	case err != nil || !known:
		return false, store.Problem(store.ErrUnknown, "the answer was lost, and too much has happened since: %v", errors.Join(c.lost, err))
	case !made && since.index != 0:
		c.lost = nil // what was sent cannot come true any more: no revision comes back
	}
	return made, nil
}

// again refuses another attempt if there is no time for one.
func (c *commit) again(ctx context.Context) error {
	// Many writers of one document come through sooner where they do not all try at once.
	if c.late++; !pause(ctx, rand.N(time.Millisecond<<min(c.late, 6))) {
		return store.Problem(store.ErrBusy, "%s is written by others all the time", c.Path(c.key))
	}
	return nil
}

// writes are the requests that bring a write about.
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
	case k.Joined():
		// The document contains its lines now.
		ops = append(ops, clientv3.OpDelete(c.logPrefix(k), clientv3.WithPrefix()))
	}
	if at.value.Deleted {
		ops = append(ops, clientv3.OpDelete(c.deletedKey(k)))
	}
	return append(ops, clientv3.OpPut(c.indexKey(k), e.String())), nil
}

// log adds a line to a log, beside a document of a size. It trims the log where it has become too long.
func (c *commit) log(ctx context.Context, at *snapshot, w store.Write, e *entry, beside int) ([]clientv3.Op, error) {
	k, kind := c.key, c.key.Kind.Log
	line, err := cell{data: w.Line, ids: []id{c.id}}.pack()
	if err != nil {
		return nil, err
	}
	if beside+len(line) > largest {
		// One that is not followed by its commit is never read, and is removed with the log.
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
	if w.Trim || kind.Bound > 0 && int64(e.bytes+len(w.Line)) > kind.Bound {
		if ops, err = c.trim(ctx, at, len(w.Line), e); err != nil {
			return nil, err
		}
	}
	e.lines, e.bytes = e.lines+1, e.bytes+len(w.Line)
	return append(ops, clientv3.OpPut(c.logPrefix(k)+lineName(at.at.index, len(w.Line)), string(line))), nil
}

// trim deletes all but the newest lines that fit in half of the log's bound with one more.
func (c *commit) trim(ctx context.Context, at *snapshot, size int, e *entry) ([]clientv3.Op, error) {
	kind, prefix := c.key.Kind.Log, c.logPrefix(c.key)
	var keys []string
	err := c.rangeOf(ctx, prefix, func(key string, _ []byte) error {
		if key < prefix+number(at.at.index) { // else another commit came between, and this commit fails
			keys = append(keys, key)
		}
		return nil
	}, clientv3.WithKeysOnly())
	if err != nil {
		return nil, err
	}
	e.lines, e.bytes = 0, 0
	from := len(keys)
	for from > 0 && e.lines < kind.Lines-1 && int64(size+e.bytes+lineSize(keys[from-1])) <= kind.Bound/2 {
		from--
		e.lines, e.bytes = e.lines+1, e.bytes+lineSize(keys[from])
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

// deletion removes a document with everything that belongs to it, and leaves a mark that expires.
func (c *commit) deletion(ctx context.Context, w store.Write) ([]clientv3.Op, error) {
	k := c.key
	var lease *clientv3.LeaseGrantResponse
	err := c.ask(ctx, func(ctx context.Context) (err error) {
		lease, err = c.client.Grant(ctx, int64(asked/time.Second))
		return err
	})
	if err != nil {
		return nil, err
	}
	ops := []clientv3.Op{
		clientv3.OpDelete(c.docKey(k)), clientv3.OpDelete(c.indexKey(k)),
		clientv3.OpPut(c.deletedKey(k), "", clientv3.WithLease(lease.ID)),
	}
	if k.Kind.Log != nil {
		ops = append(ops, clientv3.OpDelete(c.logPrefix(k), clientv3.WithPrefix()), clientv3.OpDelete(c.partPrefix(k), clientv3.WithPrefix()))
	}
	if w.Copy == nil {
		ops = append(ops, clientv3.OpDelete(c.copyPrefix(k), clientv3.WithPrefix()))
	}
	return ops, nil
}

// copyAside copies a damaged document unchanged, once for each content, and returns where the copy is.
func (s *Store) copyAside(ctx context.Context, k store.Key, raw []byte) (string, error) {
	if raw == nil {
		return "", nil
	}
	key := s.copyPrefix(k) + store.Sum(raw)
	return s.address(key), s.ask(ctx, func(ctx context.Context) error {
		_, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).Then(clientv3.OpPut(key, string(raw))).Commit()
		return err
	})
}
