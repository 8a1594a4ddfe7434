package find

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/calls/execute"
	"onward/internal/calls/schedule"
	"onward/internal/durable"
	"onward/internal/notify"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
)

// Storage is the store that a command works on.
type Storage struct {
	store.Backend
	// The part that stays on this machine, wherever the store is: activity, and the sessions chosen for projects.
	// It is the same if the store is in files.
	Local   *durable.Store
	Address store.Address
}

// DefaultStoreFolder is the folder of the store, unless the user named another one, and of what always stays on this machine.
func DefaultStoreFolder() string { return filepath.Join(xdg.StateHome, "onward") }

// Shared reports whether other machines have the store too.
func (s Storage) Shared() bool { return s.Address.Scheme != "" }

// CallsKey is the address of the tool calls and messages of a list.
func CallsKey(name session.Name) store.Key { return schedule.Key(name) }

// Calls returns the tool calls of a store.
func (s Storage) Calls() *schedule.Store { return &schedule.Store{Backend: s.Backend} }

// Outputs returns the outputs of calls.
func (s Storage) Outputs() execute.Outputs {
	o := execute.Outputs{Dir: s.Local.Dir}
	if s.Shared() {
		o.Shared = s.Backend
	}
	return o
}

// Alive reports whether a process may still be running a call. If machines share the store, this cannot be seen from the
// process, which may be on another machine or suspended for longer than its lease. Then only the lock of the run counts,
// which the caller has.
func (s Storage) Alive(p *schedule.Process) bool { return !s.Shared() && execute.Alive(p) }

// PollInterval is the interval of looking for a runner that was killed. With files, its end changes no watched file; other
// stores report it.
func (s Storage) PollInterval() time.Duration {
	if s.Shared() {
		return math.MaxInt64
	}
	return time.Second
}

// Watch watches what is on this machine too.
func (s Storage) Watch(keys ...store.Key) store.Watch {
	if !s.Shared() {
		return s.Local.Watch(keys...)
	}
	return s.Backend.Watch(keys...).And(s.Local.Watch(keys...))
}

// WatchFile watches a file on this machine, below the store.
func (s Storage) WatchFile(path string) store.Watch {
	return notify.Watch(filepath.Join(s.Local.Dir, filepath.FromSlash(path)))
}

// Sessions returns the lists of a store.
func (s Storage) Sessions() *session.Store {
	lists := &session.Store{Backend: s.Backend, Notes: s.Local, Gone: process.KnownEnded, IsAlive: process.IsAlive, Folders: checkouts{}, RemoveDependents: s.removeDependents}
	lists.Beside = []*store.Spec{CallsKey(session.Name{}).Kind}
	lists.MaySet, lists.MayDelete = maySet, mayDelete
	if s.Shared() {
		lists.Machine, lists.Folders = s.Local, nil
	}
	return lists
}

// LocalFolder is the folder for what belongs to a store past this machine and stays on this machine.
func LocalFolder(at store.Address) string {
	return filepath.Join(DefaultStoreFolder(), "stores", at.Engine()+"-"+store.Checksum([]byte(at.Text)))
}

// removeDependents deletes the tool calls and messages of a session, with the outputs. They are deleted before the list: as
// long as the list exists, its deletion can be completed. While a process runs the calls, they are not deleted.
func (s Storage) removeDependents(b store.Backend, name session.Name) (bool, error) {
	// The list is locked while this waits.
	ctx, cancel := context.WithTimeout(context.Background(), min(s.Local.Wait, longestRemoval))
	defer cancel()
	s.Backend = b.With(ctx)
	doc, _ := s.Calls().Load(name)
	deleted, err := s.Calls().Delete(name)
	if err == nil || deleted {
		if doc != nil {
			s.Outputs().Remove(doc.Files()) // also those that a copy has brought with another name
		}
		err = cmp.Or(s.Outputs().RemoveAll(name), err)
	}
	if err == nil {
		err = cmp.Or(s.Sessions().ForgetRun(name), s.Sessions().ForgetReceipt(name))
	}
	return deleted, err
}

// longestRemoval is how long the deletion of a session waits for other writers of its tool calls.
const longestRemoval = 250 * time.Millisecond

// UsesOtherStore reports whether the environment of this process leads to another store and another configuration than another one does,
// which has lines NAME=VALUE, and whether no word of the command line is the address of that store.
func UsesOtherStore(other, words []string) bool {
	value := func(name string) (out string) {
		for _, line := range other {
			if v, is := strings.CutPrefix(line, name+"="); is {
				out = v
			}
		}
		return out
	}
	folder := func(variable, inHome string) string {
		if dir := value(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "onward")
		}
		return filepath.Join(value("HOME"), inHome, "onward")
	}
	theirs, ours := cmp.Or(value("ONWARD_STORE"), folder("XDG_STATE_HOME", ".local/state")), cmp.Or(os.Getenv("ONWARD_STORE"), DefaultStoreFolder())
	for _, word := range words {
		if _, err := store.ParseAddress(word); err == nil && sameStore(theirs, word) {
			return false
		}
	}
	return !sameStore(theirs, ours) && !sameFolder(folder("XDG_CONFIG_HOME", ".config"), ConfigDir())
}

// sameStore reports whether two addresses may be of the same store: which servers are the same is not known here.
func sameStore(a, b string) bool {
	one, err := store.ParseAddress(a)
	other, failed := store.ParseAddress(b)
	if err != nil || failed != nil || one.Scheme != "" && other.Scheme != "" {
		return true
	}
	return one.Scheme == other.Scheme && sameFolder(one.Text, other.Text)
}

// sameFolder reports whether two paths name the same folder.
func sameFolder(a, b string) bool {
	is, err := os.Stat(a)
	other, failed := os.Stat(b)
	if err != nil || failed != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return os.SameFile(is, other)
}
