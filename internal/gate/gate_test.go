package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

const noon todo.Time = 1_767_258_000_000

// newRunner returns a runner for a list of a project that is no checkout.
func newRunner(t *testing.T) *Runner {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv(supervise.InGateVariable, "")
	project := t.TempDir()
	t.Chdir(project)
	folder, name := t.TempDir(), "demo"
	f := find.Finder{Flags: find.Flags{Store: &folder, Session: &name}}
	list, err := f.List(project)
	if err != nil {
		t.Fatal(err)
	}
	return &Runner{List: list, Clock: func() (todo.Time, error) { return noon, nil }}
}

// TestProveNow checks when a gate has a result: only if it has run to its end here, and not within another gate.
func TestProveNow(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     continuation.Settings
		inGate  string
		left    time.Duration
		code    int
		problem string
		output  string
	}{
		{name: "it passes", set: continuation.Settings{Gate: "echo fine"}, output: "fine"},
		{name: "it fails", set: continuation.Settings{Gate: "echo bad >&2; exit 3"}, code: 3, output: "bad"},
		{name: "there is no such command", set: continuation.Settings{Gate: "no-such-command-here"}, problem: "it could not be started", output: "not found"},
		{name: "its folder is not there", set: continuation.Settings{Gate: "true", GateDir: "gone"}, problem: "is not there"},
		{name: "it runs elsewhere", set: continuation.Settings{Gate: "true", GateElsewhere: "/other"}, problem: "it runs only in /other"},
		{name: "it is a command of a gate, or says so", set: continuation.Settings{Gate: "true"}, inGate: "1", problem: inGate},
		{name: "too little time is left", set: continuation.Settings{Gate: "true"}, left: minTime / 2, problem: "it has not run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRunner(t)
			t.Setenv(supervise.InGateVariable, c.inGate)
			if c.set.GateTimeout = time.Minute; c.left > 0 {
				g.Left = func() time.Duration { return c.left }
			}
			if dir, err := os.Getwd(); err != nil {
				t.Fatal(err)
			} else {
				c.set.GateDir = filepath.Join(dir, c.set.GateDir)
			}
			is, err := g.ProveNow(c.set)
			if err != nil {
				t.Fatal(err)
			}
			if is.Code != c.code || !strings.Contains(is.Problem, c.problem) || is.Problem != "" && c.problem == "" || !strings.Contains(is.Output, c.output) {
				t.Errorf("%+v", is)
			}
			if is.Passed() != (c.code == 0 && c.problem == "") {
				t.Errorf("passed: %v", is.Passed())
			}
		})
	}
}

// TestKnownResult checks which earlier result counts instead of another run: one that passed, on the same files, and not long ago.
func TestKnownResult(t *testing.T) {
	passed := session.Result{Command: "make", Tree: "t", At: noon - todo.Time(time.Hour.Milliseconds())}
	failed, old := passed, passed
	failed.Code, old.At = 1, noon-todo.Time((25*time.Hour).Milliseconds())
	for _, c := range []struct {
		name, tree, command string
		results             []session.Result
		known               bool
	}{
		{"it passed", "t", "make", []session.Result{passed}, true},
		{"nothing is kept", "t", "make", nil, false},
		{"on other files", "u", "make", []session.Result{passed}, false},
		{"where no files are known", "", "make", []session.Result{passed}, false},
		{"another command", "t", "make test", []session.Result{passed}, false},
		{"it failed", "t", "make", []session.Result{failed}, false},
		{"it is flaky", "t", "make", []session.Result{failed, passed}, false},
		{"too long ago", "t", "make", []session.Result{old}, false},
	} {
		f := &gateFiles{results: new(session.Results)}
		f.Before = c.tree
		for _, r := range c.results {
			f.results.Add(r)
		}
		if got := f.known(continuation.Settings{Gate: c.command}, noon); (got != nil) != c.known {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestStillUnproven checks that the gates of completed items run only if nothing else is open, each command once, and that an item counts
// as open whose gate does not pass or is not trusted.
func TestStillUnproven(t *testing.T) {
	ids := 0
	gated := func(command string, s todo.Status) todo.Item {
		ids++
		return todo.Item{ID: strconv.Itoa(ids), Content: command, Status: s, Gate: &todo.Gate{Command: command}}
	}
	for _, c := range []struct {
		name      string
		inGate    bool
		untrusted bool
		items     []todo.Item
		open      int
		fails     bool
		runs      int
	}{
		{name: "one command of two items", items: []todo.Item{gated("echo >>ran", todo.Completed), gated("echo >>ran", todo.Completed)}, runs: 1},
		{name: "one that fails", items: []todo.Item{gated("echo >>ran; false", todo.Completed)}, open: 1, fails: true, runs: 1},
		{name: "another item is open", items: []todo.Item{gated("echo >>ran", todo.Completed), {ID: "o", Content: "open", Status: todo.Pending}}, open: 1},
		{name: "an item that is cancelled", items: []todo.Item{gated("echo >>ran; false", todo.Cancelled)}},
		{name: "one that the user does not trust", untrusted: true, items: []todo.Item{gated("echo >>ran", todo.Completed)}, open: 1, fails: true},
		{name: "where a gate is said to run", inGate: true, items: []todo.Item{gated("echo >>ran", todo.Completed)}, open: 1, fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRunner(t)
			doc := &session.Document{Session: "demo", Agent: session.Primary, Todos: session.Todos{Active: true, Items: c.items}}
			_, err := g.Store.Update(g.Name, "", noon, func(doc *session.Document) (session.Change, error) {
				doc.Project, doc.Todos.Active, doc.Todos.Items = g.Project.Label(), true, c.items
				return session.Change{What: "made"}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range c.items {
				if c.untrusted || it.Gate == nil {
					continue
				}
				if err := g.TrustItemGates(it.Gate.Command); err != nil {
					t.Fatal(err)
				}
			}
			if c.inGate {
				t.Setenv(supervise.InGateVariable, "1")
			}
			open := todo.Select(c.items, []todo.Status{todo.Pending})
			left, failed, err := g.StillUnproven(doc, open)
			if err != nil {
				t.Fatal(err)
			}
			if len(left) != c.open || (failed != nil) != c.fails {
				t.Errorf("%d are open, %+v", len(left), failed)
			}
			ran, _ := os.ReadFile("ran")
			if got := strings.Count(string(ran), "\n"); got != c.runs {
				t.Errorf("%d runs: %+v", got, failed)
			}
		})
	}
}
