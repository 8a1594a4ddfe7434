package simulate

import (
	"fmt"
	"strings"
)

const (
	maxShrinks = 2000 // worlds that shrink tries at most
	maxStory   = 20   // lines of a story
)

// shrink returns a world with the same seed that breaks the same invariant and in which as little as possible happens:
// it makes each throw dull that the violation does not need.
func shrink(seed uint64, w *world) *world {
	dull, still := map[throw]bool{}, map[int]bool{}
	tried := 0
	// try keeps a change if the invariant is still broken, after at most as many runs of onward.
	try := func(set func(*dice)) bool {
		if tried++; tried > maxShrinks {
			return false
		}
		d := newDice(seed)
		for t := range dull {
			d.dull[t] = true
		}
		for s := range still {
			d.still[s] = true
		}
		set(d)
		next := runWorld(d)
		if next.broken == nil || next.broken.number != w.broken.number || next.runs > w.runs {
			return false
		}
		w, dull, still = next, next.dull, next.still
		return true
	}
	for stream := range (len(w.actors) + 1) * perActor {
		try(func(d *dice) { d.still[stream] = true })
	}
	for size := len(w.bright); size > 0; size /= 2 {
		for from := 0; from < len(w.bright); {
			chunk := w.bright[from:min(from+size, len(w.bright))]
			if !try(func(d *dice) {
				for _, t := range chunk {
					d.dull[t] = true
				}
			}) {
				from += size
			}
		}
	}
	return w
}

// story shrinks a world that broke an invariant, and returns the first and the last lines of its log.
func story(seed uint64, w *world) string {
	w = shrink(seed, w)
	lines := w.log
	if cut := len(lines) - maxStory; cut > 0 {
		lines = append(append([]string{}, lines[:maxStory/4]...), lines[cut+maxStory/4+1:]...)
		lines[maxStory/4-1] = fmt.Sprintf("   … %d more lines; the whole night: -seed %d -v …", cut+2, seed)
	}
	return fmt.Sprintf("seed %d breaks invariant %d, %s:\n%s", seed, w.broken.number, invariants[w.broken.number], strings.Join(lines, "\n"))
}
