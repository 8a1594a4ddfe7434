//go:build unix

package main

import (
	"cmp"
	"crypto/x509"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/golden"
)

// deed is an action of an agent or a person, with the number of times that a working agent causes it in an hour.
type deed struct {
	name  string
	hook  string // the event of a hook as JSON, or empty for a command
	args  []string
	times float64
}

// deeds returns the actions in the order of an agent's work, so that each can follow the one before.
func deeds() []deed {
	return []deed{
		{name: "hook: the session begins", times: 1, hook: `{"hook_event_name":"SessionStart","source":"startup"}`},
		{name: "hook: the user's prompt", times: 2, hook: `{"hook_event_name":"UserPromptSubmit","prompt":"Fix the parser, and test it."}`},
		{name: "hook: the agent changes its list", times: 12, hook: `{"hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[` +
			`{"content":"Read the code","status":"completed","activeForm":"Reading"},{"content":"Fix the parser","status":"in_progress","activeForm":"Fixing"},` +
			`{"content":"Test it","status":"pending","activeForm":"Testing"}]},"tool_response":{}}`},
		{name: "hook: another tool has ended", times: 360, hook: `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test"},"tool_response":{"stdout":"ok"}}`},
		{name: "hook: a turn ends, and the agent continues", times: 30, hook: `{"hook_event_name":"Stop","last_assistant_message":"One of three is done."}`},
		{name: "`todo add`, `todo done`", args: []string{"todo", "add", "write the changelog", "-q"}},
		{name: "`todo show`", args: []string{"todo", "show"}},
		{name: "`check-continue`", args: []string{"check-continue", "-q"}},
		{name: "`session list`, 150 sessions", args: []string{"session", "list", "--limit", "0"}},
	}
}

// cost contains the counters of the servers.
type cost struct{ connections, requests, writes, received, sent, cores float64 }

func (c cost) plus(d cost, times float64) cost {
	return cost{
		c.connections + times*d.connections, c.requests + times*d.requests, c.writes + times*d.writes,
		c.received + times*d.received, c.sent + times*d.sent, c.cores + times*d.cores,
	}
}

// counter counts the requests to three servers over TLS.
type counter struct {
	t       *testing.T
	servers *cluster.Cluster
	wires   []*cluster.Proxy
	url     string
	env     []string
}

func newCounter(t *testing.T) *counter {
	ours := newAuthority(t, "ours")
	ours.sign("server", &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	env := append(ours.user("pod"), "ONWARD_ETCD_CACERT="+ours.file("ours.crt"))
	k := &counter{t: t, env: env, servers: cluster.New(t, 3, "--client-cert-auth", "--trusted-ca-file", ours.file("ours.crt"),
		"--cert-file", ours.file("server.crt"), "--key-file", ours.file("server.key"))}
	k.servers.Trust(ours.config("pod", "ours"))
	if err := k.servers.WaitForLeader(time.Minute); err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for _, n := range k.servers.Nodes {
		wire := cluster.NewProxy(t, n.Client)
		k.wires, hosts = append(k.wires, wire), append(hosts, wire.Address)
	}
	k.url = "etcd://" + strings.Join(hosts, ",") + "/team"
	return k
}

// now returns the sum of the counters of all servers.
func (k *counter) now() (c cost) {
	k.t.Helper()
	for i, n := range k.servers.Nodes {
		c.connections += float64(k.wires[i].Accepted())
		all, err := n.Metrics()
		if err != nil {
			k.t.Fatal(err)
		}
		for name, value := range all {
			if strings.HasPrefix(name, "grpc_server_handled_total{") && strings.Contains(name, `grpc_type="unary"`) {
				c.requests += value
			}
		}
		c.writes = max(c.writes, all["etcd_server_proposals_committed_total"])
		c.received += all["etcd_network_client_grpc_received_bytes_total"]
		c.sent += all["etcd_network_client_grpc_sent_bytes_total"]
		c.cores += all["process_cpu_seconds_total"]
	}
	return c
}

// of returns by how much the counters grow while do runs.
func (k *counter) of(do func()) cost {
	k.t.Helper()
	before := k.now()
	do()
	return k.now().plus(before, -1)
}

// typical returns the median of each figure, which is not affected by a slow moment of the machine or by the servers' own
// work. It counts one connection where there was any, although the other servers are tried as well in such a moment.
func (k *counter) typical(all []cost) cost {
	median := func(of func(cost) float64) float64 {
		slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(of(a), of(b)) })
		return of(all[len(all)/2])
	}
	return cost{
		min(1, median(func(c cost) float64 { return c.connections })), median(func(c cost) float64 { return c.requests }), median(func(c cost) float64 { return c.writes }),
		median(func(c cost) float64 { return c.received }), median(func(c cost) float64 { return c.sent }), 0,
	}
}

