package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/find"
	"onward/internal/store"
	"onward/internal/todo"
)

// Outage is a period in which a store past this machine does not answer. The hooks of this machine keep it in a file, so
// that from time to time one of them waits for the store, and the others let their agents proceed immediately.
type Outage struct {
	path  string
	since todo.Time // when a hook first noticed it; 0 if there is no outage
	until todo.Time // until when no hook tries the store
	pause time.Duration
	cause string
}

// The pauses between two hooks that wait for a store which is down. Each is twice as long as the last one. The longest
// is short, because an agent may be let go for that long although the store answers again.
const (
	leastPause = time.Second
	mostPause  = 15 * time.Second
)

// OutageFile is the file of the outage of a store.
func OutageFile(at store.Address) string { return filepath.Join(find.LocalFolder(at), "outage") }

// ReadOutage reads the file of an outage. If it cannot be read, there is no outage.
func ReadOutage(path string) Outage {
	o := Outage{path: path}
	data, err := os.ReadFile(path)
	if err != nil {
		return o
	}
	var since, until, pause int64
	head, cause, _ := strings.Cut(string(data), "\n")
	if _, err := fmt.Sscan(head, &since, &until, &pause); err == nil && pause > 0 {
		o.since, o.until, o.pause, o.cause = todo.Time(since), todo.Time(until), time.Duration(pause), strings.TrimSpace(cause)
	}
	return o
}

// TryStore returns the cause if the store is known to be down, so that the caller does not try it. If it is time to try
// again, this caller does, while the others still get the cause.
func (o *Outage) TryStore(now todo.Time) error {
	if o.since == 0 {
		return nil
	}
	if left := o.until.Time().Sub(now.Time()); left > 0 && left <= mostPause { // otherwise the clock was changed
		return store.WrapProblem(store.ErrUnavailable, "it has not answered since %s, and hooks ask again from %s on; then it was: %s",
			o.since.Time().Local().Format(time.TimeOnly), o.until.Time().Local().Format(time.TimeOnly), o.cause)
	}
	o.pause = 2 * min(o.pause, mostPause/2)
	o.write(now)
	return nil
}

// RecordTry records whether the store answered. The first success ends an outage.
func (o *Outage) RecordTry(err error, now todo.Time) {
	switch {
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrUnknown):
		if o.since == 0 {
			o.since, o.pause = now, leastPause
		}
		o.cause = err.Error()
		o.write(now)
	case o.since != 0:
		_ = os.Remove(o.path)
	}
}

// write records that no hook tries the store before a pause is over. The file is replaced as a whole; losing it costs
// only time.
func (o *Outage) write(now todo.Time) {
	o.until = now + todo.Time(o.pause.Milliseconds())
	if os.MkdirAll(filepath.Dir(o.path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(o.path), ".outage-*")
	if err != nil {
		return
	}
	_, err = fmt.Fprintln(f, int64(o.since), int64(o.until), int64(o.pause), "\n"+o.cause)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
