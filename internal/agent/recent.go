package agent

import (
	"hash/maphash"
	"slices"

	"onward/internal/native"
)

// recent remembers the last ids of a kind, of which a stream can name millions. It keeps a hash of each:
// ids are long and random, and the hash differs from run to run, so that no two with the same one
// meet but by a rare accident.
type recent struct {
	seed  maphash.Seed
	order []uint64
	place map[uint64]int // of each in its order, counted from the first that ever was
	lost  int            // those that were forgotten
}

// maxRecent is how many ids are remembered. A duplicate is near the original, or the whole file is duplicated.
const maxRecent = 1 << 15

func (r *recent) hash(id []byte) uint64 {
	if r.place == nil {
		r.seed, r.place = maphash.MakeSeed(), make(map[uint64]int)
	}
	return maphash.Bytes(r.seed, id)
}

// hashList distinguishes lists by their texts and statuses.
func (r *recent) hashList(list *native.List) uint64 {
	sum := uint64(1)
	for i := range list.Items {
		it := &list.Items[i]
		sum = 31*(31*sum+r.hash([]byte(it.Content))) + r.hash([]byte(it.Status))
	}
	return sum
}

// has reports whether an id is known.
func (r *recent) has(id []byte) bool { return r.hasHash(r.hash(id)) }

func (r *recent) hasHash(h uint64) bool {
	_, known := r.place[h]
	return known
}

// add remembers an id; it reports whether it is new.
func (r *recent) add(id []byte) bool { return r.addHash(r.hash(id)) }

// addHash is add for who has a hash already.
func (r *recent) addHash(h uint64) bool {
	if r.hasHash(h) {
		return false
	}
	if len(r.order) == maxRecent {
		r.remove(0, maxRecent/2)
		r.lost += maxRecent / 2
	}
	r.place[h] = r.count()
	r.order = append(r.order, h)
	return true
}

// remove forgets those from one to another in their order.
func (r *recent) remove(from, to int) {
	for _, h := range r.order[from:to] {
		delete(r.place, h)
	}
	r.order = slices.Delete(r.order, from, to)
}

// count is how many ids there were so far.
func (r *recent) count() int { return r.lost + len(r.order) }

// cut removes an id and those after it, or all if it is unknown, and returns how many are left.
func (r *recent) cut(id []byte) int {
	place, known := r.place[r.hash(id)]
	if !known {
		place, r.lost = 0, 0
	}
	r.remove(place-r.lost, len(r.order))
	return r.count()
}

// drop forgets one id.
func (r *recent) drop(id []byte) {
	place, known := r.place[r.hash(id)]
	if !known {
		return
	}
	r.remove(place-r.lost, place-r.lost+1)
	for _, h := range r.order[place-r.lost:] {
		r.place[h]--
	}
}

// reset forgets all ids.
func (r *recent) reset() {
	r.remove(0, len(r.order))
	r.lost = 0
}