// machineOf returns a machine that uses a session.
func (k *counter) machineOf(session string) *machine {
	return newMachine(k.t, k.url, append(slices.Clone(k.env), "ONWARD_SESSION="+session)...)
}

// hook returns the command of a hook, with the agent's event as its input.
func (m *machine) hook(event string) *exec.Cmd {
	c := m.command("hook", "claude")
	c.Stdin = strings.NewReader(`{"session_id":"s1","cwd":"` + m.home + `",` + event[1:])
	return c
}

// count lets some agents work, and returns what each deed costs.
func (k *counter) count(agents int) map[string]cost {
	k.t.Helper()
	var hooked, plain []*machine // hooks of an agent, and commands of others, have sessions of their own
	for i := range agents {
		hooked, plain = append(hooked, k.machineOf(fmt.Sprint("agent", i))), append(plain, k.machineOf(fmt.Sprint("loop", i)))
	}
	for _, m := range slices.Concat(hooked, plain) {
		m.must("store", "info") // the first command of a machine asks for the servers' version too
	}
	costs := map[string]cost{}
	for _, d := range deeds() {
		var all []cost
		for i := range agents {
			m := plain[i]
			c := m.command(d.args...)
			if d.hook != "" {
				m = hooked[i]
				c = m.hook(d.hook)
			}
			all = append(all, k.of(func() {
				if code, out, errs := m.wait(c); code != 0 || strings.Contains(d.name, "continues") && !strings.Contains(out, `"block"`) {
					k.t.Fatalf("%s: exit %d: %s%s", d.name, code, out, errs)
				}
			}))
		}
		costs[d.name] = k.typical(all)
	}
	return costs
}

// stored returns the bytes that a server stores for a session after some changes of a list of twenty items.
func (k *counter) stored(sessions, changes int) float64 {
	k.t.Helper()
	s := openStore(k.t, k.servers, fmt.Sprint("stored", changes))
	size := func() int64 {
		if err := k.servers.Compact(); err != nil {
			k.t.Fatal(err)
		}
		n, err := k.servers.Leader().Size()
		if err != nil {
			k.t.Fatal(err)
		}
		return n
	}
	before := size()
	dice := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("read write parser test fix module that which line end follows history server client commit request answer list item agent document with and the of a in")
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[dice.IntN(len(words))] + " ")
		}
		return strings.TrimSpace(b.String())
	}
	lists := &session.Store{Backend: s, Machine: s}
	for i := range sessions {
		for n := range changes {
			now := todo.TimeOf(time.Now())
			_, err := lists.Update(session.Name{Session: fmt.Sprint("stored", i)}, "", now, func(d *session.Document) (session.Change, error) {
				if len(d.Todos.Items) < 20 {
					end, err := todo.ParsePosition(strconv.Itoa(len(d.Todos.Items) + 1))
					if err != nil {
						return session.Change{}, err
					}
					edit, err := todo.Add(d.Todos.Items, end, []todo.Draft{{Content: text(10)}}, now)
					d.Todos.Active, d.Todos.Items = true, edit.Items
					return session.Change{What: "added 1 item", By: "cli", List: true}, err
				}
				d.Todos.Items = slices.Clone(d.Todos.Items)
				d.Todos.Items[n%20].Content = text(10)
				return session.Change{What: "edited 1 item", By: "cli", List: true}, nil
			})
			if err != nil {
				k.t.Fatal(err)
			}
		}
	}
	return float64(size()-before) / float64(sessions)
}

// page is the manual page with the figures.
const page = "../../docs/fleet.md"

