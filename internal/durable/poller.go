package durable

import (
	"sync"
	"time"
)

// Go starts its poller with the first file or timer. If the system refuses what it is made of, because too many files are open
// or memory is short, Go ends the process then and there: no error, no deferred call, and an exit code of 2. So it is started here, where a failure can still be reported.
var polling struct {
	sync.Mutex
	started bool
}

// StartRuntimePoller starts the poller, or returns why it cannot. Afterwards a file that cannot be opened is an ordinary error,
// and a timer can be made. If another process opens the last file of the system between our check and the start,
// Go still ends the process.
func StartRuntimePoller() error {
	polling.Lock()
	defer polling.Unlock()
	if polling.started {
		return nil
	}
	if err := possible(); err != nil {
		return err
	}
	time.AfterFunc(time.Hour, func() {}).Stop()
	polling.started = true
	return nil
}
