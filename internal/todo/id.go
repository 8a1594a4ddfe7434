package todo

import (
	"hash/fnv"
	"strconv"
)

// ids gives out short ids that are unique in one list.
// They are made from the text and the time, not from chance,
// so the same commands with the same clock give the same bytes.
type ids struct {
	taken map[string]bool
	now   Time
	salts map[string]int // of texts that came again: from where on an id may be free
}

const alphabet = "abcdefghijkmnpqrstuvwxyz23456789" // 32 letters without 0, 1, l and o

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

// next gives an id for a text: `t` and five letters.
func (g *ids) next(text string) string {
	for salt := g.salts[text]; ; salt++ {
		h := fnv.New64a()
		h.Write([]byte(text))
		h.Write(strconv.AppendInt([]byte{0}, int64(g.now), 10))
		h.Write(strconv.AppendInt([]byte{0}, int64(salt), 10))
		sum := h.Sum64()
		id := [6]byte{'t'}
		for i := 1; i < len(id); i++ {
			id[i] = alphabet[sum&31]
			sum >>= 11
		}
		if s := string(id[:]); !g.taken[s] {
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
