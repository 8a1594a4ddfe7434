package execute

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
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

// act is the main function of a tool.
func act(args []string) int {
	switch args[0] {
	case "note": // appends a line to a file
		f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return 3
		}
		fmt.Fprintln(f, args[2])
		f.Close()
	case "print":
		fmt.Print(strings.Repeat(args[1], atoi(args[2])))
	case "both":
		fmt.Print("out\xff")
		fmt.Fprint(os.Stderr, "err")
		return 4
	case "stdin":
		io.Copy(os.Stdout, os.Stdin)
	case "env":
		fmt.Print(strings.Join(os.Environ(), "\n"))
	case "hang": // writes its process id, starts a child that does so too, and runs as long as the child
		child := exec.Command(os.Args[0], "-tool", "sleep")
		child.Start()
		os.WriteFile(args[1], fmt.Append(nil, child.Process.Pid), 0o600)
		fmt.Println("began")
		child.Wait()
	case "sleep":
		time.Sleep(time.Hour)
	case "meet": // waits until the other call has started
		os.WriteFile(args[1], nil, 0o600)
		for range 2000 {
			if _, err := os.Stat(args[2]); err == nil {
				return 0
			}
			time.Sleep(5 * time.Millisecond)
		}
		return 5
	}
	return 0
}

func atoi(s string) int {
	n := 0
	fmt.Sscan(s, &n)
	return n
}

var name = session.Name{Session: "s"}

// declared returns a judge that knows act as the tool `act` with words as arguments. Calls that only read run concurrently.
func declared(t testing.TB, extra string) schedule.Judge {
	word := func(n string) string { return `"{` + n + `}"` }
	one := func(tool, kind, extra string) string {
		return fmt.Sprintf(`{"name":%q,"kind":%q,"confirm":"never","command":[%q,"-tool",%s,%s,%s],`+
			`"parameters":{"type":"object","properties":{"do":{"type":"string"},"a":{"type":"string"},"b":{"type":"string"}},"required":["do"]},"env":["GORACE","ONWARD_TEST_NAMED"]%s}`,
			tool, kind, os.Args[0], word("do"), word("a"), word("b"), extra)
	}
	tools, err := tool.Decode([]byte(`{"schema":"onward/tools/v1","tools":[`+one("act", "read", extra)+","+one("alone", "edit", extra)+`]}`), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	anything := func(*tool.Tool, jsontext.Value) error { return nil }
	return schedule.Judge{Tools: append(tool.Builtin(), tools...), Mode: policy.Default, Check: anything}
}

func clock() todo.Time { return todo.TimeOf(time.Now()) }

// call returns a request for act.
func call(id, do string, args ...string) schedule.Request {
	m := map[string]string{"do": do}
	for i, a := range args {
		m[string(rune('a'+i))] = a
	}
	w := "{"
	for i, key := range slices.Sorted(func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}) {
		if i > 0 {
			w += ","
		}
		quoted, _ := jsontext.AppendQuote(nil, m[key])
		w += fmt.Sprintf("%q:%s", key, quoted)
	}
	return schedule.Request{ID: id, Tool: "act", Args: jsontext.Value(w + "}")}
}

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
	if err := r.Outputs.Fill(calls); err != nil {
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
		if _, ok := process.Start(atoi(pid)); !ok {
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
