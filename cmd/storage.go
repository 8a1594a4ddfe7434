package cmd

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/calls/execute"
	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/notify"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
)

// storage is the store that a command works on.
type storage struct {
	store.Backend
	// The part that stays on this machine, wherever the store is: activity, and the sessions chosen for projects.
	// It is the same where the store is in files.
	local   *durable.Store
	address store.Address
}

// homeStore is the folder of the store, unless the user named another one, and of what always stays on this machine.
func homeStore() string { return filepath.Join(xdg.StateHome, "onward") }

// address returns the address of the store.
func (a *app) address() (store.Address, error) {
	text, named := setting(a.Store, "ONWARD_STORE")
	if !named {
		if runtime.GOOS != "windows" && os.Getenv("HOME") == "" && !filepath.IsAbs(os.Getenv("XDG_STATE_HOME")) {
			return store.Address{}, cli.Hinted(cli.Failf(cli.ExitConfig, "find the store: HOME is not set"), "set HOME, or name the store with --store or ONWARD_STORE")
		}
		return store.Address{Text: homeStore()}, nil
	}
	return addressOf(sourceOf(a.Store, "ONWARD_STORE"), text)
}

// addressOf reads an address; its origin is for messages.
func addressOf(from, text string) (store.Address, error) {
	at, err := store.ParseAddress(text)
	if err != nil {
		return at, cli.Usagef("%s: %v", from, err)
	}
	if at.Scheme == "" {
		if at.Text, err = filepath.Abs(at.Text); err != nil {
			return at, cli.Usagef("store %q: %v", text, err)
		}
	}
	return at, nil
}

// wait is how long this command waits for another writer, or for a store that does not answer.
func (a *app) wait() (wait time.Duration, err error) {
	wait = 10 * time.Second
	if text, ok := setting(a.LockTimeout, "ONWARD_LOCK_TIMEOUT"); ok {
		if wait, err = duration(sourceOf(a.LockTimeout, "ONWARD_LOCK_TIMEOUT"), &text, wait); err != nil {
			return 0, err
		}
	}
	if a.patience > 0 {
		wait = min(wait, a.patience)
	}
	return wait, nil
}

// storage opens the store that this command works on.
func (a *app) storage() (storage, error) {
	at, err := a.address()
	if err != nil {
		return storage{}, err
	}
	return a.open(at)
}

// open opens a store.
func (a *app) open(at store.Address) (storage, error) {
	wait, err := a.wait()
	if err != nil {
		return storage{}, err
	}
	if at.Scheme == "" {
		if info, err := os.Stat(at.Text); err == nil && !info.IsDir() {
			return storage{}, cli.Hinted(cli.Failf(cli.ExitIO, "store %q is not a folder", at.Text), "choose another store with --store or ONWARD_STORE")
		}
		files := &durable.Store{Dir: at.Text, Wait: wait}
		return storage{files, files, at}, nil
	}
	if a.remote.address == at && a.remote.local.Wait == wait {
		return a.remote, nil
	}
	backend, err := a.openEngine(at, wait)
	if err != nil {
		return storage{}, err
	}
	local := &durable.Store{Dir: localFolder(at), Wait: wait, Local: true}
	a.remote = storage{backend.With(interruptible()), local, at}
	return a.remote, nil
}

// shared reports whether other machines have the store too.
func (s storage) shared() bool { return s.address.Scheme != "" }

// callsKey is the address of the tool calls and messages of a list.
func callsKey(name session.Name) store.Key { return schedule.Key(name) }

// calls returns the tool calls of a store.
func (s storage) calls() *schedule.Store { return &schedule.Store{Backend: s.Backend} }

// outputs returns the outputs of calls.
func (s storage) outputs() execute.Outputs {
	o := execute.Outputs{Dir: s.local.Dir}
	if s.shared() {
		o.Shared = s.Backend
	}
	return o
}

// alive reports whether a process may still be running a call. If machines share the store, this cannot be seen from the
// process, which may be on another machine or suspended for longer than its lease. Then only the lock of the run counts,
// which the caller has.
func (s storage) alive(p *schedule.Process) bool { return !s.shared() && execute.Alive(p) }

// untold is the interval of looking for a runner that was killed. With files, its end changes no watched file; other
// stores report it.
func (s storage) untold() time.Duration {
	if s.shared() {
		return math.MaxInt64
	}
	return time.Second
}

// Watch watches what is on this machine too.
func (s storage) Watch(keys ...store.Key) store.Watch {
	if !s.shared() {
		return s.local.Watch(keys...)
	}
	return s.Backend.Watch(keys...).And(s.local.Watch(keys...))
}

// watchFile watches a file on this machine, below the store.
func (s storage) watchFile(path string) store.Watch {
	return notify.Watch(filepath.Join(s.local.Dir, filepath.FromSlash(path)))
}

// sessions returns the lists of a store.
func (s storage) sessions() *session.Store {
	lists := &session.Store{Backend: s.Backend, Notes: s.local, Gone: process.Gone, Lives: process.Lives, Folders: checkouts{}, Rest: s.removeRest}
	lists.Beside = []*store.Spec{callsKey(session.Name{}).Kind}
	if s.shared() {
		lists.Machine, lists.Folders = s.local, nil
	}
	return lists
}
