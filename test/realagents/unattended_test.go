//go:build unix

package realagents

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// git runs git in the project.
func (p place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestWorktreeHasTheGate sets a gate in the main checkout and lets the agent work in a linked worktree,
// with hooks in the user's settings: it is sent back with what the gate prints there.
func TestWorktreeHasTheGate(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := newModel(
			t,
			victory(a),
			[]reply{use(a.shell("touch fixed")), textReply("The parser is mended.")},
			[]reply{textReply("I was sent back although the tests pass.")},
		)
		p := newPlace(t)
		p.git("init", "-q")
		p.git("commit", "-q", "--allow-empty", "-m", "begin")
		tree := filepath.Join(p.home, "tree")
		p.git("worktree", "add", "-q", tree)
		if code, out := p.onward("set", "gate", `test -e fixed || { echo "FAIL: TestParser wants the file fixed"; exit 1; }`); code != 0 {
			t.Fatalf("set gate: exit %d\n%s", code, out)
		}
		p.dir = tree
		if a.prepare != nil {
			a.prepare(t, m, p.home, p.dir)
		}
		p.hook(a, "--scope", "user")
		out := p.work(a, m, task)
		began := m.began()
		if len(began) != 2 || !strings.Contains(began[1], "| FAIL: TestParser wants the file fixed") {
			t.Errorf("the model was spoken to %d times:\n%s\n%s\n%s", len(began), last(began), story(p.taps()), tail(out))
		}
		if code, out := p.onward("todo", "assert", "--require-list"); code != 0 {
			t.Errorf("todo assert: exit %d\n%s", code, out)
		}
	})
}

// TestTwoConversationsAreGated has two conversations of one agent claim success at the same time while the tests are red.
// Neither ends unproven, and no two gates run at once in the folder.
func TestTwoConversationsAreGated(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		if a.serve != nil {
			skip(t, "each of its servers would install the plugin again; its sessions are gated one at a time")
		}
		p := newPlace(t)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		var models [2]*model
		for i := range models {
			models[i] = newModel(
				t,
				victory(a),
				[]reply{use(a.shell("touch fixed")), textReply("The parser is mended.")},
				[]reply{textReply("I was sent back although the tests pass.")},
			)
			if a.prepare != nil {
				a.prepare(t, models[i], p.home, p.dir)
			}
		}
		together(ctx, models[:]...)
		p.hook(a)
		gate := `echo begin >>gates; sleep 1; test -e fixed; code=$?; echo end >>gates; exit $code`
		if code, out := p.onward("set", "gate", gate); code != 0 {
			t.Fatalf("set gate: exit %d\n%s", code, out)
		}
		var runs [2]*exec.Cmd
		var outs [2]*bytes.Buffer
		for i, m := range models {
			runs[i], outs[i] = p.start(ctx, a, m, a.args(m, task))
		}
		sent := 0
		for i := range runs {
			if err := runs[i].Wait(); err != nil {
				t.Errorf("%v\n%s", err, tail(outs[i].String()))
			}
			sent += len(models[i].began()) - 1
		}
		if sent == 0 || sent > 2 {
			t.Errorf("the conversations were sent back %d times in all\n%s", sent, story(p.taps()))
		}
		gates, err := os.ReadFile(filepath.Join(p.dir, "gates"))
		if err != nil || strings.Contains(string(gates), "begin\nbegin") {
			t.Errorf("two gates ran at once (%v):\n%s", err, gates)
		}
		if proven := p.proven(); proven != 2 {
			t.Errorf("%d lists are done and proven\n%s", proven, story(p.taps()))
		}
	})
}

// proven counts the sessions whose list is finished and whose gate has passed.
func (p place) proven() (n int) {
	p.t.Helper()
	_, out := p.onward("session", "list", "--json")
	var doc struct {
		Lists []struct {
			Session string
			Counts  struct{ Open int }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		p.t.Fatalf("session list: %v\n%s", err, out)
	}
	for _, s := range doc.Lists {
		if _, out := p.onward("session", "show", "-s", s.Session); s.Counts.Open == 0 && strings.Contains(out, "passed") {
			n++
		}
	}
	return n
}

// TestInterruptEndsTheGate interrupts an agent, as Ctrl-C does, while its stop hook waits for the gate.
// The agent and the gate end, and the list is not done.
func TestInterruptEndsTheGate(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		if a.serve != nil {
			skip(t, "its turn is over when its plugin asks, so there is nothing to interrupt")
		}
		m := newModel(t, victory(a), []reply{textReply("I was spoken to after the interrupt.")})
		p := ready(t, a, m)
		if code, out := p.onward("set", "gate", `echo $$ >gate.pid; sleep 300`); code != 0 {
			t.Fatalf("set gate: exit %d\n%s", code, out)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cmd, out := p.start(ctx, a, m, a.args(m, task))
		pid := p.number(ctx, "gate.pid")
		if pid == 0 {
			cancel()
			_ = cmd.Wait()
			t.Fatalf("the gate never ran\n%s\n%s", story(p.taps()), tail(out.String()))
		}
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // an interrupt is an error of most
		if ctx.Err() != nil {
			t.Fatalf("it did not end:\n%s", tail(out.String()))
		}
		for end := time.Now().Add(20 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the gate outlives the interrupt")
			}
		}
		if code, out := p.onward("check-continue", "--dry-run", "--json"); code == 10 || code == 0 {
			t.Errorf("check-continue: exit %d\n%s", code, out)
		}
		if n := len(m.began()); n != 1 {
			t.Errorf("the model was spoken to %d times", n)
		}
	})
}

// number waits for a file of the project that holds a number, and returns that; 0 if it does not come in time.
func (p place) number(ctx context.Context, name string) int {
	for ctx.Err() == nil {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if n, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
			return n
		}
		time.Sleep(20 * time.Millisecond)
	}
	return 0
}

// files returns the contents of the files below the home, but for those of the tests.
func (p place) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == p.path || filepath.Base(path) == "taps" || filepath.Base(path) == "tmp" || strings.HasPrefix(path, filepath.Join(p.home, ".local", "state", "onward"))):
			return fs.SkipDir
		case d.Type().IsRegular():
			text, err := os.ReadFile(path)
			out[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// TestUninstallRestoresSettings installs hooks, lets the agent work with them, and removes them:
// every file that the installation changed is as before, and none is left that it made.
func TestUninstallRestoresSettings(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		m := diligent(t, a)
		p := newPlace(t)
		if a.prepare != nil {
			a.prepare(t, m, p.home, p.dir)
		}
		before := p.files()
		p.hook(a)
		installed := p.files()
		p.work(a, m, task)
		left := p.files()
		if code, out := p.onward("hooks", "uninstall", a.name); code != 0 {
			t.Fatalf("hooks uninstall: exit %d\n%s", code, out)
		}
		after := p.files()
		changed := 0
		for path, text := range installed {
			was, existed := before[path]
			if existed && was == text {
				continue
			}
			changed++
			now, exists := after[path]
			if left[path] != text {
				// The agent has written into it as well, as Qwen Code does with the version of its settings.
				if strings.Contains(now, "onward") {
					t.Errorf("%s still names onward:\n%s", path, now)
				}
				continue
			}
			if exists != existed || now != was {
				t.Errorf("%s:\nbefore (%v): %q\nafter (%v): %q", path, existed, was, exists, now)
			}
		}
		if changed == 0 {
			t.Error("the installation changed no file")
		}
	})
}
