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
	var checked int64
	if n, err := fmt.Sscan(string(data), &host, &checked); n == 2 && err == nil && slices.Contains(hosts, host) {
		m.host, m.checked = host, time.Unix(checked, 0)
	}
	return m
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
	if os.MkdirAll(filepath.Dir(m.path), 0o700) == nil {
		_ = os.WriteFile(m.path, fmt.Appendln(nil, m.host, m.checked.Unix()), 0o600)
	}
}
