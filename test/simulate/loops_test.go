package simulate

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"onward/internal/run"
)

// The ways to keep an agent going that are compared.
const (
	whileTrue = iota
	untilDone // a loop that stops when the agent says that all is done
	onwardRun
	relayRun // of three agents
	keepers
)

// compared counts the results of many nights.
type compared struct {
	done    int // nights in which the loop ended, and the work was done
	proven  int // of these, nights in which onward says that this is proven
	wrong   int // nights in which the loop ended as done, and the work was not done
	named   int // nights in which the loop ended with a reason why it could not go on
	never   int // nights in which the loop had not ended by the morning
	worked  int // nights in which the work was done by the morning
	turns   int
	refused int // turns while the host had announced that it refuses all requests
	tokens  int
	time    time.Duration // until the loop ended, or the morning came
}

// compare lets a loop keep the agent of a seed going for a night without other faults.
// The work is done when the agent has really done each part of it, which is what the gate checks.
func (c *compared) compare(seed uint64, loop int) {
	w := newWorld(newDice(seed))
	w.style = plan{settings: map[string]string{"gate": "make test"}, need: 3 + w.roll(0, 6)}
	w.crowd, w.nightly, w.silent = 1, true, true
	g := w.agent("a1")
	g.finds = true
	k := &kept{}
	g.program, g.wakes = k, false
	w.agents = append(w.agents, g)
	if s := w.shift(g, run.Rules{Task: true, MaxOutage: 6 * time.Hour}); loop >= onwardRun {
		if loop == relayRun {
			s.relays(3)
		}
		s.begins()
		s.once = true
	} else {
		g.lacks = true
		w.spawn("loop", func(a *actor) {
			for loop == whileTrue || !g.claims() {
				g.start(&job{pipe: &pipe{unread: true}})
				for g.job != nil {
					a.sleep(time.Second)
				}
			}
			s.ends(run.Done)
			a.sleep(never)
		})
	}
	w.run()
	if w.broken != nil {
		panic(fmt.Sprintf("seed %d: %s", seed, w.broken.what))
	}
	done := g.really >= w.style.need
	switch outcomes := g.shift.outcomes; {
	case len(outcomes) == 0:
		c.never++
	case outcomes[0] != run.Done:
		c.named++
	case done:
		c.done++
	default:
		c.wrong++
	}
	if done {
		c.worked++
	}
	c.proven += w.tally["run is proven"]
	c.time += min(cmp.Or(g.shift.ended, night), night)
	c.turns, c.refused, c.tokens = c.turns+g.turns, c.refused+g.refused, c.tokens+g.tokens
}

// claims reports whether the agent claims that all is done: the model's list has no open item.
func (g *agent) claims() bool { return g.turns > 0 && g.todos != nil && g.open() < 0 }

// compareAll compares the loops over the agents of many seeds.
func compareAll(seeds int) (all [keepers]compared) {
	var group sync.WaitGroup
	for loop := range all {
		group.Go(func() {
			for seed := range seeds {
				all[loop].compare(uint64(seed)+1, loop)
			}
		})
	}
	group.Wait()
	return all
}

// table returns a comparison as a table of the documentation.
func table(all [keepers]compared, seeds int) string {
	text := fmt.Sprintf("| of %d nights | `while true` | until the agent says that all is done | `onward run --gate` | the same with three agents |\n|---|---:|---:|---:|---:|\n", seeds)
	for _, row := range []struct {
		name  string
		value func(c compared) string
	}{
		{"ended, and the work was done", func(c compared) string { return fmt.Sprint(c.done) }},
		{"of these, proven to be done", func(c compared) string { return fmt.Sprint(c.proven) }},
		{"ended as done, and the work was not done", func(c compared) string { return fmt.Sprint(c.wrong) }},
		{"ended, and named what it needs or what stopped it", func(c compared) string { return fmt.Sprint(c.named) }},
		{"had not ended after 12 hours", func(c compared) string { return fmt.Sprint(c.never) }},
		{"the work was done by then, whether or not it had ended", func(c compared) string { return fmt.Sprint(c.worked) }},
		{"hours, on average", func(c compared) string { return fmt.Sprintf("%.1f", c.time.Hours()/float64(seeds)) }},
		{"turns, on average", func(c compared) string { return fmt.Sprintf("%.1f", float64(c.turns)/float64(seeds)) }},
		{"of these, sent before a usage limit's stated end", func(c compared) string { return fmt.Sprintf("%.1f", float64(c.refused)/float64(seeds)) }},
		{"tokens, in thousands, on average", func(c compared) string { return fmt.Sprintf("%.0f", float64(c.tokens)/1000/float64(seeds)) }},
	} {
		text += "| " + row.name
		for _, c := range all {
			text += " | " + row.value(c)
		}
		text += " |\n"
	}
	return text
}

// TestLoopsAreCompared compares `onward run`, with one agent and with three, with two plain loops that people write. With 2,000 worlds or more,
// it also checks the table in docs/comparison.md.
func TestLoopsAreCompared(t *testing.T) {
	seeds := 20
	if *worlds >= 2000 {
		seeds = 1000
	}
	all := compareAll(seeds)
	got := table(all, seeds)
	t.Log("\n" + got)
	for _, c := range all[onwardRun:] {
		if c.wrong > 0 || c.refused > 0 || c.done == 0 || c.proven == 0 {
			t.Errorf("onward run: %+v", c)
		}
	}
	if all[whileTrue].never != seeds || all[untilDone].wrong == 0 {
		t.Errorf("the loops: %+v", all)
	}
	if data, err := os.ReadFile("../../docs/comparison.md"); err != nil || seeds == 1000 && !bytes.Contains(data, []byte(got)) {
		t.Errorf("docs/comparison.md has another table (%v); it is now:\n%s", err, got)
	}
}
