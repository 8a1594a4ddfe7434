//go:build unix

package torture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// fault is a fault that lasts for some time.
type fault struct {
	name  string
	lasts time.Duration
	rest  time.Duration // the time without faults after it
	node  int           // the number of the server or connection, if it affects one
	do    func(w *world, f fault) error
}

// serverFaults returns the faults of servers. They affect one server at a time, since only a majority of the servers
// guarantees that acknowledged changes are kept.
func serverFaults() []fault {
	return []fault{
		{name: "leader killed", do: func(w *world, f fault) error {
			n := w.servers.Leader()
			n.Kill()
			time.Sleep(f.lasts / 2)
			n.Start(w.t)
			return nil
		}},
		{name: "one frozen", do: func(w *world, f fault) error { return w.freeze(f.lasts, f.node) }},
		{name: "leader frozen", do: func(w *world, f fault) error {
			n := w.servers.Leader()
			n.Freeze()
			time.Sleep(f.lasts)
			n.Thaw()
			return nil
		}},
		{name: "two frozen", do: func(w *world, f fault) error { return w.freeze(f.lasts, f.node, f.node+1) }},
		{name: "compaction and defragmentation", do: func(w *world, f fault) error { return w.servers.Compact() }},
		{name: "database full", do: func(w *world, f fault) error {
			err := w.servers.SetSpaceAlarm(true)
			time.Sleep(f.lasts / 2)
			for range tries {
				if err2 := w.servers.SetSpaceAlarm(false); err2 == nil {
					return err
				}
			}
			return fmt.Errorf("the alarm does not end")
		}},
		{name: "member replaced", do: func(w *world, f fault) error { return w.servers.Replace(w.t) }},
	}
}

func (w *world) freeze(d time.Duration, nodes ...int) error {
	for _, i := range nodes {
		w.servers.Nodes[i%len(w.servers.Nodes)].Freeze()
	}
	time.Sleep(d)
	for _, i := range nodes {
		w.servers.Nodes[i%len(w.servers.Nodes)].Thaw()
	}
	return nil
}

// networkFaults returns the faults of the network between the clients and the servers.
func networkFaults() []fault {
	one := func(kind cluster.Fault) func(*world, fault) error {
		return func(w *world, f fault) error {
			w.wires(kind, f.lasts, f.node)
			time.Sleep(f.lasts)
			w.wires(cluster.NoFault, 0, f.node)
			return nil
		}
	}
	all := func(kind cluster.Fault) func(*world, fault) error {
		return func(w *world, f fault) error {
			w.wires(kind, f.lasts, -1)
			time.Sleep(f.lasts)
			w.wires(cluster.NoFault, 0, -1)
			return nil
		}
	}
	return []fault{
		{name: "one cut", do: one(cluster.Cut)},
		{name: "all cut in bursts", do: func(w *world, f fault) error {
			for end := time.Now().Add(f.lasts); time.Now().Before(end); {
				for _, kind := range []cluster.Fault{cluster.Cut, cluster.NoFault} {
					w.wires(kind, 0, -1)
					time.Sleep(60 * time.Millisecond) // about the duration of one command
				}
			}
			return nil
		}},
		{name: "one black hole", do: one(cluster.Hole)},
		{name: "all black holes", do: all(cluster.Hole)},
		{name: "answers of one lost", do: one(cluster.Mute)},
		{name: "answers of all lost", do: all(cluster.Mute)},
		{name: "slow", do: all(cluster.Slow)},
	}
}

// wires applies a fault to the connections of all clients to one server, or to all servers if node is -1.
func (w *world) wires(kind cluster.Fault, lasts time.Duration, node int) {
	for _, c := range w.clients {
		if c.sound {
			continue
		}
		for i, wire := range c.wires {
			if node < 0 || i == node%len(c.wires) {
				wire.Set(kind, lasts/50)
			}
		}
	}
}

// plan draws faults for a total time. Each kind occurs once in each round, in a random order.
func plan(dice *rand.Rand, kinds []fault, total time.Duration) (faults []fault) {
	for at := time.Duration(0); at < total; {
		turn := slices.Clone(kinds)
		dice.Shuffle(len(turn), func(i, k int) { turn[i], turn[k] = turn[k], turn[i] })
		for _, f := range turn {
			f.lasts = time.Duration(500+dice.IntN(2500)) * time.Millisecond
			f.rest = time.Duration(500+dice.IntN(2500)) * time.Millisecond
			f.node = dice.IntN(3)
			faults = append(faults, f)
			at += f.lasts + f.rest
		}
	}
	return faults
}

// suffer causes one fault after another until the work is over.
func (w *world) suffer(faults []fault) {
	for _, f := range faults {
		if w.ended() {
			return
		}
		err := f.do(w, f)
		w.mu.Lock()
		w.faults[f.name]++
		w.seen = append(w.seen, fmt.Sprintf("%10.3f fault: %s %v %v", w.now().Seconds(), f.name, f.lasts, err))
		if err != nil {
			w.faults[f.name+" (did not succeed)"]++
		}
		w.mu.Unlock()
		select {
		case <-w.over:
		case <-time.After(f.rest):
		}
	}
}
