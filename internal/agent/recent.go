package agent

import (
	"hash/maphash"
	"slices"

	"onward/internal/native"
)

// recent remembers the last ids of a kind, of which a stream can name millions. It keeps a hash of each:
// ids are long and random, and the hash differs from run to run, so that no two with the same one meet but by a rare accident.
//
// The hashes stand in the order in which they came, and a table finds them: a map of as many takes three times the memory.
type recent struct {
	seed  maphash.Seed
	order []uint64
	table []uint32 // places in order, from 1; 0 is free. A hash stands at its own place or behind, in one run without a free one.
	lost  int      // those that were forgotten
}

// maxRecent is how many ids are remembered. What stands twice stands near, or the whole file stands twice.
const maxRecent = 1 << 15

func (r *recent) hash(id []byte) uint64 {
	if r.table == nil {
		r.seed = maphash.MakeSeed()
		r.table = make([]uint32, 32)
	}
	return maphash.Bytes(r.seed, id)
}

// hashList tells lists apart by their texts and statuses.
func (r *recent) hashList(list *native.List) uint64 {
	sum := uint64(1)
	for i := range list.Items {
		it := &list.Items[i]
		sum = 31*(31*sum+r.hash([]byte(it.Content))) + r.hash([]byte(it.Status))
	}
	return sum
}

// find gives the place of a hash in the table, or the free one where it would stand.
func (r *recent) find(h uint64) (place int, known bool) {
	mask := len(r.table) - 1
	for place = int(h) & mask; r.table[place] != 0; place = (place + 1) & mask {
		if r.order[r.table[place]-1] == h {
			return place, true
		}
	}
	return place, false
}

// tabulate makes the table anew, at least half of it free.
func (r *recent) tabulate() {
	if len(r.table) < 2*len(r.order) {
		r.table = make([]uint32, 2*len(r.table))
	} else {
		clear(r.table)
	}
	for i, h := range r.order {
		place, _ := r.find(h)
		r.table[place] = uint32(i + 1)
	}
}

// has reports whether an id is known.
func (r *recent) has(id []byte) bool { return r.hasHash(r.hash(id)) }

func (r *recent) hasHash(h uint64) bool {
	_, known := r.find(h)
	return known
}

// add remembers an id; it reports whether it is new.
func (r *recent) add(id []byte) bool { return r.addHash(r.hash(id)) }

// addHash is add for who has a hash already.
func (r *recent) addHash(h uint64) bool {
	place, known := r.find(h)
	if known {
		return false
	}
	if len(r.order) == maxRecent {
		r.order = slices.Delete(r.order, 0, maxRecent/2)
		r.lost += maxRecent / 2
		r.tabulate()
		place, _ = r.find(h)
	}
	r.order = append(r.order, h)
	r.table[place] = uint32(len(r.order))
	if 2*len(r.order) > len(r.table) {
		r.tabulate()
	}
	return true
}

// count is how many ids there were so far.
func (r *recent) count() int { return r.lost + len(r.order) }

// cut forgets an id and those after it, or all where it is not known, and says how many are left.
func (r *recent) cut(id []byte) int {
	from := 0
	if place, known := r.find(r.hash(id)); known {
		from = int(r.table[place]) - 1
	} else {
		r.lost = 0
	}
	r.order = r.order[:from]
	r.tabulate()
	return r.count()
}

// drop forgets one id.
func (r *recent) drop(id []byte) {
	if place, known := r.find(r.hash(id)); known {
		at := int(r.table[place]) - 1
		r.order = slices.Delete(r.order, at, at+1)
		r.tabulate()
	}
}

// reset forgets all ids.
func (r *recent) reset() {
	if len(r.order) > 0 {
		r.order, r.lost = r.order[:0], 0
		clear(r.table)
	}
}
