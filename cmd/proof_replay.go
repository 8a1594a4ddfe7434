package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/output"
	"onward/internal/process"
	"onward/internal/render"
	"onward/internal/replay"
	"onward/internal/session"
	"onward/internal/tree"
)

// replayLimit is how long a command of a replay may run, as long as a gate may without a setting.
const replayLimit = 10 * time.Minute

type proofReplayCmd struct {
	Base        string  `required:"" placeholder:"REV" help:"The commit before the change, such as origin/main; if it is not an ancestor of the current commit, their last common commit."`
	Gate        string  `required:"" placeholder:"CMD" help:"The command that must fail without the change, and pass with it."`
	Setup       string  `placeholder:"CMD" help:"A command that prepares each checkout for the gate, such as npm ci."`
	CheckFiles  string  `placeholder:"PATHSPECS" complete:"file" help:"Further files that are checks, as git pathspecs, separated by commas."`
	GateTimeout *string `placeholder:"D" help:"How long the gate, or the set-up, may run; default 10m."`
}

// Run proves a change again, in two worktrees that it removes. It ends with 1 if the proof does not hold.
func (c *proofReplayCmd) Run(a *app) error {
	limit, err := find.DurationOf("--gate-timeout", c.GateTimeout, replayLimit)
	if err != nil {
		return err
	}
	if limit <= 0 {
		return cli.Usagef("--gate-timeout must be more than 0s")
	}
	if strings.TrimSpace(c.Gate) == "" {
		return cli.Usagef("--gate must be a command")
	}
	if err := c.mayRun(a); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the current folder: %w", err)
	}
	signals := process.Interrupts() // which end the commands that the user chose; git's are short, and end in order
	defer signal.Stop(signals)
	answer, commits, err := c.replay(a, dir, limit, signals)
	if commits != nil {
		if failed := commits.RemoveWorktrees(); failed != nil {
			return failed // also after an interrupt: what is left takes space, and git knows it
		}
	}
	var setup *replay.SetupError
	switch {
	case len(signals) > 0:
		return cli.ExitCode(cli.ExitInterrupted)
	case errors.As(err, &setup):
		if !a.JSON {
			a.out.Flush()
			io.WriteString(a.err, gateOutput(setup.Gate))
		}
		return setupFailed(err, c.Setup)
	case err != nil:
		return err
	}
	if a.JSON {
		a.writeJSON(output.ReplayJSON(answer, c.Base, commits.Uncommitted))
	} else {
		a.print(answer.Text() + "\n")
		a.out.Flush()
		for _, result := range []*replay.Result{answer.With, answer.Without} {
			if result != nil && (!result.Gate.Passed() || result == answer.Without) {
				io.WriteString(a.err, gateOutput(result.Gate))
			}
		}
	}
	if !answer.Holds() {
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}

// setupFailed is the error of a set-up that failed.
func setupFailed(err error, command string) error {
	return cli.WithHint(cli.Failf(cli.ExitSetupFailed, "%w: %s", err, command), "the gate was not run; if the set-up needs other files than the changed checks, name them with --check-files")
}

// mayRun refuses a command that an agent chose.
func (c *proofReplayCmd) mayRun(a *app) error {
	if isPerson() {
		return nil
	}
	if may, err := gate.AgentMayReplay(c.Gate, c.Setup, a.load); may || err != nil {
		return err
	}
	return find.RequirePerson("choose what a replay runs", "`onward get gate` shows the gate that is set, which you may replay without --setup")
}

// replay finds the commits and answers the question. The caller removes the worktrees.
func (c *proofReplayCmd) replay(a *app, dir string, limit time.Duration, signals <-chan os.Signal) (*replay.Answer, *tree.Commits, error) {
	ctx := context.Background()
	commits, err := tree.ReadCommits(ctx, dir, c.Base)
	if err != nil {
		return nil, nil, err
	}
	environment, err := tree.CallersEnvironment(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	checks, err := commits.FindChecks(c.Gate, continuation.Pathspecs(c.CheckFiles)...)
	if err != nil {
		return nil, nil, err
	}
	note := a.printNote
	if a.JSON {
		note = func(string) {} // the document has it, and an error is one too
	}
	if commits.Merged {
		note(c.Base + " is not before the present commit; replaying from " + replay.ShortCommit(commits.Base) + ", the last that both have")
	}
	if commits.Uncommitted {
		note("uncommitted changes are left out: the commit " + replay.ShortCommit(commits.Now) + " is replayed, not the working tree")
	}
	if len(commits.Filters) > 0 {
		note("filters that only .git/config defines are not run: " + strings.Join(commits.Filters, ", "))
	}
	own := gate.NewReplayFolder()
	if err := commits.SetFolder(own); err != nil {
		return nil, commits, err
	}
	g := gate.WorktreeRunner{Folder: own, Timeout: limit, Env: environment, Gone: gate.AgentGone(), Signals: signals}
	answer, err := replay.Question{Gate: c.Gate, Setup: c.Setup, Now: commits.Now, Base: commits.Base, Checks: checks}.Run(replay.Ports{
		Make: commits.AddWorktree, Put: commits.PutChecks, Run: g.Run, Tell: note,
	})
	return answer, commits, err
}

// gateOutput is the end of a gate's output, indented.
func gateOutput(p *session.GateResult) string { return render.Output(p.Output, 2) }
