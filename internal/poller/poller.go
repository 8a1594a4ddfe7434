// Package poller starts Go's poller early, while its failure can still be reported.
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

// Start starts the poller, or returns why it cannot. Afterwards a file that cannot be opened is an ordinary error.
// If another process opens the last file of the system between our check and the start, Go still ends the process.
func Start() error {
	late, err := AfterFunc(time.Hour, func() {})
	if err == nil {
		late.Stop()
	}
	return err
}

// AfterFunc is time.AfterFunc, or returns why there can be no timer, which requires the poller.
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