// TestFiguresOfFleet compares the figures in docs/fleet.md with the servers' counters; -update writes them.
func TestFiguresOfFleet(t *testing.T) {
	k := newCounter(t)
	fleet(t, k.servers, 150)
	costs := k.count(7)
	var rows []string
	var hour cost
	for _, d := range deeds() {
		c := costs[d.name]
		rows = append(rows, fmt.Sprintf("| %s | %.0f | %.0f | %.0f | %s | %s |", d.name, c.connections, c.requests, c.writes, kilo(c.received), kilo(c.sent)))
		hour = hour.plus(c, d.times)
	}
	compare(t, "counted", rows)
	t.Logf("an agent at work for an hour: %+v", hour)

	soon, bound := k.stored(4, 50), k.stored(2, 700)
	rows = nil
	for _, n := range []float64{1000, 10_000, 100_000} {
		each := cost{}.plus(hour, n/3600)
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s, %s | %s to %s |", number(n), number(each.connections), number(each.requests), number(each.writes),
			number(each.received*8/1e6), number(each.sent*8/1e6), volume(soon*n), volume(bound*n)))
	}
	compare(t, "computed", rows)
	if flag.Lookup("long").Value.String() == "true" {
		k.measure()
	}
}

// measure logs the processor time of the hook that runs most often, without the time that idle servers use. It differs
// from machine to machine, so it is not compared.
func (k *counter) measure() {
	m := k.machineOf("measured")
	began, before := time.Now(), k.now()
	time.Sleep(10 * time.Second)
	idle := cost{}.plus(k.now(), 1).plus(before, -1).cores / time.Since(began).Seconds()
	const times = 60
	for _, d := range deeds() {
		if d.hook == "" {
			continue
		}
		began := time.Now()
		c := k.of(func() {
			for range times {
				_, _, _ = m.wait(m.hook(d.hook))
			}
		})
		k.t.Logf("%s: %.1f ms of processors of all three servers", d.name, 1000*(c.cores-idle*time.Since(began).Seconds())/times)
	}
}

// kilo formats a number of bytes in kB.
func kilo(n float64) string { return fmt.Sprintf("%.1f", n/1000) }

// number formats a number with two significant digits and commas.
func number(n float64) string {
	text := strconv.FormatFloat(n, 'f', 0, 64)
	if n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	if len(text) > 2 {
		text = text[:2] + strings.Repeat("0", len(text)-2)
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// volume formats a size on a disk.
func volume(n float64) string {
	if n < 1e9 {
		return number(n/1e6) + " MB"
	}
	return number(n/1e9) + " GB"
}

// compare compares the rows of a table of the page with the counted ones. Whole numbers must be equal; numbers with a
// fraction differ a little from run to run.
func compare(t *testing.T, table string, rows []string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+table+" -->\n", "<!-- end of what is "+table+" -->\n"
	head, rest, found := strings.Cut(string(data), begin)
	body, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table that is %s", page, table)
	}
	lines := strings.SplitAfter(body, "\n")
	if *golden.Update {
		text := head + begin + strings.Join(lines[:2], "") + strings.Join(rows, "\n") + "\n" + end + tail
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	was := lines[2 : len(lines)-1]
	if len(was) != len(rows) {
		t.Fatalf("%s has %d rows that are %s, not %d", page, len(was), table, len(rows))
	}
	for i, row := range rows {
		if !alike(strings.TrimSpace(was[i]), row) {
			t.Errorf("%s says\n%sbut it is\n%s\n-update writes it", page, was[i], row)
		}
	}
}

var figure = regexp.MustCompile(`[0-9][0-9,.]*`)

// alike reports whether two rows agree: small whole numbers must be equal, and others may differ by a quarter.
func alike(one, other string) bool {
	if figure.ReplaceAllString(one, "") != figure.ReplaceAllString(other, "") {
		return false
	}
	a, b := figure.FindAllString(one, -1), figure.FindAllString(other, -1)
	return slices.EqualFunc(a, b, func(a, b string) bool {
		x, err := strconv.ParseFloat(strings.ReplaceAll(a, ",", ""), 64)
		y, err2 := strconv.ParseFloat(strings.ReplaceAll(b, ",", ""), 64)
		if err != nil || err2 != nil {
			return false
		}
		if !strings.Contains(a, ".") && x < 20 {
			return x == y
		}
		return x-y <= max(x, y)/4+0.1 && y-x <= max(x, y)/4+0.1
	})
}
