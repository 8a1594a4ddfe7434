package cmd

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/night"
	"onward/internal/render"
)

// prepare reads the flags, and finds the task and the agent's program.
func (r *runner) prepare() error {
	var err error
	if r.night.Machine.MaxWait, err = find.DurationOf("--max-wait", r.MaxWait, 0); err != nil {
		return err
	}
	if r.night.Machine.MaxOutage, err = find.DurationOf("--max-outage", r.MaxOutage, 6*time.Hour); err != nil {
		return err
	}
	if r.night.Silence, err = find.DurationOf("--silence", r.Silence, time.Hour); err != nil {
		return err
	}
	if r.night.Machine.RelayAfter, err = find.DurationOf("--relay-after", r.RelayAfter, 5*time.Minute); err != nil {
		return err
	}
	if r.reports, err = (&fileFlags{Output: r.Report}).formatFor(r.a, "", "markdown", "html", "json"); err != nil {
		return err
	}
	for _, file := range r.ownFiles() {
		if file == "" {
			continue
		}
		if _, _, err := findFileToWrite(file); err != nil {
			return err
		}
	}
	if err := r.findAgents(); err != nil {
		return err
	}
	if _, err := r.t.Settings(find.ReadConfig(), r.givenSettings(), nil); err != nil { // what is typed wrong is said before what is not installed
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
		return cli.Usagef("--require-proof and --no-first-gate cannot be used together: only a gate that failed before the work proves it")
	}
	r.night.Fresh = r.Fresh
	r.night.UseAgent(0)
	return nil
}

// findAgents finds the programs of the agents that the run starts.
func (r *runner) findAgents() error {
	names := strings.Split(r.Agent, ",")
	flags, err := r.flagsOf(names)
	if err != nil {
		return err
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return cli.WithHint(cli.Usagef("%s is there twice: each agent takes over from the others", name), "name each once: "+r.meant(func(c *runCmd) { c.Agent = strings.Join(meantAgents(c.Agent), ",") }))
		}
		is := night.Agent{Name: name, Words: flags[name], TodoToolSwitch: find.TodoToolHint(name), TaughtElsewhere: func() bool { return r.teachesTodos(name) }}
		if is.Program, err = r.programOf(name, is.Words); err != nil {
			return err
		}
		r.night.Relay = append(r.night.Relay, is)
	}
	if r.Item != nil && len(names) > 1 {
		return cli.WithHint(cli.Usagef("--item needs one agent: it gives the item back at a usage limit"), "did you mean "+r.without(func(name string) bool { return name != names[0] })+"?")
	}
	if r.RelayAfter != nil && len(names) == 1 {
		other := programNames()[0]
		if other == names[0] {
			other = programNames()[1]
		}
		return cli.WithHint(cli.Usagef("--relay-after needs several agents, with commas between"), "for example "+r.meant(func(c *runCmd) { c.Agent += "," + other }))
	}
	return nil
}

// flagsOf returns the user's words for each of the agents: those of --with, and for the first one those that follow --.
func (r *runner) flagsOf(names []string) (map[string][]string, error) {
	of := map[string][]string{}
	for _, with := range r.With {
		name, flags, given := strings.Cut(with, "=")
		if !given {
			return nil, cli.WithHint(cli.Usagef("--with: %q is not AGENT=FLAGS", with), "did you mean "+r.meantWith(with, names)+"?")
		}
		if !slices.Contains(names, name) {
			return nil, cli.WithHint(cli.Usagef("--with: %q is not an agent of this run (%s)", name, strings.Join(names, ", ")), "did you mean "+r.meantWith(with, names)+"?")
		}
		words, err := shellquote.Split(flags)
		if err != nil {
			return nil, cli.WithHint(cli.Usagef("--with: the flags of %s cannot be read as words of a shell: %v", name, err), "quote them as in `--with "+name+"='"+exampleFlags(name)+"'`")
		}
		of[name] = append(of[name], words...)
	}
	of[names[0]] = append(of[names[0]], r.words...)
	return of, nil
}

// programOf returns the program of an agent.
func (r *runner) programOf(name string, words []string) (program agent.Program, err error) {
	known := name == "generic"
	switch {
	case known && len(words) == 0 && !strings.HasPrefix(r.Agent, name):
		return program, cli.WithHint(cli.Usagef("generic: the program is missing"), "name it in --with, as in "+r.meant(func(c *runCmd) { c.With = append(c.With, name+"="+exampleFlags(name)) }))
	case known && len(words) == 0:
		return program, cli.WithHint(cli.Usagef("generic: the program is missing"), "name it after --, as in `onward run generic "+shellquote.Join(cmp.Or(r.Task, "the task"))+" -- my-agent {prompt}`; without {prompt} the prompt is its standard input")
	case known:
		program = agent.GenericProgram(words)
	default:
		if program, known = agents.ProgramOf(name); !known {
			return program, cli.WithHint(cli.Usagef("unknown agent %q (one of %s)", name, strings.Join(programNames(), ", ")), r.unknownAgent(name))
		}
	}
	if r.MaxUSD != nil && *r.MaxUSD != "0" && !program.Costs {
		return program, cli.WithHint(cli.Usagef("--max-usd: %s does not report what it costs", name), r.meant(func(c *runCmd) {
			if c.MaxUSD = nil; name == "generic" {
				c.MaxDuration = cmp.Or(c.MaxDuration, new("8h"))
			} else {
				c.MaxTokens = cmp.Or(c.MaxTokens, new("2000000"))
			}
		})+" has a limit that counts")
	}
	return program, nil
}

// checkPath returns an error if the programs of some agents are not installed.
func (r *runner) checkPath() error {
	var missing, programs, installs []string
	for _, is := range r.night.Relay {
		program := is.Program.Command[0]
		_, err := exec.LookPath(program)
		switch {
		case err == nil:
			continue
		case !errors.Is(err, exec.ErrNotFound):
			return fileError("start", program, errors.Unwrap(err))
		}
		missing, programs = append(missing, is.Name), append(programs, strconv.Quote(program))
		if is.Program.Install != "" {
			installs = append(installs, is.Program.Install)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	hint := "name a program that is on PATH"
	if len(installs) > 0 {
		hint = "to install it: " + strings.Join(installs, " && ")
	}
	if len(missing) < len(r.night.Relay) {
		hint += "; or without it: " + r.without(func(name string) bool { return slices.Contains(missing, name) })
	}
	return cli.WithHint(cli.Failf(cli.ExitNotFound, "find the program %s: it is not on PATH", strings.Join(programs, " and ")), hint)
}

// programNames lists the names that `onward run` accepts.
func programNames() []string {
	return append(render.Map(agents.Programs(), func(_ int, p *agent.Program) string { return p.Name }), "generic")
}

// maxTask is how long the task may be, in bytes; an argument of a program is never longer than that on Linux.
const maxTask = 100_000

// readTask returns the task; empty if there is none.
func (r *runner) readTask() (string, error) {
	var data []byte
	var err error
	switch {
	case r.File != "" && r.Task != "":
		return "", cli.Usagef("the task and --file cannot be used together")
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
		if is, err := os.Stat(r.Task); err == nil && is.Mode().IsRegular() && !strings.Contains(r.Task, " ") {
			return "", cli.WithHint(cli.Usagef("the task is the name of a file: %s", r.Task),
				"did you mean "+r.meant(func(c *runCmd) { c.File, c.Task = c.Task, "" })+"?")
		}
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
