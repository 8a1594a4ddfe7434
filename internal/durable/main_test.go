package durable

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

	"onward/internal/session"
	"onward/internal/todo"
)

// workerVariable is the environment variable that turns the test binary into one of several processes that write to a store.
// Goroutines would not be enough, because the locks between processes are tested.
const workerVariable = "ONWARD_TEST_WORKER"

// long runs the tests with many processes in full size, which takes half a minute. The short form finds the same mistakes less often.
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

// work is the main function of a worker process. It waits for the end of its input, so that all workers start at the same time,
// and then prints `try N` before and `ack N` after each of its changes.
func work(job string, args []string) error {
	s := onFiles(args[0], time.Minute)
	from, to := atoi(args[2]), atoi(args[3])
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	for n := from; n < to; n++ {
		fmt.Println("try", n)
		var err error
		switch job {
		case "add":
			_, err = addItem(s, args[1]+"-"+strconv.Itoa(n))
		case "complete":
			err = completeItem(s, n)
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
	begin io.Closer // closing it starts the worker's changes
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

// finish waits for the worker, and fails the test unless it has done all its work.
func (w *worker) finish(t *testing.T) {
	t.Helper()
	for w.lines.Scan() {
	}
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("worker: %v", err)
	}
}

// noon is the time of these tests.
const noon todo.Time = 1_767_258_000_000

var name = session.Name{Session: "s"}

// files is a store on files, with its folder for tests that read the files.
type files struct {
	*session.Store
	Dir string
}

func onFiles(dir string, wait time.Duration) *files {
	backend := &Store{Dir: dir, Wait: wait}
	return &files{&session.Store{Backend: backend, Notes: backend}, dir}
}

// The folders of a store.
const (
	sessionsDir = "sessions"
	historyDir  = "history"
)

func documentPath(n session.Name) string { return document{session.Key(n)}.path() }

func historyPath(n session.Name) string { return document{session.Key(n)}.logPath() }

func activityPath(n session.Name) string { return document{session.Key(n)}.notePath() }

func testStore(t testing.TB) *files {
	return onFiles(t.TempDir(), time.Minute)
}

// memoryStore returns a store on a disk in memory, if the system has one. Locks and renames work as on a real disk.
func memoryStore(t testing.TB) *files { return onFiles(memoryDir(t), time.Minute) }

// addItem adds one item as a change of the list.
func addItem(s *files, text string) (session.Commit, error) {
	return s.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
		edit, err := todo.Add(d.Todos.Items, todo.EndPosition(), []todo.Draft{{Content: text}}, noon)
		if err != nil {
			return session.Change{}, err
		}
		d.Todos.Items, d.Todos.Active = edit.Items, true
		return session.Change{What: edit.What, By: "cli", List: true, Touched: edit.Touched}, nil
	})
}

func completeItem(s *files, n int) error {
	_, err := s.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
		r, err := todo.ParseRange(strconv.Itoa(n + 1))
		if err != nil {
			return session.Change{}, err
		}
		edit, err := todo.SetStatus(d.Todos.Items, []todo.Range{r}, todo.Completed, "", noon)
		d.Todos.Items = edit.Items
		return session.Change{What: edit.What, By: "cli", List: true}, err
	})
	return err
}

func mustAdd(t testing.TB, s *files, text string) session.Commit {
	t.Helper()
	c, err := addItem(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, s *files) *session.Document {
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
