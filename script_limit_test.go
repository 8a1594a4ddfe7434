package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptLimit is how long a script may take, even on a busy machine. The loops in scripts have no limits of their own.
const scriptLimit = 4 * time.Minute

// limitScript kills the processes of a script that takes too long, so that the line that waits fails, and the log is
// printed. Without it, testscript would wait until go test ends everything, because children of a shell keep its output
// open. Without /proc, it reports only that the script hangs.
func limitScript(env *testscript.Env, limit time.Duration) {
	ended := make(chan struct{})
	env.Defer(func() { close(ended) })
	go func() {
		select {
		case <-ended:
			return
		case <-time.After(limit):
		}
		env.T().Log("the script takes longer than", limit, "and is ended; its last line is the one that waits")
		for {
			killAll("WORK=" + env.WorkDir)
			select {
			case <-ended:
				return
			case <-time.After(time.Second): // the next line may hang too
			}
		}
	}()
}

// killAll kills all processes with a variable in their environment.
func killAll(variable string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environments {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, text...), []byte("\x00"+variable+"\x00")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if p, err := os.FindProcess(pid); err == nil && pid != os.Getpid() {
			_ = p.Kill()
		}
	}
}

// TestAScriptThatHangsFails runs a script whose shell is not the only one that waits.
func TestAScriptThatHangsFails(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes cannot be found by their environment here")
	}
	script := filepath.Join(t.TempDir(), "hangs.txtar")
	if err := os.WriteFile(script, []byte("exec sh -c 'echo before; sleep 600 & while :; do sleep 0.05; done'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log scriptLog
	testscript.RunT(&log, testscript.Params{
		Files: []string{script},
		Setup: func(env *testscript.Env) error { limitScript(env, 200*time.Millisecond); return nil },
	})
	for _, want := range []string{"is ended", "before", "FAIL: "} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log.String())
		}
	}
}

// scriptLog records what a script reports to go test. The script and its limit can write to it at the same time.
type scriptLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *scriptLog) Log(args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(&l.text, args...)
}

func (l *scriptLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *scriptLog) Fatal(args ...any)                       { l.Log(args...) }
func (l *scriptLog) Skip(args ...any)                        { l.Log(args...) }
func (l *scriptLog) Run(_ string, script func(testscript.T)) { script(l) }
func (l *scriptLog) FailNow()                                {}
func (l *scriptLog) Parallel()                               {}
func (l *scriptLog) Verbose() bool                           { return false }
