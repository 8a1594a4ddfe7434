package cmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/render"
)

// prepare reads the flags, and finds the task and the agent's program.
func (r *runner) prepare() error {
	var err error
	if r.night.Machine.MaxWait, err = find.Duration("--max-wait", r.MaxWait, 0); err != nil {
		return err
	}
	if r.night.Machine.MaxOutage, err = find.Duration("--max-outage", r.MaxOutage, 6*time.Hour); err != nil {
		return err
	}
	if r.night.Silence, err = find.Duration("--silence", r.Silence, time.Hour); err != nil {
		return err
	}
	if r.reports, err = (&fileFlags{Output: r.Report}).formatFor(r.a, "", "markdown", "html", "json"); err != nil {
		return err
	}
	for _, file := range []string{r.Report, r.Proof} {
		if file == "" {
			continue
		}
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return fileError("write", file, err)
		}
	}
	if err := r.findProgram(); err != nil {
		return err
	}
	if _, err := r.t.Settings(find.ReadConfig(), r.values(), nil); err != nil { // what is typed wrong is said before what is not installed
		return err
	}
	if err := r.checkPath(); err != nil {
		return err
	}
	if r.night.Task, err = r.readTask(); err != nil {
		return err
	}
	if err = r.findItem(); err != nil {
		return err
	}
	r.night.Task = strings.ToValidUTF8(r.night.Task, "\uFFFD")
	r.night.Machine.Task, r.night.Machine.Item = r.night.Task != "", r.night.Item != nil
	if r.night.Machine.Proof = r.RequireProof; r.RequireProof && r.NoFirstGate {
		return cli.Usagef("--require-proof and --no-first-gate exclude each other: only a gate that failed before the work proves it")
	}
	r.night.Machine.Fresh = r.Fresh || !r.night.Program.Resumes()
	return nil
}

// findProgram finds the program that the run starts.
func (r *runner) findProgram() error {
	var known bool
	if r.Agent == "generic" {
		r.night.Program = agent.Generic(r.words)
		if len(r.words) == 0 {
			return cli.Hinted(cli.Usagef("generic: the program is missing"), "name it after --, as in `onward run generic 'the task' -- my-agent {prompt}`; without {prompt} the prompt is its standard input")
		}
	} else if r.night.Program, known = agents.ProgramOf(r.Agent); !known {
		return cli.Hinted(cli.Usagef("unknown agent %q (one of %s)", r.Agent, strings.Join(programNames(), ", ")),
			r.unknownAgent())
	}
	if r.MaxUSD != nil && *r.MaxUSD != "0" && !r.night.Program.Costs {
		return cli.Hinted(cli.Usagef("--max-usd: %s does not report what it costs", r.Agent), "--max-tokens and --max-duration limit it")
	}
	return nil
}

// checkPath returns an error if the agent's program is not installed.
func (r *runner) checkPath() error {
	if _, err := exec.LookPath(r.night.Program.Command[0]); err != nil && !errors.Is(err, exec.ErrNotFound) {
		return fileError("start", r.night.Program.Command[0], errors.Unwrap(err))
	} else if err != nil {
		hint := "name a program that is on PATH"
		if r.night.Program.Install != "" {
			hint = "to install it: " + r.night.Program.Install
		}
		return cli.Hinted(cli.Failf(cli.ExitNotFound, "find the program %q: it is not on PATH", r.night.Program.Command[0]), hint)
	}
	return nil
}

// programNames lists the names that `onward run` accepts.
func programNames() []string {
	return append(render.Each(agents.Programs(), func(_ int, p *agent.Program) string { return p.Name }), "generic")
}

// maxTask is how long the task may be, in bytes; an argument of a program is never longer than that on Linux.
const maxTask = 100_000

// readTask returns the task; empty if there is none.
func (r *runner) readTask() (string, error) {
	var data []byte
	var err error
	switch {
	case r.File != "" && r.Task != "":
		return "", cli.Usagef("the task and --file exclude each other")
	case r.File != "":
		if data, err = os.ReadFile(r.File); err != nil {
			return "", fileError("read", r.File, err)
		}
	case r.Task == "-":
		if data, err = r.a.readStdin(); err != nil {
			return "", err
		}
	case r.Task == "":
		return "", nil
	default:
		data = []byte(r.Task)
	}
	task := strings.TrimSpace(string(data))
	switch {
	case task == "":
		return "", cli.Failf(cli.ExitData, "the task is empty")
	case len(task) > maxTask:
		return "", cli.Failf(cli.ExitData, "the task has more than %d bytes", maxTask)
	}
	return task, nil
}
