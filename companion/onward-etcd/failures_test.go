//go:build unix

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "etcd://127.0.0.1:1/team")
	key := filepath.Join(m.home, "key")
	// chmod, because a parallel test may have changed the umask of the process.
	if err := errors.Join(os.WriteFile(key, []byte("secret"), 0o600), os.Chmod(key, 0o644)); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(m.home, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		env  []string
	}{
		{64, "no user or password", []string{"ONWARD_STORE=etcd://me:secret@db/team"}},
		{64, "prefix", []string{"ONWARD_STORE=etcd://db"}},
		{64, "prefix", []string{"ONWARD_STORE=etcd://db/../team"}},
		{64, "not a host", []string{"ONWARD_STORE=etcd://db,,db3/team"}},
		{64, "use etcd://", []string{"ONWARD_STORE=etcd+plain://db1/team"}},
		{64, "scheme", []string{"ONWARD_STORE=etcd+tls://db1/team"}},
		{78, "ONWARD_ETCD_CACERT", []string{"ONWARD_ETCD_CACERT=" + filepath.Join(m.home, "none")}},
		{78, "holds no certificate", []string{"ONWARD_ETCD_CACERT=" + key}},
		{78, "not a file", []string{"ONWARD_ETCD_CACERT=/dev/zero"}},
		{78, "not a file", []string{"ONWARD_ETCD_USER=me", "ONWARD_ETCD_PASSWORD_FILE=" + pipe}},
		{78, "ONWARD_ETCD_PASSWORD_FILE is not set", []string{"ONWARD_ETCD_USER=me"}},
		{77, "can be read by others", []string{"ONWARD_ETCD_USER=me", "ONWARD_ETCD_PASSWORD_FILE=" + key}},
		{77, "chmod 600", []string{"ONWARD_ETCD_CERT=" + key, "ONWARD_ETCD_KEY=" + key}},
		{78, "ONWARD_ETCD_KEY is not set", []string{"ONWARD_ETCD_CERT=" + key}},
	} {
		m.with(c.env...).fails(c.code, c.says, "todo", "add", "x")
	}
}

// If no server listens, or a listener does not answer, the state is unchanged, and hooks let the agent stop.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"), "ONWARD_LOCK_TIMEOUT=1s")
	m.must("todo", "add", "one")
	if answer := stopHook(m); !strings.Contains(answer, "block") {
		t.Errorf("where all is well, the hook does not continue the agent: %s", answer)
	}
	refused := newMachine(t, "etcd+plain://"+cluster.FreeAddresses(t, 1)[0]+"/team", "ONWARD_LOCK_TIMEOUT=1s")
	refused.fails(68, "connection refused", "todo", "add", "two")
	letsGo(t, refused)
	c.Nodes[0].Freeze()
	m.fails(68, "no answer in time", "todo", "add", "two")
	m.fails(68, "no answer in time", "todo", "show")
	m.fails(68, "hint: try again, or wait longer with --lock-timeout", "todo", "show")
	letsGo(t, m)
	c.Nodes[0].Thaw()
	if list := m.must("todo", "show"); strings.Contains(list, "two") || !strings.Contains(list, "one") {
		t.Error(list)
	}
}

// letsGo runs a stop hook, and checks that it lets the agent stop within three seconds.
func letsGo(t *testing.T, m *machine) {
	t.Helper()
	began := time.Now()
	answer := stopHook(m)
	if took := time.Since(began); strings.Contains(answer, "block") || took > 3500*time.Millisecond {
		t.Errorf("the hook answered after %v: %s", took, answer)
	}
	if log, err := os.ReadFile(filepath.Join(m.home, ".local", "state", "onward", "hook.log")); err != nil || len(log) == 0 {
		t.Errorf("the log of hooks says %q, %v", log, err)
	}
}

