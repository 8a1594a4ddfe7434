//go:build unix

package realagents

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is onward, built for the tests.
var program string

// server is onward-mcp; empty where it cannot be built, for the reason beside it.
var server, noServer string

// companion is the module of onward-mcp.
const companion = "../../companion/onward-mcp"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "onward-tap" {
		os.Exit(tap())
	}
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if programs, noPrograms = install(); programs == "" {
		return certified(m.Run())
	}
	if noInspector = "only one program is installed"; *only == "" {
		installInspector()
	}
	// What the server is made of has to be there before the network goes.
	if out, err := exec.Command("go", "-C", companion, "mod", "download").CombinedOutput(); err != nil {
		noServer = fmt.Sprintf("go mod download: %v %s", err, out)
	}
	if code, ok := isolate(); ok {
		return code
	}
	dir, err := os.MkdirTemp("", "onward-real-agents-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "onward")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	if noServer == "" {
		server = filepath.Join(dir, "onward-mcp")
		if out, err := exec.Command("go", "-C", companion, "build", "-o", server, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
	}
	return certified(m.Run())
}

// eachAlone runs a test that installs no hooks with every agent.
func eachAlone(t *testing.T, test func(*testing.T, agent)) {
	everyAgent(t, func(t *testing.T, a agent) {
		if a.alone != nil {
			a.write = a.alone
		}
		test(t, a)
	})
}

// each runs a test with every agent that a hook can continue.
func each(t *testing.T, test func(*testing.T, agent)) {
	everyAgent(t, func(t *testing.T, a agent) {
		if a.hookless {
			skip(t, "none of its hooks can send it back to work")
		}
		test(t, a)
	})
}

// everyAgent runs a test with every agent, or skips it with the reason why there are none.
func everyAgent(t *testing.T, test func(*testing.T, agent)) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	for _, a := range agents() {
		t.Run(a.name, func(t *testing.T) {
			if _, err := a.program(); err != nil {
				t.Skip(err)
			}
			t.Parallel()
			t.Cleanup(func() { note(t, a) })
			test(t, a)
		})
	}
}

// eachOften is each for agents that are continued as often as the list needs it.
func eachOften(t *testing.T, test func(*testing.T, agent)) {
	each(t, func(t *testing.T, a agent) {
		if a.once {
			skip(t, "its hooks can send it back only once for each prompt")
		}
		test(t, a)
	})
}

// place is an empty home with a project in it.
type place struct {
	t    *testing.T
	home string
	dir  string
	path string // the folder that is first on PATH
}

func newPlace(t *testing.T) place {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{t: t, home: home, dir: filepath.Join(home, "project"), path: filepath.Join(home, "bin")}
	for _, dir := range []string{p.dir, p.path, filepath.Join(home, "taps"), filepath.Join(home, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build(t, p.path)
	t.Cleanup(func() { killBelow(home, "") }) // Cline leaves a daemon
	return p
}

// env is all that a program sees of this machine.
func (p place) env() []string {
	return []string{
		"HOME=" + p.home, "PATH=" + p.path + ":" + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(p.home, "tmp"),
		"LC_ALL=C.UTF-8", "TERM=dumb",
	}
}

// command makes a command of an agent in the project, in a process group of its own that ends with it.
func (p place) command(ctx context.Context, a agent, m *model, args ...string) *exec.Cmd {
	p.t.Helper()
	program, err := a.program()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program[0], append(program[1:], args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(p.env(), a.env(m)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// patience is how long an agent may take until it ends on its own.
const patience = 3 * time.Minute

// work sends an agent a prompt and waits until it ends on its own.
func (p place) work(a agent, m *model, prompt string) string {
	p.t.Helper()
	if a.serve != nil {
		return a.serve(p, m, prompt)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := p.command(ctx, a, m, a.args(m, prompt)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.t.Fatalf("%s did not end by itself:\n%s\n%s", a.name, tail(out.String()), story(p.taps()))
	}
	if err != nil {
		p.t.Fatalf("%s: %v\n%s\n%s", a.name, err, tail(out.String()), story(p.taps()))
	}
	return out.String()
}

// interrupt sends an agent a prompt, and interrupts it, as a user does, as soon as its model lets it wait.
func (p place) interrupt(a agent, m *model, prompt string) string {
	return p.signal(a, m, prompt, syscall.SIGINT)
}

// signal sends an agent a prompt, and sends it a signal as soon as its model lets it wait.
func (p place) signal(a agent, m *model, prompt string, signal syscall.Signal) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := p.command(ctx, a, m, a.args(m, prompt)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-m.hung:
	case <-ctx.Done():
		p.t.Fatalf("%s never asked:\n%s", a.name, tail(out.String()))
	}
	// As Ctrl-C does: some programs start themselves a second time.
	if err := syscall.Kill(-cmd.Process.Pid, signal); err != nil {
		p.t.Fatal(err)
	}
	cmd.Wait()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.t.Fatalf("%s did not end:\n%s\n%s", a.name, tail(out.String()), story(p.taps()))
	}
	return out.String()
}

// tail returns the end of a long text.
func tail(text string) string {
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-15):]
	for i, l := range lines {
		lines[i] = l[:min(len(l), 600)]
	}
	return strings.Join(lines, "\n")
}
