package agent

import (
	"hash/maphash"
	"slices"
)

// recent remembers the last ids of a kind, of which a stream can name millions. It keeps a hash of each:
// ids are long and random, and the hash differs from run to run, so that no two with the same one meet but by a rare accident.
type recent struct {
	seed  maphash.Seed
	known map[uint64]struct{}
	order []uint64
	lost  int // those that were forgotten
}

// maxRecent is how many ids are remembered. What stands twice stands near, or the whole file stands twice.
const maxRecent = 1 << 15

func (r *recent) hash(id []byte) uint64 {
	if r.known == nil {
		r.seed = maphash.MakeSeed()
		r.known = make(map[uint64]struct{})
	}
	return maphash.Bytes(r.seed, id)
}

// has reports whether an id is known.
func (r *recent) has(id []byte) bool { return r.hasHash(r.hash(id)) }

func (r *recent) hasHash(h uint64) bool {
	_, ok := r.known[h]
	return ok
}

// add remembers an id; it reports whether it is new.
func (r *recent) add(id []byte) bool { return r.addHash(r.hash(id)) }

// addHash is add for who has a hash already.
func (r *recent) addHash(h uint64) bool {
	if _, ok := r.known[h]; ok {
		return false
	}
	if len(r.order) == maxRecent {
		for _, old := range r.order[:maxRecent/2] {
			delete(r.known, old)
		}
		r.order = slices.Delete(r.order, 0, maxRecent/2)
		r.lost += maxRecent / 2
	}
	r.known[h] = struct{}{}
	r.order = append(r.order, h)
	return true
}

// count is how many ids there were so far.
func (r *recent) count() int { return r.lost + len(r.order) }

// cut forgets an id and those after it, or all where it is not known, and says how many are left.
func (r *recent) cut(id []byte) int {
	from := 0
	if r.has(id) {
		from = slices.Index(r.order, r.hash(id))
	} else {
		r.lost = 0
	}
	for _, old := range r.order[from:] {
		delete(r.known, old)
	}
	r.order = r.order[:from]
	return r.count()
}

// drop forgets one id.
func (r *recent) drop(id []byte) {
	if h := r.hash(id); r.hasHash(h) {
		delete(r.known, h)
		r.order = slices.DeleteFunc(r.order, func(one uint64) bool { return one == h })
	}
}

// reset forgets all ids.
func (r *recent) reset() {
	if len(r.order) > 0 {
		*r = recent{seed: r.seed, known: make(map[uint64]struct{})}
	}
}
