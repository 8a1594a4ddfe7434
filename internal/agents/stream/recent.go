package stream

import (
	"hash/maphash"
	"maps"
)

// RecentIDs remembers the last ids of a kind; a stream can have millions. It keeps only a hash of each, to save memory.
// Two ids have the same hash by a rare accident only, and nobody can make them on purpose: the hash differs from run to run.
type RecentIDs struct {
	seed        maphash.Seed
	last, older map[uint64]int // from the hash of an id to its place among all ids
	n           int            // how many there were
}

// maxRecent is how many ids are remembered at most; half as many always are. That is enough: a duplicate follows soon after
// the original, unless the whole file is duplicated.
const maxRecent = 1 << 15

// Hash identifies an id, which may have several parts.
func (r *RecentIDs) Hash(id ...[]byte) (sum uint64) {
	if r.last == nil {
		r.seed, r.last = maphash.MakeSeed(), make(map[uint64]int)
	}
	for _, part := range id {
		sum = 31*sum + maphash.Bytes(r.seed, part)
	}
	return sum
}

// place returns the place of an id.
func (r *RecentIDs) place(h uint64) (place int, known bool) {
	if place, known = r.last[h]; !known {
		place, known = r.older[h]
	}
	return place, known
}

// Len returns how many ids there were.
func (r *RecentIDs) Len() int { return r.n }

// Has reports whether an id is known.
func (r *RecentIDs) Has(id ...[]byte) bool {
	_, known := r.place(r.Hash(id...))
	return known
}

// Add remembers an id; it reports whether it is new.
func (r *RecentIDs) Add(id ...[]byte) bool {
	h := r.Hash(id...)
	if _, known := r.place(h); known {
		return false
	}
	if len(r.last) == maxRecent/2 {
		r.last, r.older = make(map[uint64]int), r.last
	}
	r.last[h] = r.n
	r.n++
	return true
}

// RemoveFrom removes an id and those after it, or all if it is unknown, and returns how many there were before it.
func (r *RecentIDs) RemoveFrom(id []byte) int {
	r.n, _ = r.place(r.Hash(id))
	later := func(_ uint64, place int) bool { return place >= r.n }
	maps.DeleteFunc(r.last, later)
	maps.DeleteFunc(r.older, later)
	return r.n
}
