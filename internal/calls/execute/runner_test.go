package execute

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/durable"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
	"onward/test/storetest"
)

// This test binary also acts as the tools that it runs, and as the processes that run them.
const (
	workerVariable = "ONWARD_TEST_WORKER"
)

func TestMain(m *testing.M) {
	// A program that is built with -race sleeps for a second when it ends, and these tests start many.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=10")
	}
	if len(os.Args) > 1 && os.Args[1] == "-tool" {
		os.Exit(act(os.Args[2:]))
	}
	if job := os.Getenv(workerVariable); job != "" {
		if err := work(job, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

var name = session.Name{Session: "s"}

func clock() todo.Time { return todo.TimeOf(time.Now()) }

// files is a store on files, with the folder for tests that read the files.
type files struct {
	*schedule.Store
	Dir string
}

func onFiles(dir string, wait time.Duration) *files {
	return &files{&schedule.Store{Backend: &durable.Store{Dir: dir, Wait: wait}}, dir}
}

func submit(t testing.TB, s *files, judge schedule.Judge, requests ...schedule.Request) {
	t.Helper()
	_, err := s.Update(name, "", clock(), func(d *schedule.Document) (schedule.Change, error) {
		for i := range requests {
			requests[i].Cwd = s.Dir
		}
		return schedule.Submit(d, requests, judge, clock())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func newRunner(s *files, judge schedule.Judge) *Runner {
	return &Runner{Outputs: Outputs{Dir: s.Dir}, Alive: Alive, Name: name, Judge: judge, Jobs: 2, Clock: clock}
}

// begin acquires the calls and runs them.
func begin(s *files, r *Runner, signals <-chan os.Signal) ([]*schedule.Call, error) {
	run, err := s.Begin(r.Name)
	if err != nil {
		return nil, err
	}
	defer run.End()
	return r.Run(run, signals)
}

// run runs all calls to their ends, and returns them by id with their outputs.
func run(t testing.TB, s *files, r *Runner, signals <-chan os.Signal) map[string]schedule.Call {
	t.Helper()
	calls, err := begin(s, r, signals)
	if err != nil && !errors.Is(err, supervise.ErrInterrupted) {
		t.Fatal(err)
	}
	if err := r.Outputs.FillIn(calls); err != nil {
		t.Fatal(err)
	}
	out := map[string]schedule.Call{}
	for _, c := range calls {
		out[c.ID] = *c
	}
	return out
}

func TestCallResults(t *testing.T) {
	t.Setenv("ONWARD_TEST_SECRET", "hidden")
	t.Setenv("ONWARD_TEST_NAMED", "shown")
	s := onFiles(t.TempDir(), 0)
	judge := declared(t, `,"stdin":"args","max_output":100`)
	submit(t, s, judge, call("ok", "print", "a", "3"), call("both", "both"), call("in", "stdin"), call("env", "env"),
		call("long", "print", "ä", "1000"), call("huge", "print", "0123456789", "50000"),
		schedule.Request{ID: "sh", Tool: "shell", Args: jsontext.Value(`{"command":"echo $((1+1)); exit 3"}`)})
	if _, err := s.Update(name, "", clock(), func(d *schedule.Document) (schedule.Change, error) {
		did, _, err := schedule.Approve(d, []string{"sh"}, judge, false, false, clock())
		return did, err
	}); err != nil {
		t.Fatal(err)
	}
	got := run(t, s, newRunner(s, judge), nil)
	if c := got["ok"]; c.Status != schedule.Success || c.Result.Stdout != "aaa" || c.Result.Output != "" {
		t.Errorf("ok: %+v %+v", c, c.Result)
	}
	if c := got["both"]; c.Status != schedule.Errored || c.Class != schedule.ClassFailed || c.Result.ExitCode != 4 || c.Result.Stdout != "out\uFFFD" || c.Result.Stderr != "err" {
		t.Errorf("both: %+v %+v", c, c.Result)
	}
	if c := got["in"]; c.Result.Stdout != `{"do":"stdin"}`+"\n" {
		t.Errorf("in: %+v", c.Result)
	}
	if c := got["env"]; !strings.Contains(c.Result.Stdout+c.Result.Stderr, "PATH=") && !c.Result.Truncated || strings.Contains(c.Result.Stdout, "hidden") {
		t.Errorf("env: %+v", c.Result)
	}
	if c := got["sh"]; c.Result.Stdout != "2\n" || c.Result.ExitCode != 3 {
		t.Errorf("sh: %+v", c.Result)
	}
	for id, whole := range map[string]string{"long": strings.Repeat("ä", 1000), "huge": strings.Repeat("0123456789", 50000)} {
		c := got[id]
		file, err := os.ReadFile(filepath.Join(s.Dir, "outputs", "s", id+".txt"))
		if err != nil || string(file) != whole || c.Result.Output != "outputs/s/"+id+".txt" {
			t.Errorf("%s: the file has %d bytes, %v, %s", id, len(file), err, c.Result.Output)
		}
		runes := []rune(whole)
		want := fmt.Sprintf("%s\n[%d characters left out; the whole output is in outputs/s/%s.txt]\n%s", string(runes[:20]), len(runes)-100, id, string(runes[len(runes)-80:]))
		if !c.Result.Truncated || c.Result.Stdout != want {
			t.Errorf("%s: got %q", id, c.Result.Stdout)
		}
	}
}

func TestEnvironmentByName(t *testing.T) {
	t.Setenv("ONWARD_TEST_SECRET", "hidden")
	t.Setenv("ONWARD_TEST_NAMED", "shown")
	got := strings.Join(environment([]string{"ONWARD_TEST_NAMED", "ONWARD_TEST_ABSENT"}), "\n")
	if !strings.Contains(got, "ONWARD_TEST_NAMED=shown") || !strings.Contains(got, "PATH=") || strings.Contains(got, "hidden") || strings.Contains(got, "ABSENT") {
		t.Errorf("got %s", got)
	}
}

func TestCommandThatCannotStart(t *testing.T) {
	s := onFiles(t.TempDir(), 0)
	judge := declared(t, "")
	submit(t, s, judge, call("gone", "print"), call("changed", "print"))
	tools, err := tool.Decode([]byte(`{"schema":"onward/tools/v1","tools":[{"name":"act","kind":"read","confirm":"never","command":["/no/such/program"]}]}`), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	other := schedule.Judge{Tools: tool.Set(tools), Mode: policy.Default, Check: judge.Check}
	submit(t, s, other, schedule.Request{ID: "missing", Tool: "act"})
	got := run(t, s, newRunner(s, other), nil)
	if got["changed"].Class != schedule.ClassChanged || got["missing"].Class != schedule.ClassStart || got["missing"].Result != nil {
		t.Errorf("got %+v", got)
	}
}

// TestEveryChangeMadeTwice uses a store that calls each change twice, as after a conflict with another writer.
func TestEveryChangeMadeTwice(t *testing.T) {
	backend := storetest.NewMemory()
	backend.Contended = true
	s := &files{&schedule.Store{Backend: backend}, t.TempDir()}
	judge := declared(t, "")
	log := filepath.Join(s.Dir, "log")
	var many []schedule.Request
	want := ""
	for i := range 5 {
		q := call(fmt.Sprint("n", i), "note", log, fmt.Sprint(i))
		q.Tool = "alone"
		many = append(many, q)
		want += fmt.Sprintln(i)
	}
	submit(t, s, judge, many...)
	for id, c := range run(t, s, newRunner(s, judge), nil) {
		if c.Status != schedule.Success {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if got, err := os.ReadFile(log); err != nil || string(got) != want {
		t.Errorf("ran %q, %v", got, err)
	}
}

func TestOnlyReadingToolsRunConcurrently(t *testing.T) {
	s := onFiles(t.TempDir(), 0)
	judge := declared(t, "")
	a, b := filepath.Join(s.Dir, "a"), filepath.Join(s.Dir, "b")
	submit(t, s, judge, call("a", "meet", a, b), call("b", "meet", b, a))
	for id, c := range run(t, s, newRunner(s, judge), nil) {
		if c.Status != schedule.Success {
			t.Errorf("%s did not meet the other: %+v", id, c)
		}
	}
	log := filepath.Join(s.Dir, "log")
	var many []schedule.Request
	want := ""
	for i := range 20 {
		q := call(fmt.Sprint("n", i), "note", log, fmt.Sprint(i))
		q.Tool = "alone"
		many = append(many, q)
		want += fmt.Sprintln(i)
	}
	submit(t, s, judge, many...)
	r := newRunner(s, judge)
	r.Jobs = 8
	run(t, s, r, nil)
	if got, err := os.ReadFile(log); err != nil || string(got) != want {
		t.Errorf("ran in the order %q, %v", got, err)
	}
}

// waitFor waits until a file is not empty, and returns its content.
func waitFor(t testing.TB, path string) string {
	t.Helper()
	for range 4000 {
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 {
			return string(data)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s did not come", path)
	return ""
}

// gone waits until a process has ended.
func gone(t testing.TB, pid string) {
	t.Helper()
	for range 4000 {
		if _, ok := process.StartTime(atoi(pid)); !ok {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("process %s still runs", pid)
}

func TestTimeoutEndsTheWholeGroup(t *testing.T) {
	s := onFiles(t.TempDir(), 0)
	judge := declared(t, "")
	mark := filepath.Join(s.Dir, "mark")
	submit(t, s, judge, call("a", "hang", mark))
	r := newRunner(s, judge)
	r.Timeout = 2 * time.Second
	got := run(t, s, r, nil)["a"]
	if got.Status != schedule.Errored || got.Class != schedule.ClassTimeout || got.Result.Stdout != "began\n" {
		t.Errorf("got %+v %+v", got, got.Result)
	}
	gone(t, waitFor(t, mark))
}

func TestCancelFromAnotherProcess(t *testing.T) {
	s := onFiles(t.TempDir(), time.Minute)
	judge := declared(t, "")
	mark := filepath.Join(s.Dir, "mark")
	next := call("b", "print")
	next.Barrier = true
	submit(t, s, judge, call("a", "hang", mark), next)
	done := make(chan map[string]schedule.Call)
	go func() { done <- run(t, s, newRunner(s, judge), nil) }()
	child := waitFor(t, mark)
	if _, err := s.Update(name, "", clock(), func(d *schedule.Document) (schedule.Change, error) {
		return schedule.CancelAll(d, "enough", Alive, clock())
	}); err != nil {
		t.Fatal(err)
	}
	got := <-done
	if a, b := got["a"], got["b"]; a.Status != schedule.Cancelled || a.Reason != "cancelled: enough" || a.Result.Stdout != "began\n" || b.Status != schedule.Cancelled {
		t.Errorf("got %+v, %+v", a, b)
	}
	gone(t, child)
}

func TestInterruptCancels(t *testing.T) {
	s := onFiles(t.TempDir(), time.Minute)
	judge := declared(t, "")
	mark := filepath.Join(s.Dir, "mark")
	next := call("b", "print")
	next.After = []string{"a"}
	submit(t, s, judge, call("a", "hang", mark), next)
	submit(t, s, judge, call("other", "hang", mark+"2"))
	signals := make(chan os.Signal, 1)
	r := newRunner(s, judge)
	r.Jobs = 1
	var err error
	done := make(chan []*schedule.Call)
	go func() {
		var calls []*schedule.Call
		calls, err = begin(s, r, signals)
		done <- calls
	}()
	child := waitFor(t, mark)
	signals <- os.Interrupt
	calls := <-done
	if !errors.Is(err, supervise.ErrInterrupted) || len(calls) != 2 || calls[0].Status != schedule.Cancelled || calls[1].Status != schedule.Cancelled {
		t.Errorf("got %v, %+v", err, calls)
	}
	gone(t, child)
	// A batch that had not started is not changed.
	if d, err := s.Load(name); err != nil || d.Find("other").Status != schedule.Scheduled {
		t.Errorf("got %v, %v", d, err)
	}
}

func TestAliveDistinguishesProcesses(t *testing.T) {
	self := thisProcess()
	if !Alive(&self) || Alive(nil) {
		t.Error("this process is not alive, or nobody is")
	}
	for _, p := range []schedule.Process{
		{PID: self.PID, Start: self.Start + "1", Boot: self.Boot}, {PID: self.PID, Start: self.Start, Boot: self.Boot + "x"}, {PID: 1 << 30, Start: self.Start, Boot: self.Boot},
	} {
		if Alive(&p) {
			t.Errorf("%+v is alive", p)
		}
	}
}
