package torture

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var kills = flag.Int("kills", 10, "how often `onward run`, its keeper or its agent is killed in a night")

// TestKilledRuns kills `onward run`, its keeper, its agent or the agent's wrapper at random moments of a long job.
// After a kill of the run, the same command resumes it. Two agents must never work at the same time, the list must be
// intact and done at the end, and each turn must be counted once: without tokens if it was cut off with its run,
// otherwise as it ended.
func TestKilledRuns(t *testing.T) {
	n := newNight(t)
	n.start()
	for range *kills {
		n.pause(150 * time.Millisecond)
		if n.draw.IntN(2) == 0 {
			n.killRun()
			n.start()
		} else {
			n.killTurn()
		}
	}
	n.write("enough", "")
	n.await("the run does not end", func() bool { return n.ended() })
	if code := n.run.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the run ended with %d", code)
	}
	n.check()
}

// night is a long job of one agent whose processes are killed.
type night struct {
	t *testing.T
	place
	draw *rand.Rand
	run  *exec.Cmd
	said bytes.Buffer
	over chan struct{} // closed when the run has ended
	cuts []cut
}

// cut contains the counters of a run when it was killed.
type cut struct {
	mark    string
	started int // turns
	tokens  int
}

func newNight(t *testing.T) *night {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("RAPID_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	n := &night{t: t, place: newPlace(t), draw: rand.New(rand.NewPCG(seed, 0))}
	t.Cleanup(func() {
		if _ = n.run.Process.Kill(); t.Failed() {
			t.Logf("RAPID_SEED=%d; the last run wrote\n%s", seed, &n.said)
		}
		<-n.over
	})
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Many agents are started by a wrapper, so this one is too.
	n.write("codex", "#!/bin/sh\nGORACE=atexit_sleep_ms=10 "+shift+"="+n.work+" '"+own+"' \"$@\"\nexit $?\n")
	n.write("journal", "")
	return n
}

func (n *night) write(name, text string) {
	n.t.Helper()
	if err := os.WriteFile(filepath.Join(n.work, name), []byte(text), 0o700); err != nil {
		n.t.Fatal(err)
	}
}

// start starts the run, or resumes it.
func (n *night) start() {
	n.t.Helper()
	n.said.Reset()
	n.run = n.command("", nil, "run", "codex", "the long job", "--session", "night", "--max-total", "1000")
	// With ONWARD_NOW the run skips its waits. Each start needs a later time than the one before.
	now := time.Date(2026, 11, 21, 9, len(n.cuts), 0, 0, time.UTC)
	n.run.Env = append(n.run.Env, "PATH="+n.work+":"+os.Getenv("PATH"), "ONWARD_NOW="+now.Format(time.RFC3339))
	n.run.Stdout, n.run.Stderr = &n.said, &n.said
	n.run.WaitDelay = time.Minute
	if err := n.run.Start(); err != nil {
		n.t.Fatal(err)
	}
	over, run := make(chan struct{}), n.run
	n.over = over
	go func() { _ = run.Wait(); close(over) }()
}

func (n *night) ended() bool {
	select {
	case <-n.over:
		return true
	default:
		return false
	}
}

// await waits until so returns true, and fails the test with problem if that takes too long.
func (n *night) await(problem string, so func() bool) {
	n.t.Helper()
	for began := time.Now(); !so(); time.Sleep(time.Millisecond) {
		if n.ended() {
			n.t.Fatalf("the run ended with %d", n.run.ProcessState.ExitCode())
		}
		if time.Since(began) > time.Minute {
			n.t.Fatal(problem)
		}
	}
}

// killRun kills the run, in one case of three with its keeper, and records its counters.
func (n *night) killRun() {
	n.t.Helper()
	if at := n.atWork(); at != nil && n.draw.IntN(3) == 0 {
		_ = n.run.Process.Signal(syscall.SIGSTOP) // so that the run does not see its keeper die
		_ = syscall.Kill(at[0], syscall.SIGKILL)
	}
	_ = n.run.Process.Kill()
	<-n.over
	if code := n.run.ProcessState.ExitCode(); code != -1 {
		n.t.Fatalf("the run ended with %d", code)
	}
	n.cuts = append(n.cuts, n.cut())
}

func (n *night) cut() cut {
	n.t.Helper()
	var record struct {
		Mark  string
		Turns int
	}
	n.load("runs", &record)
	return cut{record.Mark, record.Turns, n.ledger().Tokens}
}

// ledger contains the counters of the list's document.
type ledger struct {
	Tokens    int `json:"all_tokens"`
	Continued int `json:"total_prompt"`
}

func (n *night) ledger() ledger {
	n.t.Helper()
	var doc struct{ Continuation ledger }
	n.load("sessions", &doc)
	return doc.Continuation
}

// load decodes a document of the session, if it exists.
func (n *night) load(kind string, doc any) {
	n.t.Helper()
	data, err := os.ReadFile(filepath.Join(n.store(), kind, "night.json"))
	if err == nil {
		err = json.Unmarshal(data, doc)
	}
	if err != nil && !os.IsNotExist(err) {
		n.t.Fatal(err)
	}
}

// killTurn kills the keeper, the wrapper or the agent during a turn, and waits until a later turn has ended:
// a run ends if the agent fails too often in a row.
func (n *night) killTurn() {
	n.t.Helper()
	for killed := false; !killed; {
		n.await("no turn begins", func() bool { return n.atWork() != nil })
		n.pause(longestTurn)
		if at := n.atWork(); at != nil {
			killed = syscall.Kill(at[n.draw.IntN(len(at))], syscall.SIGKILL) == nil
		}
	}
	turns := len(n.turns())
	n.await("no turn ends", func() bool { return len(ended(n.turns()[turns:])) > 0 })
}

// atWork returns the process ids of the keeper, the wrapper and the agent of the current turn; none if no turn is running.
func (n *night) atWork() (found []int) {
	n.t.Helper()
	turns := n.turns()
	for at := n.run.Process.Pid; len(found) < 3; found = append(found, at) {
		if at = child(at); at == 0 {
			return nil
		}
	}
	if len(turns) == 0 || turns[len(turns)-1].process != found[2] || turns[len(turns)-1].tokens > 0 {
		return nil
	}
	return found
}

// child returns the first child of a process; 0 if it has none.
func child(pid int) (first int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range threads {
		if data, err := os.ReadFile(path); err == nil && first == 0 {
			_, _ = fmt.Sscan(string(data), &first)
		}
	}
	return first
}

// pause sleeps for a random time, at most longest.
func (n *night) pause(longest time.Duration) {
	time.Sleep(time.Duration(n.draw.Int64N(int64(longest))))
}

// check compares onward's counters and list with the agent's journal.
func (n *night) check() {
	n.t.Helper()
	all := n.turns()
	last := cut{mark: all[len(all)-1].mark, tokens: n.ledger().Tokens}
	_, end, _ := strings.Cut(n.said.String(), "onward: done after ")
	if _, err := fmt.Sscan(end, &last.started); err != nil {
		n.t.Error("the run is not done")
	}
	of := map[string][]turn{}
	for _, t := range all {
		of[t.mark] = append(of[t.mark], t)
	}
	var before cut
	var owed turn // its end was not saved before a kill; the next end that is saved counts it, if the conversation is the same
	continued := 0
	for i, c := range append(n.cuts, last) {
		turns, counted := of[c.mark], c.tokens-before.tokens
		delete(of, c.mark) // a run that was killed before its first turn has the mark of the run before
		began := c.started - before.started - len(turns)
		if i == len(n.cuts) && began != 0 || began < -1 || began > 1 {
			n.t.Errorf("run %d counts %d turns more than there were", i+1, began)
		}
		want, rest := owed.settledBy(turns)
		var unsaved turn
		if last := len(turns) - 1; i < len(n.cuts) && last >= 0 && (turns[last].tokens == 0 || counted < want) {
			unsaved, turns = turns[last], turns[:last]
			want, rest = owed.settledBy(turns)
		}
		if counted != want {
			n.t.Errorf("run %d counts %d tokens, and %d were spent", i+1, counted, want)
		}
		if owed = rest; unsaved.tokens > 0 {
			owed = turn{thread: unsaved.thread, tokens: unsaved.tokens}
			if rest.thread == unsaved.thread {
				owed.tokens += rest.tokens
			}
		}
		for _, t := range turns {
			if t.continued {
				continued++
			}
		}
		before = c
	}
	if got := n.ledger().Continued; got != continued {
		n.t.Errorf("%d continuations are counted, and %d were given and not cut off", got, continued)
	}
	want := ""
	for i := range ended(all) {
		want += fmt.Sprintf("%d\tcompleted\tstep %[1]d\n", i+1)
	}
	if got := n.must(n.t, "", "todo", "show", "--session", "night", "--format", "plain"); got != want {
		n.t.Errorf("the list is\n%s\nwant\n%s", got, want)
	}
	n.t.Logf("%d kills of a run, and %d of %d turns were killed", len(n.cuts), len(all)-len(ended(all)), len(all))
}

// turn is a turn of the agent, as recorded in its journal.
type turn struct {
	mark      string // identifies the run
	thread    string
	continued bool // the prompt was a continuation
	process   int
	tokens    int // used tokens; 0 if the turn did not end
}

func ended(turns []turn) []turn {
	return slices.DeleteFunc(slices.Clone(turns), func(t turn) bool { return t.tokens == 0 })
}

func spent(turns []turn) (tokens int) {
	for _, t := range turns {
		tokens += t.tokens
	}
	return tokens
}

// settledBy returns what is counted once the ends of turns are saved, and what is owed after them. A total that the agent
// reports for its whole conversation includes the turn that is owed.
func (owed turn) settledBy(turns []turn) (counted int, rest turn) {
	counted = spent(turns)
	if slices.ContainsFunc(ended(turns), func(t turn) bool { return t.thread == owed.thread }) {
		return counted + owed.tokens, turn{}
	}
	return counted, owed
}

// turns returns the turns of the agent so far.
func (n *night) turns() []turn {
	n.t.Helper()
	all, err := readJournal(n.work)
	if err != nil {
		n.t.Fatal(err)
	}
	return all
}

// readJournal reads the agent's journal, which has a line for each start and each end of a turn.
func readJournal(dir string) (turns []turn, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "journal"))
	for line := range strings.Lines(string(data)) {
		var t turn
		if _, err := fmt.Sscanf(line, "begin %s %s %t %d\n", &t.mark, &t.thread, &t.continued, &t.process); err == nil {
			turns = append(turns, t)
		} else if _, err := fmt.Sscanf(line, "end %d\n", &turns[len(turns)-1].tokens); err != nil {
			return nil, fmt.Errorf("the agent wrote %q", line)
		}
	}
	return turns, err
}

