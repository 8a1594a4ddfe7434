package simulate

// throw identifies a throw of the dice: the n-th of a stream.
type throw struct{ stream, n int }

// dice makes all random choices of a world. A throw depends only on the seed, its stream and its number in the stream,
// so a world repeats exactly on any machine, and one throw can be made dull, that is 0, without changing the others.
// With 0, the ordinary thing happens.
type dice struct {
	seed   uint64
	dull   map[throw]bool // throws that return 0
	still  map[int]bool   // streams whose throws all return 0
	count  map[int]int
	bright []throw // the throws of choose that did not return 0, for shrink
}

func newDice(seed uint64) *dice {
	return &dice{seed: seed, dull: map[throw]bool{}, still: map[int]bool{}, count: map[int]int{}}
}

// roll returns a number from 0 to below sides.
func (d *dice) roll(stream, sides int) int {
	t := throw{stream, d.count[stream]}
	d.count[stream]++
	if sides < 2 || d.still[stream] || d.dull[t] {
		return 0
	}
	// The finalizer of splitmix64.
	x := d.seed*0x9e3779b97f4a7c15 + uint64(stream)<<40 + uint64(t.n) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return int(x % uint64(sides))
}

// choose returns a random index of the weights, with a probability in proportion to its weight.
func (d *dice) choose(stream int, weights ...int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	t := throw{stream, d.count[stream]}
	at := d.roll(stream, total)
	if d.dull[t] || d.still[stream] {
		return 0
	}
	for i, w := range weights {
		if at -= w; at < 0 {
			if i > 0 {
				d.bright = append(d.bright, t)
			}
			return i
		}
	}
	return 0
}
