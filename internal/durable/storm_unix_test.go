//go:build unix

package durable

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// TestKilledWriters kills writers in the middle of their work. Afterwards the document must have every change that was
// confirmed, and none that was not tried. At every moment, a reader must find an intact document.
func TestKilledWriters(t *testing.T) {
	workers, each := 16, 30
	switch {
	case raceDetector:
		each = 10
	case *long:
		each = 100
	}
	s := memoryStore(t)
	mustAdd(t, s, "the first")

	done := make(chan struct{})
	var reader sync.WaitGroup
	reads := 0
	reader.Go(func() {
		for rev := uint64(0); ; reads++ {
			select {
			case <-done:
				return
			default:
			}
			d, err := s.Load(name)
			switch {
			case err != nil || d == nil:
				t.Errorf("a reader saw %v, %v", d, err)
				return
			case d.Rev < rev || len(d.Todos.Items) == 0 || len(d.Todos.Items) > int(d.Rev):
				t.Errorf("a reader saw rev %d with %d items, after rev %d", d.Rev, len(d.Todos.Items), rev)
				return
			}
			rev = d.Rev
		}
	})

	var mu sync.Mutex
	tried, acked := map[string]bool{"the first": true}, map[string]bool{"the first": true}
	kills := 0
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for n := 0; n < each; {
				w := startWorker(t, "add", s.Dir, fmt.Sprint(i), n, each)
				w.begin.Close()
				for w.lines.Scan() {
					var what string
					if _, err := fmt.Sscanf(w.lines.Text(), "%s %d", &what, &n); err != nil {
						t.Errorf("%q: %v", w.lines.Text(), err)
						return
					}
					text := fmt.Sprintf("%d-%d", i, n)
					mu.Lock()
					if what == "try" {
						tried[text] = true
						if random.Float64() < 0.4 {
							kills++
							// The delay spreads the kills over the steps of a commit.
							time.AfterFunc(time.Duration(random.IntN(4000))*time.Microsecond, func() { w.cmd.Process.Kill() })
						}
					} else {
						acked[text] = true
					}
					mu.Unlock()
				}
				if err := w.cmd.Wait(); err != nil && w.cmd.ProcessState.Exited() {
					t.Errorf("a worker failed by itself: %v", err)
					return
				}
				n++ // do not repeat the last text, so that each occurs at most once
			}
		})
	}
	all.Wait()
	close(done)
	reader.Wait()

	d := mustLoad(t, s)
	final := map[string]bool{}
	for _, it := range d.Todos.Items {
		if final[it.Content] || !tried[it.Content] {
			t.Errorf("%s is duplicated, or nobody tried it", it.Content)
		}
		final[it.Content] = true
	}
	for text := range acked {
		if !final[text] {
			t.Errorf("%s was confirmed and is lost", text)
		}
	}
	if int(d.Rev) != len(final) {
		t.Errorf("rev %d, %d items", d.Rev, len(final))
	}
	t.Logf("%d tried, %d confirmed, %d in the end; %d kills, %d reads", len(tried), len(acked), len(final), kills, reads)
	if kills < workers || reads == 0 {
		t.Errorf("only %d kills and %d reads", kills, reads)
	}

	// Confirmed changes can also be undone, as far as the history reaches.
	if h, err := s.History(name); err != nil || len(h) < 2 || h[0].Rev != d.Rev || !todo.Equal(h[0].Items, d.Todos.Items) {
		t.Errorf("history: %d entries, %v", len(h), err)
	}

	// The next writer does not have to wait, and removes the temporary files of the last dead one.
	mustAdd(t, onFiles(s.Dir, 0), "the last")
	if names := temporaries(t, s); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
}

// TestLinksAndSpecialFilesAreRefused replaces each file of a store by links and special files. None may be followed,
// and none may block.
func TestLinksAndSpecialFilesAreRefused(t *testing.T) {
	for _, path := range []string{documentPath(name), document{session.Key(name)}.lockPath(), historyPath(name), sessionsDir, historyDir} {
		for how, put := range map[string]func(at, outside string) error{
			"link":    func(at, outside string) error { return os.Symlink(outside, at) },
			"inside":  func(at, outside string) error { return os.Symlink(filepath.Base(at)+".moved", at) },
			"nowhere": func(at, outside string) error { return os.Symlink(outside+"-not", at) },
			"fifo":    func(at, outside string) error { return syscall.Mkfifo(at, 0o600) },
		} {
			t.Run(how+" as "+path, func(t *testing.T) {
				s := testStore(t)
				mustAdd(t, s, "a")
				outside := filepath.Join(t.TempDir(), "outside")
				at := filepath.Join(s.Dir, path)
				// The target of the link is valid, so an error can only be about the link.
				if how == "inside" {
					outside = at + ".moved"
				}
				if err := os.Rename(at, outside); err != nil {
					t.Fatal(err)
				}
				if err := put(at, outside); err != nil {
					t.Fatal(err)
				}
				before := contents(t, outside)
				_, err := addItem(s, "b")
				if err == nil {
					t.Error("it was written")
				}
				if !errors.Is(err, store.ErrForeign) {
					t.Errorf("got %v", err)
				}
				if contents(t, outside) != before {
					t.Error("what the link leads to was changed")
				}
				if path == documentPath(name) {
					if d, err := s.Load(name); d != nil || !errors.Is(err, store.ErrForeign) {
						t.Errorf("load: got %v, %v", d, err)
					}
				}
				if path == sessionsDir && how == "fifo" {
					if saved, err := s.SavedLists(name); !errors.Is(err, store.ErrForeign) {
						t.Errorf("catalog: got %v", saved)
					}
				}
				if path == sessionsDir {
					if d, err := s.Load(name); d != nil && how == "link" {
						t.Errorf("load followed a link out of the store: %v", err)
					}
				}
			})
		}
	}
}

// contents returns the content of a file, or the names in a folder.
func contents(t *testing.T, path string) string {
	t.Helper()
	if entries, err := os.ReadDir(path); err == nil {
		return fmt.Sprint(entries)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPipeInPlaceOfStoreIsRefused checks that a named pipe at the path of the store is an error, and is not opened, which would block.
func TestPipeInPlaceOfStoreIsRefused(t *testing.T) {
	s := testStore(t)
	s.Dir += "-pipe"
	if err := syscall.Mkfifo(s.Dir, 0o600); err != nil {
		t.Fatal(err)
	}
	at := onFiles(s.Dir, 0)
	if saved, err := at.SavedLists(name); err == nil {
		t.Errorf("catalog: got %v", saved)
	}
	if d, err := at.Load(name); err == nil {
		t.Errorf("load: got %v", d)
	}
	if _, err := addItem(at, "b"); err == nil {
		t.Error("it was written")
	}
}

// TestStoreMayBeLink checks that the folder of the store may be a link, since its user has chosen it.
func TestStoreMayBeLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	s := onFiles(link, 0)
	mustAdd(t, s, "a")
	mustLoad(t, s)
}

func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := os.Chmod(s.Path(name), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(name); !errors.Is(err, store.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// TestFileModeIsKept checks that a commit keeps the mode of a file, so that a user can share a list with a group.
func TestFileModeIsKept(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := os.Chmod(s.Path(name), 0o640); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, s, "b")
	if info, err := os.Stat(s.Path(name)); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
}
