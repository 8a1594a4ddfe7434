// Package poller starts Go's poller while a failure can still be told.
//
// Go starts it with the first file or timer. If the system refuses what it is made of, because too many files are open
// or memory is short, Go ends the process then and there: no error, no deferred call, and an exit code of 2.
package poller

import (
	"sync"
	"time"
)

var (
	mu      sync.Mutex
	started bool
)

// Start starts the poller, or says why it cannot be. Afterwards a file that cannot be opened is an error like any other.
// Where another process takes the last file of the system between our look and the start, Go still ends the process.
func Start() error {
	late, err := AfterFunc(time.Hour, func() {})
	if err == nil {
		late.Stop()
	}
	return err
}

// AfterFunc is that of package time, or says why there can be no timer, which wants the poller.
func AfterFunc(d time.Duration, f func()) (*time.Timer, error) {
	mu.Lock()
	defer mu.Unlock()
	if !started {
		if err := possible(); err != nil {
			return nil, err
		}
	}
	started = true
	return time.AfterFunc(d, f), nil
}
