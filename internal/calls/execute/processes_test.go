package execute

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"onward/internal/calls/schedule"
)

// work is the main function of a worker process: it runs calls until none is left.
func work(job, dir string) error {
	s := onFiles(dir, time.Minute)
	if job == "run" {
		r := newRunner(s, declared(&testing.T{}, ""))
		_, err := begin(s, r, nil)
		return err
	}
	return errors.New("no such job: " + job)
}

func startWorker(t testing.TB, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), workerVariable+"=run")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestKilledCallIsNotRepeated kills the process that runs a call. The next run must mark the call as
// interrupted, and run the others.
func TestKilledCallIsNotRepeated(t *testing.T) {
	s := onFiles(t.TempDir(), time.Minute)
	judge := declared(t, "")
	mark, log := filepath.Join(s.Dir, "mark"), filepath.Join(s.Dir, "log")
	hang := call("a", "hang", mark)
	hang.Tool = "alone"
	submit(t, s, judge, hang, call("b", "note", log, "b"))
	w := startWorker(t, s.Dir)
	child := waitFor(t, mark)
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.Wait()
	if d, err := s.Load(name); err != nil || d.Find("a").Status != schedule.Executing || Alive(d.Find("a").Owner) {
		t.Fatalf("%v, %v", d, err)
	}
	os.Remove(mark)
	got := run(t, s, newRunner(s, judge), nil)
	if a, b := got["a"], got["b"]; a.Status != schedule.Errored || a.Class != schedule.ClassInterrupted || b.Status != schedule.Success {
		t.Errorf("got %+v, %+v", a, b)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the call ran again")
	}
	if p, err := os.FindProcess(atoi(child)); err == nil {
		p.Kill() // the process of the killed call has no owner any more
	}
}

// TestManyProcesses submits, runs, cancels and kills from many processes at once.
func TestManyProcesses(t *testing.T) {
	s := onFiles(t.TempDir(), time.Minute)
	judge := declared(t, "")
	log := filepath.Join(s.Dir, "log")
	const batches, size = 12, 10
	var group sync.WaitGroup
	for b := range batches {
		group.Go(func() {
			var many []schedule.Request
			for i := range size {
				q := call(fmt.Sprintf("c%d-%d", b, i), "note", log, fmt.Sprintf("c%d-%d", b, i))
				if i%3 == 0 {
					q.Tool = "alone"
				}
				many = append(many, q)
			}
			submit(t, s, judge, many...)
		})
	}
	var workers []*exec.Cmd
	for range 4 {
		workers = append(workers, startWorker(t, s.Dir))
	}
	group.Wait()
	// The first two are killed in the middle of their work.
	for _, w := range workers[:2] {
		for range 200 {
			if d, err := s.Load(name); err == nil && d != nil && d.Counts()[schedule.Success] > 5 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		w.Process.Signal(syscall.SIGKILL)
	}
	for _, w := range workers {
		w.Wait()
	}
	run(t, s, newRunner(s, judge), nil)
	d, err := s.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	if f, err := os.Open(log); err == nil {
		for lines := bufio.NewReader(f); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				break
			}
			ran[strings.TrimSpace(line)]++
		}
		f.Close()
	}
	if len(d.Calls) != batches*size || d.Open() != 0 {
		t.Errorf("%d calls, %d open", len(d.Calls), d.Open())
	}
	interrupted := 0
	for i := range d.Calls {
		c := &d.Calls[i]
		switch {
		case ran[c.ID] > 1:
			t.Errorf("call %s ran %d times", c.ID, ran[c.ID])
		case c.Status == schedule.Success && ran[c.ID] != 1:
			t.Errorf("call %s passes for done and did not run", c.ID)
		case c.Class == schedule.ClassInterrupted:
			interrupted++
		case c.Status != schedule.Success:
			t.Errorf("call %s: %+v", c.ID, c)
		}
	}
	// A process runs two calls at a time, so at most two calls can be interrupted for each process that was killed.
	if interrupted > 4 {
		t.Errorf("%d calls were interrupted", interrupted)
	}
}
