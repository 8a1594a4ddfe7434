package todo

import (
	"hash/fnv"
	"strconv"
)

// ids generates short ids that are unique in one list.
// They are derived from the text and the time and not from chance, so that the same commands at the same time produce
// the same bytes.
type ids struct {
	taken map[string]bool
	now   Time
	salts map[string]int // by text: the first salt that may lead to a free id
}

func newIDs(items []Item, now Time) *ids {
	g := &ids{taken: make(map[string]bool, len(items)), now: now}
	for i := range items {
		g.taken[items[i].ID] = true
		for j := range items[i].Subtasks {
			g.taken[items[i].Subtasks[j].ID] = true
		}
	}
	return g
}

// next returns an id for a text.
func (g *ids) next(text string) string {
	for salt := g.salts[text]; ; salt++ {
		if s := ShortID("t", text, int64(g.now), int64(salt)); !g.taken[s] {
			g.taken[s] = true
			if salt > 0 {
				if g.salts == nil {
					g.salts = map[string]int{}
				}
				g.salts[text] = salt + 1
			}
			return s
		}
	}
}

// ShortID returns a prefix and five letters that follow from a text and numbers.
func ShortID(prefix, text string, numbers ...int64) string {
	const alphabet = "abcdefghijkmnpqrstuvwxyz23456789" // 32 letters without 0, 1, l and o
	h := fnv.New64a()
	h.Write([]byte(text))
	for _, n := range numbers {
		h.Write(strconv.AppendInt([]byte{0}, n, 10))
	}
	sum := h.Sum64()
	id := []byte(prefix)
	for range 5 {
		id = append(id, alphabet[sum&31])
		sum >>= 11
	}
	return string(id)
}
