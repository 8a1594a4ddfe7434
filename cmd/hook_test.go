package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	"onward/internal/cli"
	"onward/internal/hooks"
	"onward/internal/store"
	"onward/test/storetest"
)

// faultyStore calls a function before each access, which can fail, panic or wait.
type faultyStore struct {
	store.Backend
	before func(writes bool) error
}

func (s faultyStore) With(ctx context.Context) store.Backend {
	return faultyStore{s.Backend.With(ctx), s.before}
}

func (s faultyStore) Get(k store.Key) (store.Value, error) {
	if err := s.before(false); err != nil {
		return store.Value{}, err
	}
	return s.Backend.Get(k)
}

func (s faultyStore) List(kind *store.Spec, like string, times bool) ([]store.Entry, error) {
	if err := s.before(false); err != nil {
		return nil, err
	}
	return s.Backend.List(kind, like, times)
}

func (s faultyStore) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	if err := s.before(true); err != nil {
		return err
	}
	return s.Backend.Update(k, change)
}

// engineOf returns an engine with this one store.
func engineOf(backend store.Backend) *Engine {
	return &Engine{Scheme: "faulty", Open: func(string, time.Duration) (store.Backend, error) { return backend, nil }}
}

// brokenInput fails when it is read.
type brokenInput struct{ fault func() error }

func (b brokenInput) Read([]byte) (int, error) { return 0, b.fault() }

// hookWorld sets the environment for a store with an open item in a named session, and returns the path of the hook log.
func hookWorld(t *testing.T) (log string) {
	t.Helper()
	dir := t.TempDir()
	for key, value := range map[string]string{
		"XDG_STATE_HOME": dir, "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "ONWARD_STORE": filepath.Join(dir, "store"),
		"ONWARD_SESSION": "demo", "ONWARD_NOW": "2026-11-21T09:30:00Z",
	} {
		t.Setenv(key, value)
	}
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if code := Main([]string{"todo", "add", "one"}, strings.NewReader(""), io.Discard, io.Discard); code != cli.ExitOK {
		t.Fatalf("todo add: exit %d", code)
	}
	return filepath.Join(dir, "onward", "hook.log")
}

// hookEvents returns for each agent an event of a stop and one of a prompt.
func hookEvents(name string) (stop, prompt string) {
	switch name {
	case "gemini":
		return `{"session_id":"s","hook_event_name":"AfterAgent","prompt_response":""}`, `{"session_id":"s","hook_event_name":"BeforeAgent","prompt":"x"}`
	case "opencode":
		return `{"type":"session.idle","properties":{"sessionID":"s"}}`, `{"type":"chat.message","sessionID":"s","text":"x"}`
	case "cursor":
		return `{"conversation_id":"s","hook_event_name":"stop","status":"completed"}`, `{"conversation_id":"s","hook_event_name":"beforeSubmitPrompt","prompt":"x"}`
	case "generic", "pi":
		return `{"event":"stop","session_id":"s"}`, `{"event":"user-prompt","session_id":"s","prompt":"x"}`
	}
	return `{"session_id":"s","hook_event_name":"Stop"}`, `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`
}

