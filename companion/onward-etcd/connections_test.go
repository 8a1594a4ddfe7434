//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A command connects to one server, the one that answered the last command of its machine. If that one is dead, frozen or
// cut off since, the same command asks another one, and the next command connects to that one alone.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 3)
	var wires []*cluster.Proxy
	var hosts []string
	for _, n := range c.Nodes {
		wire := cluster.NewProxy(t, n.Client)
		wires, hosts = append(wires, wire), append(hosts, wire.Address)
	}
	m := newMachine(t, "etcd+plain://"+strings.Join(hosts, ",")+"/team", patient)
	accepted := func() (n int) {
		for _, wire := range wires {
			n += wire.Accepted()
		}
		return n
	}
	remembered := func() int {
		files, _ := filepath.Glob(filepath.Join(m.home, ".local/state/onward/stores/*/server"))
		if len(files) != 1 {
			t.Fatalf("the machine has the files %q", files)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		host, _, _ := strings.Cut(string(data), " ")
		return slices.Index(hosts, host)
	}
	once := func(when string) {
		t.Helper()
		fewest := 3
		for range 5 { // in a slow moment of the machine the others are tried too
			before := accepted()
			m.must("todo", "show")
			fewest = min(fewest, accepted()-before)
		}
		if fewest != 1 {
			t.Errorf("%s, a command makes %d connections", when, fewest)
		}
	}
	m.must("todo", "add", "one")
	once("while all servers answer")
	for _, fault := range []struct {
		name       string
		begin, end func(i int)
	}{
		{"cut off", func(i int) { wires[i].Set(cluster.Cut, 0) }, func(i int) { wires[i].Set(cluster.NoFault, 0) }},
		{"behind a network that loses everything", func(i int) { wires[i].Set(cluster.Hole, 0) }, func(i int) { wires[i].Set(cluster.NoFault, 0) }},
		{"frozen", func(i int) { c.Nodes[i].Freeze() }, func(i int) { c.Nodes[i].Thaw() }},
		{"dead", func(i int) { c.Nodes[i].Kill() }, func(i int) { c.Nodes[i].Start(t) }},
	} {
		at := remembered()
		fault.begin(at)
		m.must("todo", "add", "while a server is "+fault.name)
		if remembered() == at {
			t.Errorf("the server that is %s is asked first again", fault.name)
		}
		once("after one was " + fault.name)
		fault.end(at)
	}
}