// shift is the environment variable that makes the test program act as the agent; its value is the agent's folder.
const shift = "TORTURE_SHIFT"

func init() {
	if dir := os.Getenv(shift); dir != "" {
		if err := work(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// longestTurn is the maximum of the agent's random working time in a turn.
const longestTurn = 60 * time.Millisecond

// work runs a turn of an agent that prints Codex's stream. The turn completes an item, and adds another one until
// the file "enough" exists. The agent's only memory is its journal.
func work(dir string) error {
	journal, err := os.OpenFile(filepath.Join(dir, "journal"), os.O_APPEND|os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if syscall.Flock(int(journal.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_, err = fmt.Fprintln(journal, "another agent is at work")
		return err
	}
	turns, err := readJournal(dir)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // an agent may go on working when nobody reads its output
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	thread := fmt.Sprintf("t%d", len(turns))
	if i := slices.Index(os.Args, "resume"); i > 0 {
		thread = os.Args[i+1]
	}
	total := spent(slices.DeleteFunc(slices.Clone(turns), func(t turn) bool { return t.thread != thread }))
	// The first prompt of a new conversation contains the whole list.
	continued := bytes.Contains(prompt, []byte("TODO CONTINUATION")) && !bytes.Contains(prompt, []byte("The todo list, as data:"))
	fmt.Fprintf(journal, "begin %s %s %t %d\n", os.Getenv("ONWARD_RUN"), thread, continued, os.Getpid())
	fmt.Printf("{\"type\":\"thread.started\",\"thread_id\":%q}\n{\"type\":\"turn.started\"}\n", thread)
	list := func(done, more int) {
		var items []string
		for i := range done + more {
			items = append(items, fmt.Sprintf(`{"text":"step %d","completed":%t}`, i+1, i < done))
		}
		fmt.Printf("{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"todo_list\",\"items\":[%s]}}\n", strings.Join(items, ","))
	}
	done := len(ended(turns))
	time.Sleep(rand.N(longestTurn / 3))
	list(done, 1)
	time.Sleep(rand.N(longestTurn / 3))
	fmt.Println(`{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"make","aggregated_output":"","exit_code":0,"status":"completed"}}`)
	time.Sleep(rand.N(longestTurn / 3))
	more := 1
	if _, err := os.Stat(filepath.Join(dir, "enough")); err == nil {
		more = 0
	}
	tokens := 1000 + rand.IntN(1000)
	fmt.Fprintf(journal, "end %d\n", tokens)
	list(done+1, more)
	fmt.Printf("{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":%d,\"cached_input_tokens\":0,\"output_tokens\":0}}\n", total+tokens)
	return nil
}
