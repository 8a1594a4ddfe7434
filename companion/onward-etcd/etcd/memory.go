package etcd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// memory is what a machine knows about the servers of a store from its last command: which one answered, and when one was
// asked for its version. It is kept in a file that may be lost at any time.
type memory struct {
	path string // empty if nothing is kept

	mu      sync.Mutex
	host    string    // which answered; empty if none is known
	checked time.Time // when a server was last asked for its version, which was not refused
	term    uint64    // of the servers' leader; 0 if none is known
	elected time.Time // when this machine first heard of that leader after another one; zero if there was none before
}

// asksAgain is how long after a server was asked for its version one is asked again.
const asksAgain = time.Hour

// readMemory reads the file of a memory. What is not one of the hosts was written for another list of them, or in part.
func readMemory(path string, hosts []string) *memory {
	m := &memory{path: path}
	if path == "" {
		return m
	}
	data, _ := os.ReadFile(path)
	var host string
	var checked, elected int64
	if n, _ := fmt.Sscan(string(data), &host, &checked, &m.term, &elected); n >= 2 && slices.Contains(hosts, host) {
		m.host, m.checked, m.elected = host, time.Unix(checked, 0), time.Unix(elected, 0)
	}
	return m
}

// sawTerm records the term of the servers' leader. Each leader has a later one than the one before it.
func (m *memory) sawTerm(term uint64, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if term <= m.term {
		return
	}
	if m.term != 0 {
		m.elected = now
	}
	m.term = term
	m.write()
}

// newLeader reports whether the servers have had a new leader lately.
func (m *memory) newLeader(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	age := now.Sub(m.elected)
	return age >= 0 && age < time.Minute
}

// fresh reports whether no server needs to be asked for its version.
func (m *memory) fresh(now time.Time) bool {
	age := now.Sub(m.checked)
	return m.host != "" && age >= 0 && age < asksAgain
}

// keep records the host that has answered, and whether this process has asked a server for its version. Of another host
// than before that is not known, so the next command asks it.
func (m *memory) keep(host string, checked bool, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" || host == "" || host == m.host && (!checked || m.fresh(now)) {
		return
	}
	m.host, m.checked = host, time.Unix(0, 0)
	if checked {
		m.checked = now
	}
	m.write()
}

func (m *memory) write() {
	if m.path != "" && m.host != "" && os.MkdirAll(filepath.Dir(m.path), 0o700) == nil {
		_ = os.WriteFile(m.path, fmt.Appendln(nil, m.host, m.checked.Unix(), m.term, m.elected.Unix()), 0o600)
	}
}
