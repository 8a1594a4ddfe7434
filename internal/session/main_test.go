package session

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"onward/internal/todo"
)

// workerVariable turns the test binary into one of the processes that write to a store at the same time.
// Goroutines would not do: what is tested are locks between processes.
const workerVariable = "ONWARD_TEST_WORKER"

// long runs the storms in full. They take half a minute, and the short ones find the same mistakes, only less often.
var long = flag.Bool("long", false, "run the storms of processes in full")

func TestMain(m *testing.M) {
	if job := os.Getenv(workerVariable); job != "" {
		if err := work(job, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// work is what a worker process does: it waits for the end of its input, so that all begin at once,
// and then says `try N` before and `ack N` after each of its changes.
func work(job string, args []string) error {
	store := &Store{Dir: args[0], LockTimeout: time.Minute}
	from, to := atoi(args[2]), atoi(args[3])
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	for n := from; n < to; n++ {
		fmt.Println("try", n)
		var err error
		switch job {
		case "add":
			_, err = addItem(store, args[1]+"-"+strconv.Itoa(n))
		case "complete":
			err = completeItem(store, n)
		default:
			err = errors.New("no such job: " + job)
		}
		if err != nil {
			return err
		}
		fmt.Println("ack", n)
	}
	return nil
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// worker is a running worker process.
type worker struct {
	cmd   *exec.Cmd
	begin io.Closer // its closing lets the worker begin
	lines *bufio.Scanner
}

func startWorker(t *testing.T, job, dir, name string, from, to int) *worker {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir, name, strconv.Itoa(from), strconv.Itoa(to))
	cmd.Env = append(os.Environ(), workerVariable+"="+job)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &worker{cmd: cmd, begin: in, lines: bufio.NewScanner(out)}
}

// finish waits for the worker, which must have done all its work.
func (w *worker) finish(t *testing.T) {
	t.Helper()
	for w.lines.Scan() {
	}
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("worker: %v", err)
	}
}

// noon is the clock of these tests.
const noon todo.Time = 1_767_258_000_000

var name = Name{Session: "s"}

func testStore(t testing.TB) *Store {
	return &Store{Dir: t.TempDir(), LockTimeout: time.Minute}
}

// memoryStore is a store on a disk in memory, where there is one. Locks and renames are the same there,
// and thousands of writers do not wait for a real disk.
func memoryStore(t testing.TB) *Store {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "onward-test-")
	if err != nil {
		return testStore(t)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return &Store{Dir: dir, LockTimeout: time.Minute}
}

// addItem adds one item as a change of the list.
func addItem(s *Store, text string) (Commit, error) {
	return s.Update(name, "", noon, func(d *Document) (Change, error) {
		edit, err := todo.Add(d.Todos.Items, todo.End(), []todo.Draft{{Content: text}}, noon)
		if err != nil {
			return Change{}, err
		}
		d.Todos.Items, d.Todos.Active = edit.Items, true
		return Change{What: edit.What, By: "cli", List: true, Touched: edit.Touched}, nil
	})
}

func completeItem(s *Store, n int) error {
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		r, err := todo.ParseRange(strconv.Itoa(n + 1))
		if err != nil {
			return Change{}, err
		}
		edit, err := todo.SetStatus(d.Todos.Items, []todo.Range{r}, todo.Completed, "", noon)
		d.Todos.Items = edit.Items
		return Change{What: edit.What, By: "cli", List: true}, err
	})
	return err
}

func mustAdd(t testing.TB, s *Store, text string) Commit {
	t.Helper()
	c, err := addItem(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, s *Store) *Document {
	t.Helper()
	d, err := s.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		t.Fatal("there is no document")
	}
	return d
}
