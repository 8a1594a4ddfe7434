package etcd

import (
	"slices"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// reader reads what is watched. It sends a request only for what has changed since it last read it, and now and then one that
// shows whether the servers still answer.
type reader struct {
	*Store
	kept *kept
}

// asksStill is how long the servers may report no change until one is asked whether it still answers.
const asksStill = 15 * time.Second

// mostKept is how many bytes of documents a reader keeps. Further ones are read again each time.
const mostKept = 64 << 20

// kept is what was read of the documents that are watched, by the places of their keys. All watched keys are reported by the
// servers from a revision of the store on, and each change has a revision. So what was read is still true if it was read at or after both.
type kept struct {
	mu     sync.Mutex
	since  map[string]int64 // by watched place: from which revision on changes are reported; 0 while none are
	last   map[string]int64 // by place: the revision of the last change that was reported
	read   map[string]answer
	bytes  int
	spoken time.Time // when a server last answered this reader
}

// answer is what was read at a revision of the store: a document, the entries of a collection, or who holds a document.
type answer struct {
	at      int64
	got     store.GetResult
	entries []store.Entry
	holder  *holder // nil if nobody holds the document
}

func newKept() *kept {
	return &kept{since: map[string]int64{}, last: map[string]int64{}, read: map[string]answer{}}
}

// sees records from which revision on the changes of a place are reported; 0 means that they are not reported any more.
func (k *kept) sees(place string, since int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.since[place] = since
}

// moved records a change of a place, and with it of its collection.
func (k *kept) moved(place string, at int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range []string{place, collection(place)} {
		k.last[p] = max(k.last[p], at)
	}
}

// collection returns the place of the collection that a document belongs to.
func collection(place string) string { return place[:strings.LastIndexByte(place, '/')+1] }

// find returns what was read of a place, if it is still true.
func (k *kept) find(place string) (a answer, is bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	since := k.since[place]
	if all := k.since[collection(place)]; since == 0 || all != 0 && all < since {
		since = all
	}
	a, is = k.read[place]
	return a, is && since != 0 && a.at >= max(since, k.last[place])
}

// keep keeps what was read of a place, if the place is watched.
func (k *kept) keep(place string, a answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, one := k.since[place]
	_, all := k.since[collection(place)]
	size := func(a answer) int { return len(a.got.Value.Data) + len(a.got.Value.Log) + 64*len(a.entries) }
	before := k.read[place]
	if bytes := k.bytes + size(a) - size(before); (one || all) && bytes <= mostKept {
		k.bytes, k.read[place] = bytes, a
	}
}

// answers returns an error if the servers do not answer. What was read before a silence is read again after it, since a watch
// may notice the silence later.
func (r *reader) answers() error {
	r.kept.mu.Lock()
	recent := time.Since(r.kept.spoken) < asksStill
	r.kept.mu.Unlock()
	if recent {
		return nil
	}
	ctx, cancel := r.limited()
	defer cancel()
	_, err := r.get(ctx, r.prefix, clientv3.WithCountOnly())
	r.spoke(err)
	return err
}

// spoke records that a server has answered, or that none did.
func (r *reader) spoke(err error) {
	r.kept.mu.Lock()
	defer r.kept.mu.Unlock()
	if err == nil {
		r.kept.spoken = time.Now()
		return
	}
	r.kept.spoken, r.kept.bytes = time.Time{}, 0
	clear(r.kept.read)
}

// fromMemory returns what was read of a place if it is still true, and otherwise reads it.
func (r *reader) fromMemory(place string, read func() (answer, error)) (answer, error) {
	if err := r.answers(); err != nil {
		return answer{}, err
	}
	if a, is := r.kept.find(place); is {
		return a, nil
	}
	a, err := read()
	if r.spoke(err); err == nil {
		r.kept.keep(place, a)
	}
	return a, err
}

func (r *reader) Get(k store.Key) (store.Value, error) {
	got := r.GetMany([]store.Key{k})[0]
	return got.Value, got.Err
}

func (r *reader) GetMany(keys []store.Key) []store.GetResult {
	out, silent := make([]store.GetResult, len(keys)), r.answers()
	var missing []store.Key
	var at []int // their places in out
	for i, k := range keys {
		a, is := r.kept.find(r.place(r.docKey(k)))
		if out[i] = a.got; silent != nil {
			out[i] = store.GetResult{Err: silent}
		} else if !is {
			missing, at = append(missing, k), append(at, i)
		}
	}
	if len(missing) == 0 {
		return out
	}
	for n, a := range r.getMany(missing) {
		if out[at[n]] = a.got; a.at != 0 {
			r.spoke(nil)
			r.kept.keep(r.place(r.docKey(missing[n])), a)
		} else {
			r.spoke(a.got.Err)
		}
	}
	return out
}

func (r *reader) List(kind *store.Spec, like string, times bool) ([]store.Entry, error) {
	if like != "" {
		return r.Store.List(kind, like, times)
	}
	a, err := r.fromMemory(kind.Folder+"/", func() (answer, error) { return r.list(kind, "") })
	return slices.Clone(a.entries), err
}

func (r *reader) Held(k store.Key) (bool, error) {
	a, err := r.fromMemory(r.place(r.runKey(k)), func() (answer, error) { return r.holder(k) })
	return a.holder != nil && !a.holder.ended(), err
}