// TestHookFailsOpen makes the input of each agent's hook, and each access to its store, fail and panic.
func TestHookFailsOpen(t *testing.T) {
	faults := map[string]func() error{
		"fails":                func() error { return errors.New("broken") },
		"panics":               func() error { panic("broken") },
		"panics with an error": func() error { panic(errors.New("broken")) },
	}
	for _, agent := range agents.Hooks() {
		t.Run(agent.Name, func(t *testing.T) {
			log := hookWorld(t)
			t.Setenv("ONWARD_STORE", "faulty://test")
			answer := func(backend store.Backend, in io.Reader) (code int, out string) {
				var o, e bytes.Buffer
				a := newApp([]string{"hook", agent.Name}, in, &o, &e)
				a.with = engineOf(backend)
				code = guardedHook{app: a, out: &o, err: &e, limit: time.Minute, patience: time.Minute}.run()
				return code, o.String() + e.String()
			}
			expectGoAhead := func(step, cause string, code int, out string) {
				t.Helper()
				if code != cli.ExitOK || out != agent.GoAhead {
					t.Errorf("%s: exit %d, output %q", step, code, out)
				}
				if text := readText(t, log); !strings.Contains(text, agent.Name+": ") || !strings.Contains(text, cause) {
					t.Errorf("%s: the log says %q", step, text)
				}
				os.Remove(log)
			}
			stop, prompt := hookEvents(agent.Name)
			withItem := func() store.Backend {
				memory := storetest.NewMemory()
				if code := MainOn(engineOf(memory), []string{"todo", "add", "one"}, strings.NewReader(""), io.Discard, io.Discard); code != cli.ExitOK {
					t.Fatalf("todo add: exit %d", code)
				}
				return memory
			}
			for how, fault := range faults {
				code, out := answer(storetest.NewMemory(), brokenInput{fault})
				expectGoAhead("the input "+how, "broken", code, out)
				for _, event := range []string{stop, prompt} {
					for at := 1; ; at++ {
						memory, n := withItem(), 0
						code, out := answer(faultyStore{memory, func(bool) error {
							if n++; n == at {
								return fault()
							}
							return nil
						}}, strings.NewReader(event))
						if n < at && at > 1 {
							break
						}
						expectGoAhead(fmt.Sprintf("access %d of %s %s", at, event, how), "broken", code, out)
					}
				}
			}
			if runtime.GOOS == "windows" {
				return // a path below a file counts as missing on this system
			}
			// The marks of activity are files on this machine; here their folder cannot be made.
			notes := filepath.Join(filepath.Dir(log), "stores")
			if err := errors.Join(os.RemoveAll(notes), os.WriteFile(notes, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			code, out := answer(withItem(), strings.NewReader(prompt))
			expectGoAhead("a sign of life", notes, code, out)
		})
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestHangingHookLetsTheAgentStop runs a hook with an input that never ends.
func TestHangingHookLetsTheAgentStop(t *testing.T) {
	log := hookWorld(t)
	in, end := io.Pipe()
	defer end.Close()
	var out bytes.Buffer
	ended := make(chan int)
	a := newApp([]string{"hook", "codex"}, in, &out, io.Discard)
	go guardedHook{app: a, out: &out, err: io.Discard, limit: time.Millisecond, patience: time.Minute, exit: func(code int) { ended <- code }}.run()
	if code := <-ended; code != cli.ExitOK || out.String() != "{}\n" || !strings.Contains(readText(t, log), "codex: no answer within 1 ms") {
		t.Errorf("exit %d, stdout %q", code, out.String())
	}
}

// TestHookEndsWithoutReader runs a hook whose answer goes to a pipe that is never read.
func TestHookEndsWithoutReader(t *testing.T) {
	hookWorld(t)
	stop, _ := hookEvents("codex")
	for _, in := range []string{stop, "no JSON"} {
		unread, out := io.Pipe()
		a := newApp([]string{"hook", "codex"}, strings.NewReader(in), out, io.Discard)
		ended, returned := make(chan int), make(chan bool)
		go func() {
			guardedHook{
				app: a, out: out, err: io.Discard, limit: time.Minute, patience: time.Millisecond,
				exit: func(code int) { ended <- code },
			}.run()
			close(returned)
		}()
		if code := <-ended; code != cli.ExitOK {
			t.Errorf("exit %d", code)
		}
		unread.Close()
		<-returned
	}
}

// TestHookWaitsBrieflyForWriter holds the lock of the list, as another process would.
func TestHookWaitsBrieflyForWriter(t *testing.T) {
	log := hookWorld(t)
	r := &hookRun{hookCmd: &hookCmd{}, app: &app{}, agent: agents.Hook("codex"), call: hook.Call{Session: "s"}}
	at, err := r.app.Address()
	if err == nil {
		err = errors.Join(r.limitWait(at), r.find())
	}
	if err != nil || r.Storage.Local.Wait != hooks.FileWait {
		t.Fatalf("the hook waits %v, %v", r.Storage.Local.Wait, err)
	}
	t.Setenv("ONWARD_LOCK_TIMEOUT", "0")
	release := holdLock(t, filepath.Join(os.Getenv("ONWARD_STORE"), "sessions", "demo.lock"))
	defer release()
	stop, _ := hookEvents("codex")
	var out bytes.Buffer
	if code := Main([]string{"hook", "codex"}, strings.NewReader(stop), &out, io.Discard); code != cli.ExitOK || out.String() != "{}\n" {
		t.Errorf("exit %d, stdout %q", code, out.String())
	}
	if text := readText(t, log); !strings.Contains(text, `codex: write session "demo": busy`) {
		t.Errorf("the log says %q", text)
	}
}

func TestHookLogIsBounded(t *testing.T) {
	log := hookWorld(t)
	long := errors.New(strings.Repeat("x\n", hooks.MaxLogLine))
	for range 3 * hooks.MaxLog / hooks.MaxLogLine {
		hooks.Log("claude\x1b[2J", long)
	}
	for _, path := range []string{log, log + ".1"} {
		text := readText(t, path)
		if len(text) > hooks.MaxLog+2*hooks.MaxLogLine {
			t.Errorf("%s has %d bytes", path, len(text))
		}
		for line := range strings.Lines(text) {
			if len(line) > hooks.MaxLogLine+8 || strings.Contains(line, "\x1b") || !strings.Contains(line, `claude\u001b[2J: x\n`) {
				t.Fatalf("got the line %q", line)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Dir(log))
	if err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v", entries, err)
	}
}

// A command line is recognised as a hook of an agent even if its other arguments are wrong.
func TestRecognizeHookByArguments(t *testing.T) {
	for args, want := range map[string]string{
		"hook claude": "claude", "hook": "-", "-q hook codex --x": "codex", "--store dir hook gemini": "gemini",
		"--store=dir --json hook --context qwen": "qwen", "hook --context-text text kimi": "kimi", "-s hook hook cursor": "cursor",
		"hook --nosuch claude": "claude", "--nosuch hook claude": "claude", "-qshook hook claude": "claude",
		"todo add hook": "", "": "", "hooks install claude": "", "--session hook": "", "slash hook": "",
	} {
		a := newApp(strings.Fields(args), nil, io.Discard, io.Discard)
		is := a.line.Command != nil && a.line.Command.Name == "hook"
		if name := (guardedHook{app: a}).agent(); is != (want != "") || is && name != strings.TrimPrefix(want, "-") {
			t.Errorf("%q: got %q, %v", args, name, is)
		}
	}
}

// TestTwoConcurrentConversations lets a second conversation write its list after the first one
// has read who owns the project's list, and before the first one writes its own. Neither list
// is lost.
func TestTwoConcurrentConversations(t *testing.T) {
	hookWorld(t)
	t.Setenv("ONWARD_SESSION", "")
	t.Setenv("ONWARD_STORE", "faulty://test")
	t.Setenv("CI", "") // on a CI machine, the session would not come from the project's origin
	folder := filepath.ToSlash(t.TempDir())
	t.Chdir(folder)
	origin := "[remote \"origin\"]\n\turl = https://example.org/project.git\n"
	if err := errors.Join(os.Mkdir(folder+"/.git", 0o700), os.WriteFile(folder+"/.git/config", []byte(origin), 0o600)); err != nil {
		t.Fatal(err)
	}
	event := func(conversation, text string) string {
		return `{"session_id":"` + conversation + `","cwd":"` + folder + `","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"` + text + `","status":"pending"}]},"tool_response":{}}`
	}
	memory := storetest.NewMemory()
	engine := engineOf(memory)
	second := sync.OnceFunc(func() {
		MainOn(engine, []string{"hook", "claude"}, strings.NewReader(event("second", "another list")), io.Discard, io.Discard)
	})
	first := engineOf(faultyStore{memory, func(writes bool) error {
		if writes {
			second()
		}
		return nil
	}})
	MainOn(first, []string{"hook", "claude"}, strings.NewReader(event("first", "its list")), io.Discard, io.Discard)
	var out bytes.Buffer
	if code := MainOn(engine, []string{"session", "list", "--json"}, strings.NewReader(""), &out, io.Discard); code != cli.ExitOK || strings.Count(out.String(), `"open":1`) != 2 {
		t.Errorf("exit %d: %s", code, out.String())
	}
}
