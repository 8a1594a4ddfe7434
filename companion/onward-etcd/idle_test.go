//go:build unix

package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// While nothing changes, a watch reads nothing again: it asks four times a minute whether the servers answer, however many sessions
// there are. A change is still shown. With -long there are 1,000 sessions and the watch is idle for a minute.
func TestIdleWatchCostsLittle(t *testing.T) {
	sessions, idle := 150, 15*time.Second
	if flag.Lookup("long").Value.String() == "true" {
		sessions, idle = 1000, time.Minute
	}
	for _, args := range [][]string{{"--all", "--json"}, {"--json"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			c := cluster.New(t, 1)
			fleet(t, c, sessions)
			m := newMachine(t, c.URL("team"), "ONWARD_SESSION=s00042")
			_, printed := watcher(m, args...)
			expected := 1
			if len(args) > 1 {
				expected = sessions
			}
			eventually(t, "every session is shown", func() bool { return strings.Count(printed(), "\n") >= expected })
			counts := func() (requests, bytes float64) {
				all, err := c.Nodes[0].Metrics()
				if err != nil {
					t.Fatal(err)
				}
				for name, n := range all {
					if strings.HasPrefix(name, "grpc_server_handled_total{") && strings.Contains(name, `grpc_type="unary"`) {
						requests += n
					}
				}
				return requests, all["etcd_network_client_grpc_sent_bytes_total"] + all["etcd_network_client_grpc_received_bytes_total"]
			}
			before := 0.0
			eventually(t, "the watch has read what it shows", func() bool { // what was written within the last seconds is read again
				time.Sleep(2 * time.Second)
				now, _ := counts()
				still := now-before <= 1
				before = now
				return still
			})
			requests, bytes := counts()
			time.Sleep(idle)
			after, sent := counts()
			minute := idle.Minutes()
			perMinute := fmt.Sprintf("%.0f requests and %.1f kB a minute", (after-requests)/minute, (sent-bytes)/minute/1000)
			if t.Log(perMinute); (after-requests)/minute > 6 || (sent-bytes)/minute > 50_000 {
				t.Error("an idle watch costs ", perMinute)
			}
			shown := strings.Count(printed(), "\n")
			if expected > 1 {
				m.must("todo", "add", "in another session", "-s", "another")
			} else {
				m.must("todo", "done", "1")
			}
			changed := time.Now()
			eventually(t, "a change is shown", func() bool { return strings.Count(printed(), "\n") > shown })
			if took := time.Since(changed); took > 10*time.Second {
				t.Errorf("the change was shown after %v", took)
			}
		})
	}
}
