// Package notify reports when files may have been changed, created or removed, without reading them.
// The files and their folders need not exist. A Reader reads a growing file, as tail -F does.
package notify

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"onward/internal/store"
)

const (
	// burstEnd is the time within which several changes count as one: a commit makes a handful.
	burstEnd = 10 * time.Millisecond

	// slow is how often files are polled if the system does not report changes.
	slow = time.Second
)

// EveryFile means every file in a folder, if a path has it instead of a base name.
const EveryFile = "*"

// watcher watches some files.
type watcher struct {
	paths   []string
	changes chan struct{}
	done    chan struct{}
	system  *fsnotify.Watcher
}

// Watch begins to watch files. Changes after it returns are reported.
func Watch(paths ...string) store.Watch {
	system, err := fsnotify.NewWatcher()
	w, slow := start(system, err, paths)
	return store.Watch{Changes: w.changes, Slow: slow, Close: w.close}
}

func start(system *fsnotify.Watcher, err error, paths []string) (*watcher, error) {
	w := &watcher{changes: make(chan struct{}, 1), done: make(chan struct{}), system: system}
	for _, p := range paths {
		// The system reports changes under the path that was watched, so it gets an absolute one.
		if abs, failed := filepath.Abs(p); failed == nil {
			p = abs
		}
		w.paths = append(w.paths, p)
	}
	if err == nil {
		if err = w.arm(); err == nil {
			err = w.blindSpot()
			go w.listen()
		}
	}
	if err != nil {
		go w.poll()
	}
	return w, err
}

func (w *watcher) close() {
	close(w.done)
	if w.system != nil {
		_ = w.system.Close()
	}
}

// arm watches the folders. It repeats that until they have not changed: one may have been made in between.
func (w *watcher) arm() error {
	var before []string
	for {
		folders := w.folders()
		if slices.Equal(folders, before) {
			return nil
		}
		before = folders
		watched := w.system.WatchList()
		for _, dir := range watched {
			if !slices.Contains(folders, dir) {
				// An error means that the folder is gone, and its watch with it.
				_ = w.system.Remove(dir)
			}
		}
		for _, dir := range folders {
			if slices.Contains(watched, dir) {
				continue
			}
			if err := w.system.Add(dir); errors.Is(err, os.ErrNotExist) {
				before = nil // it was removed in between: find the folders again
			} else if err != nil {
				return err
			}
		}
	}
}

// folders returns the folder of each file, or the nearest one above it that exists.
func (w *watcher) folders() (folders []string) {
	for _, p := range w.paths {
		if dir := ExistingFolder(filepath.Dir(p)); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// ExistingFolder returns a folder, or the nearest one above it that exists.
func ExistingFolder(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// blindSpot returns a reason why changes may go unseen.
func (w *watcher) blindSpot() error {
	for _, p := range w.paths {
		// A link is watched itself, not its target.
		if info, err := os.Lstat(p); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return errors.New(p + " is a symbolic link")
		}
	}
	for _, dir := range w.folders() {
		if kind := remoteFileSystem(dir); kind != "" {
			return errors.New(dir + " is on " + kind)
		}
	}
	return nil
}

// listen forwards the events of the system, once per burst.
func (w *watcher) listen() {
	var burst <-chan time.Time
	for {
		select {
		case e, ok := <-w.system.Events:
			switch {
			case !ok:
				return
			case !w.concerns(e.Name):
				continue
			}
			if slices.Contains(w.system.WatchList(), e.Name) {
				// A removed folder has lost its watch, even if a new folder has its name.
				_ = w.system.Remove(e.Name)
			}
		case _, ok := <-w.system.Errors:
			if !ok {
				return
			}
			// The system's queue ran over: anything may have happened.
		case <-burst:
			burst = nil
			// The reader that is signalled also sees changes that were made before a new folder was watched.
			err := w.arm()
			w.signal()
			if err != nil {
				w.poll()
				return
			}
			continue
		}
		if burst == nil {
			burst = time.After(burstEnd)
		}
	}
}

// concerns reports whether a change of a name matters: it is a watched file, in a folder whose files are all watched,
// or a folder above one of these.
func (w *watcher) concerns(name string) bool {
	return slices.ContainsFunc(w.paths, func(p string) bool {
		return p == name || filepath.Dir(p) == filepath.Dir(name) && strings.HasPrefix(filepath.Base(p), EveryFile) || strings.HasPrefix(p, strings.TrimSuffix(name, string(filepath.Separator))+string(filepath.Separator))
	})
}

// poll looks for changes where the system does not report them.
func (w *watcher) poll() {
	tick := time.NewTicker(slow)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-tick.C:
			w.signal()
		}
	}
}

func (w *watcher) signal() {
	select {
	case w.changes <- struct{}{}:
	default: // one is waiting already
	}
}