// The log of the hooks names the reason why the store cannot be reached, also for the report of a tool call, which has a
// shorter time limit.
func TestHookLogNamesTheCause(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"Stop", "PostToolUse"} {
		m := newMachine(t, "etcd+plain://"+cluster.FreeAddresses(t, 1)[0]+"/team")
		c := m.command("hook", "claude")
		c.Stdin = strings.NewReader(`{"session_id":"s1","hook_event_name":"` + event + `","tool_name":"Read","tool_input":{},"tool_response":{},"cwd":"` + m.home + `"}`)
		began := time.Now()
		code, out, errs := m.wait(c)
		log := read(filepath.Join(m.home, ".local", "state", "onward", "hook.log"))
		if took := time.Since(began); code != 0 || strings.Contains(out, "block") || !strings.Contains(log, "connection refused") || event == "PostToolUse" && took > 2500*time.Millisecond {
			t.Errorf("%s: exit %d after %v: %s%s, and the log: %s", event, code, took, out, errs, log)
		}
	}
}

// stopHook runs the stop hook, and returns its answer.
func stopHook(m *machine) string {
	c := m.with("ONWARD_LOCK_TIMEOUT=10s").command("hook", "claude")
	c.Stdin = strings.NewReader(`{"session_id":"s1","hook_event_name":"Stop","cwd":"` + m.home + `"}`)
	code, out, errs := m.wait(c)
	if code != 0 {
		m.t.Errorf("the hook: exit %d: %s", code, errs)
	}
	return out
}

// A majority of the servers is enough. Without one, nothing is changed.
func TestMajorityIsEnough(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 3)
	m := newMachine(t, c.URL("team"))
	m.must("todo", "add", "one")
	c.Leader().Kill()
	m.must("todo", "add", "two")
	c.Leader().Kill()
	m.with("ONWARD_LOCK_TIMEOUT=2s").fails(68, "the store is unavailable", "todo", "add", "three")
}

// A server whose database is full can be read but not written.
func TestFullDatabase(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1, "--quota-backend-bytes", "200000")
	m := newMachine(t, c.URL("team"))
	m.must("todo", "add", "first")
	var code int
	var errs string
	for range 200 {
		// Text that cannot be compressed fills the database quickly.
		if code, _, errs = m.run("todo", "add", noise(3000)); code != 0 {
			break
		}
	}
	if code != 74 || !strings.Contains(errs, "the store is full") || !strings.Contains(errs, "compact") || !strings.Contains(errs, "defrag") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if list := m.must("todo", "show"); !strings.Contains(list, "first") {
		t.Error(list)
	}
	letsGo(t, m)
}

// A request larger than a server accepts is refused, and changes nothing.
func TestTooLargeList(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1, "--max-request-bytes", "20000")
	m := newMachine(t, c.URL("team"))
	m.must("todo", "add", "first")
	before := m.must("todo", "show", "--json")
	add := m.command("todo", "add", "-")
	var many strings.Builder
	for range 30 {
		many.WriteString(noise(3000) + "\n")
	}
	add.Stdin = strings.NewReader(many.String())
	if code, _, errs := m.wait(add); code != 65 || !strings.Contains(errs, "more than") || !strings.Contains(errs, "hint: shorten the list") || strings.Contains(errs, "rpc") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if after := m.must("todo", "show", "--json"); after != before {
		t.Error(after)
	}
}

// noise returns a text of n bytes that cannot be compressed.
func noise(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"[rand.N(64)]
	}
	return "x" + string(b) // so that it does not look like a flag
}

// The order of the hosts in a URL does not matter: the machine's own files of the store are in the same folder.
func TestHostsInAnyOrderAreOneStore(t *testing.T) {
	t.Parallel()
	at := cluster.FreeAddresses(t, 2)
	m := newMachine(t, "", "ONWARD_LOCK_TIMEOUT=0")
	var local []string
	for _, hosts := range []string{at[0] + "," + at[1], at[1] + "," + at[0]} {
		_, out, errs := m.with("ONWARD_STORE=etcd+plain://"+hosts+"/team/").run("store", "info", "--json")
		_, after, found := strings.Cut(out, `"local"`)
		if !found {
			t.Fatal(out, errs)
		}
		folder, _, _ := strings.Cut(after, ",")
		local = append(local, folder)
	}
	if local[0] != local[1] {
		t.Errorf("%v", local)
	}
	if code, _, errs := m.run("store", "copy", "etcd+plain://"+at[0]+","+at[1]+"/team", "etcd+plain://"+at[1]+","+at[0]+"/team"); code != 64 {
		t.Errorf("a copy of a store to itself: exit %d: %s", code, errs)
	}
}
