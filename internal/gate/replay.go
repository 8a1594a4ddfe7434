package gate

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/tree"
)

// WorktreeRunner runs the commands of a replay in its worktrees.
type WorktreeRunner struct {
	Folder  string // of the replay, as NewReplayFolder names it
	Timeout time.Duration
	Env     []string
	Gone    func() bool // reports whether the agent that asks has ended; nil if that is not known
	Signals <-chan os.Signal
}

// Run runs a command in a folder, and returns how long it took. A signal that came before ends it at once.
func (r WorktreeRunner) Run(command, dir string) (*session.GateResult, time.Duration, error) {
	if len(r.Signals) > 0 {
		return nil, 0, cli.ExitCode(cli.ExitInterrupted)
	}
	began := time.Now()
	res, err := supervise.Gate{Command: command, Dir: dir, Timeout: r.Timeout, Env: r.Env, Gone: r.Gone, Began: func(run supervise.GateRun) {
		_ = os.WriteFile(filepath.Join(r.Folder, markFile), []byte(run.Mark), 0o600) // without it, they are not ended
	}}.Run(r.Signals)
	if errors.Is(err, supervise.ErrInterrupted) {
		return nil, 0, cli.ExitCode(cli.ExitInterrupted)
	}
	is := &session.GateResult{Command: command, Problem: res.Problem, Output: continuation.PlainTail(res.Output)}
	if res.Problem == "" {
		is.Code = res.Code
	}
	return is, time.Since(began), err
}

// markFile is next to the worktrees of a replay, and has the mark of the processes of the command that runs in one.
const markFile = "mark"

// replayFolder has a folder for each replay.
func replayFolder() string { return filepath.Join(xdg.CacheHome, "onward", "replay") }

// AgentMayReplay reports whether an agent may choose what a replay runs: only the gate that is set here, which it can run by other
// commands too. The list is loaded only if it matters.
func AgentMayReplay(command, setup string, load func() (find.List, *session.Document, error)) (bool, error) {
	if setup != "" || supervise.InGate() {
		return false, nil
	}
	t, doc, err := load()
	if err != nil {
		return false, err
	}
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return false, err
	}
	untrusted, err := (&Runner{List: t}).CheckTrusted(set)
	return command == set.Gate && untrusted == "" && set.GateFrom != continuation.FromEnvironment, err
}

// NewReplayFolder removes what replays left that were killed, with the processes of their commands. It returns the path for a new
// one, which is named by this process, so that another one can tell whether it still runs.
func NewReplayFolder() string {
	folder := replayFolder()
	tree.RemoveStaleWorktrees(folder, func(name string) bool {
		runs := isReplaying(name)
		if mark, err := os.ReadFile(filepath.Join(folder, name, markFile)); err == nil && !runs {
			supervise.EndMarked(supervise.InGateVariable, string(mark))
		}
		return runs
	})
	return filepath.Join(folder, process.BootID()+"_"+process.NewMark())
}

// maxReplay is the age from which a folder counts as left by a killed replay, if nothing tells whether its replay still runs: it is of
// another machine with the same home, or of an earlier start of this one.
const maxReplay = 48 * time.Hour

// isReplaying reports whether the replay may still run that a folder is named by.
func isReplaying(name string) bool {
	boot, mark, _ := strings.Cut(name, "_")
	if boot == "" || boot != process.BootID() {
		info, err := os.Stat(filepath.Join(replayFolder(), name))
		return err == nil && time.Since(info.ModTime()) < maxReplay
	}
	id, _, _ := strings.Cut(mark, ".")
	pid, err := strconv.Atoi(id)
	if err != nil {
		return false
	}
	start, there := process.StartTime(pid)
	return there && strings.HasPrefix(mark, id+"."+start+".")
}
