//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"onward/cmd"
	"onward/companion/onward-etcd/cluster"
	"onward/companion/onward-etcd/etcd"
	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
)

// writing are commands that change the store by one commit, each after others that prepare it; words are split at blanks.
var writing = []struct {
	before []string
	args   string
	in     string
}{
	{nil, "todo add first", ""},
	{three, "todo add fourth", ""},
	{three, "todo add 2.1 part", ""},
	{three, "todo add -", "fourth\nfifth\n"},
	{three, "todo start 2", ""},
	{three, "todo done all", ""},
	{three, "todo cancel 1-2", ""},
	{three, "todo block 2 --reason why", ""},
	{three, "todo edit 2 other", ""},
	{three, "todo move 3 1", ""},
	{three, "todo delete 1", ""},
	{three, "todo clear", ""},
	{three, "todo undo 2", ""},
	{three, "todo write", `[{"content":"first","status":"in_progress"},{"content":"new"}]`},
	{three, "todo import -", "- [ ] fourth\n  - [x] part\n"},
	{three, "pause waiting", ""},
	{three, "stop", ""},
	{append(three[:3:3], "stop"), "resume", ""},
	{three, "set max-attempts 5", ""},
	{three, "event user-prompt", ""},
	{three, "check-continue", ""},
	{three, "slash /todo done 1", ""},
	{three, deletion, ""},
	{nil, "schedule submit todo_read --id a", ""},
	{waiting, "schedule approve a", ""},
	{waiting, "schedule deny a --reason no -q", ""},
	{waiting, "schedule cancel --all -q", ""},
	{waiting, "message push third", ""},
	{waiting, "message edit 1 other", ""},
	{waiting, "message drop 1", ""},
}

// deletion is a command that changes the store in several steps.
const deletion = "session delete --yes s"

var (
	three   = []string{"todo add first", "todo add second", "todo add third"}
	waiting = []string{`schedule submit shell --id a --args {"command":"true"}`, "schedule submit todo_read --id b", "message push first"}
)

// fault lets one request fail, before it is sent or after it was answered. If the fault is a death, all later requests fail too.
type fault struct {
	at         int
	late, dead bool

	mu sync.Mutex
	n  int
}

func (f *fault) String() string {
	return fmt.Sprintf("request %d, late %v, dead %v", f.at, f.late, f.dead)
}

func (f *fault) between(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if strings.HasSuffix(method, "/Status") { // it is sent concurrently with the other requests, so its number differs from run to run
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	f.mu.Lock()
	f.n++
	hit, sent := f.n == f.at || f.dead && f.n > f.at, f.n != f.at || f.late
	f.mu.Unlock()
	if hit && f.dead && f.n > f.at {
		sent = false
	}
	if hit && !sent {
		return status.Error(codes.Unavailable, "the test")
	}
	err := invoke(ctx, method, req, reply, conn, opts...)
	if hit {
		err = status.Error(codes.Unavailable, "the answer is lost")
	}
	return err
}

// inProcess runs a command as main does, with a fault between the store and the servers; nil is no fault.
func inProcess(t *testing.T, url string, f *fault, args []string, in string) (code int, out string) {
	var opened []*etcd.Store
	engine := &cmd.Engine{Scheme: etcd.Scheme, Open: func(url string, wait time.Duration) (store.Backend, error) {
		set, err := etcd.ParseURL(url)
		if err != nil {
			return nil, err
		}
		if f != nil {
			set.Between = f.between
		}
		s, err := etcd.Open(url, set, wait)
		opened = append(opened, s)
		return s, err
	}}
	var o, e bytes.Buffer
	wait := "1m"
	if f != nil {
		wait = "0"
	}
	args = append([]string{"--store", url, "--session", "s", "--now", "2026-01-01T09:00:00Z", "--lock-timeout", wait}, args...) // stop has a --now of its own
	code = cmd.MainOn(engine, args, strings.NewReader(in), &o, &e)
	for _, s := range opened {
		s.Close()
	}
	return code, o.String() + e.String()
}

// chosen matches the random parts of documents: the ids of items and of operations, and the checksum, which depends on them.
var chosen = regexp.MustCompile(`"(o[0-9a-f]{16}|t[0-9a-z]{5}|[0-9a-f]{8}|[0-9a-f]{16})"`)

// state returns as text all that the servers contain of a session, without random parts.
func state(t *testing.T, url string) string {
	set, err := etcd.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	s, err := etcd.Open(url, set, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	name := session.Name{Session: "s"}
	list, err := s.Get(session.Key(name))
	calls, other := s.Get(schedule.Key(name))
	past, third := list.Lines()
	if err := errors.Join(err, other, third); err != nil {
		t.Fatal(err)
	}
	return chosen.ReplaceAllString(fmt.Sprintf("%s%v\n%s%s%v\n%s", list.Data, list.Deleted, calls.Data, calls.Log, calls.Deleted, past), `""`)
}

// TestEveryCommandAtEveryRequest runs every command that writes, and lets each request fail or lose its answer in turn.
// The user must not notice a single fault. If no server answers from then on, the state must be the old one or the new one,
// and the exit code must say which.
func TestEveryCommandAtEveryRequest(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, name := range []string{"ONWARD_SESSION", "ONWARD_STORE", "CLAUDECODE"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	c := cluster.New(t, 1)
	var all sync.WaitGroup
	most := make(chan struct{}, 24) // limits the runs at a time; they mostly wait
	n := 0
	prefix := func() string { n++; return c.URL(fmt.Sprint("p", n)) }
	prepare := func(url string, before []string) string {
		for _, args := range before {
			if code, out := inProcess(t, url, nil, strings.Fields(args), ""); code != 0 && code != 20 {
				t.Fatalf("onward %s: exit %d: %s", args, code, out)
			}
		}
		return state(t, url)
	}
	for _, row := range writing {
		url := prefix()
		before := prepare(url, row.before)
		count := &fault{at: -1}
		clean, out := inProcess(t, url, count, strings.Fields(row.args), row.in)
		after := state(t, url)
		if before == after {
			t.Fatalf("onward %s changes nothing: exit %d: %s", row.args, clean, out)
		}
		for at := 1; at <= count.n; at++ {
			for _, f := range []*fault{{at: at}, {at: at, late: true}, {at: at, dead: true}, {at: at, late: true, dead: true}} {
				url := prefix()
				most <- struct{}{}
				all.Go(func() {
					defer func() { <-most }()
					prepare(url, row.before)
					code, out := inProcess(t, url, f, strings.Fields(row.args), row.in)
					got := state(t, url)
					switch {
					case code == clean && got == after:
					case f.dead && code == 68 && got == before:
					case f.dead && (code == 76 || code == 79) && (got == before || got == after):
					case f.dead && (code == 76 || code == 79) && row.args == deletion:
						// The deletion has begun, and repeating the command completes it.
						code, out = inProcess(t, url, nil, strings.Fields(row.args), row.in)
						if got = state(t, url); code != clean || got != after {
							t.Errorf("onward %s again: exit %d: %s\nthere is:\n%s\nand should be:\n%s", row.args, code, out, got, after)
						}
					default:
						t.Errorf("onward %s: %v of %d: exit %d: %s\nbefore:\n%s\nthere is:\n%s\nand should be:\n%s", row.args, f, count.n, code, out, before, got, after)
					}
				})
			}
		}
	}
	all.Wait()
	t.Logf("%d commands, %d runs", len(writing), n-len(writing))
}
