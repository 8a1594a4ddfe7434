package system

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/ingest"
	"onward/internal/night"
	"onward/internal/process"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/supervise"
)

// Programs starts the program of a run's agent.
type Programs struct {
	Finder   *find.Finder
	List     *find.List
	Night    *night.Runner
	Keep     string // the argument with which this program keeps another one
	Log      *Log
	LogError func(error) error // adds the name of the log's file
}

// Start starts the agent's program below a keeper.
func (p Programs) Start(act run.Action, conversation, prompt string) (night.Process, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find onward: %w", err)
	}
	n := p.Night
	words := n.Words
	if act.Begins != "" {
		words = slices.Concat(words, n.Program.Begins, []string{act.Begins})
	}
	argv, input := n.Program.TurnArgs(words, conversation, prompt)
	env := p.environment()
	g := &program{programs: p, input: input, problems: &ending{}, printed: &ending{}, heard: make(listener, 1)}
	complains := io.MultiWriter(g.problems, p.Log)
	if n.Program.Waits == "" { // else it is a log, which may grow for as long as the agent gets no answer
		complains = io.MultiWriter(complains, g.heard)
	}
	g.KeeperProgram, err = supervise.StartKept([]string{own, p.Keep}, argv, env, complains,
		func() { supervise.EndMarked(supervise.RunVariable, n.Mark) })
	if err != nil {
		return nil, cli.Failf(cli.ExitIO, "start the agent: %v", err)
	}
	return g, nil
}

// environment returns the variables of the agent's program.
func (p Programs) environment() []string {
	n, t := p.Night, p.List
	env := append(os.Environ(), "ONWARD_SESSION="+t.Name.Session, "ONWARD_RUN="+n.Mark)
	if p.Finder.Store != nil {
		env = append(env, "ONWARD_STORE="+t.Storage.Address.Text)
	}
	if n.Item != nil {
		env = append(env, "ONWARD_WORKER="+n.Item.Worker.Name, supervise.ItemVariable+"="+n.Item.Label)
	}
	if t.Name.Agent != "" {
		env = append(env, "ONWARD_AGENT="+t.Name.Agent)
	}
	if text, set := find.FlagOrVariable(p.Finder.Now, "ONWARD_NOW"); set {
		env = append(env, "ONWARD_NOW="+text)
	}
	return append(env, n.Program.Env...)
}

// How long an agent's program may take to say what sub-agents have used, of which a busy machine takes much to start it, and how much it
// may print.
const (
	subAgentsLimit = 15 * time.Second
	maxSubAgents   = 1 << 20
)

// SubAgentUsage asks the agent's program what the sub-agents of a conversation have used in all its turns.
func (p Programs) SubAgentUsage(conversation string) (total continuation.Usage, err error) {
	a := &p.Night.Program
	argv := a.AskSubAgents(conversation)
	if argv == nil {
		return total, fmt.Errorf("%s cannot be asked about conversation %q", a.Name, conversation)
	}
	printed, err := supervise.Output(argv, p.environment(), subAgentsLimit, maxSubAgents)
	if err != nil {
		return total, err
	}
	return a.SubAgents.Read([]byte(printed), conversation)
}

// How long the keeper of a run that was cut off may take to end its agent.
const (
	keeperLimit = 10 * time.Second
	keeperLook  = 20 * time.Millisecond
)

// WaitForEnd waits until no process of a run that was cut off is at work any more, and reports whether that is so.
func (p Programs) WaitForEnd(before *session.Run) bool {
	for began := time.Now(); before.Keeper != nil && process.Lookup(before.Keeper.PID).Is(before.Keeper); time.Sleep(keeperLook) {
		if time.Since(began) > keeperLimit {
			return false
		}
	}
	return supervise.EndMarked(supervise.RunVariable, before.Mark)
}

// program is the program of the agent in one turn.
type program struct {
	*supervise.KeeperProgram
	programs Programs
	input    string
	problems *ending
	printed  *ending // of the output, if it is not a stream
	heard    listener
}

func (p *program) Keeper() *session.Process { return process.Lookup(p.PID()) }

func (p *program) Begin() { p.KeeperProgram.Begin(p.input) }

func (p *program) Output(idle func() error, leave <-chan struct{}) io.Reader {
	heard := io.TeeReader(io.TeeReader(p.KeeperProgram.Output, p.programs.Log), p.heard)
	if !p.programs.Night.Program.ShowsCalls() {
		heard = io.TeeReader(heard, p.printed)
	}
	return ingest.NewFeed(&whole{heard, func() { p.Wait() }}, idle, leave)
}

func (p *program) Problems() string { return p.problems.String() }
func (p *program) Printed() string  { return p.printed.String() }

func (p *program) Complaint(within time.Duration) string {
	if at, line := p.problems.last(); time.Since(at) <= within {
		return line
	}
	return ""
}

func (p *program) OnSilence(limit time.Duration, do func(time.Duration) bool) (stop func()) {
	over := make(chan struct{})
	go p.heard.silence(limit, over, do)
	return func() { close(over) }
}

func (p *program) Abandon() {
	p.Kill()
	_, _ = io.Copy(io.Discard, p.KeeperProgram.Output)
}

func (p *program) Lost() error {
	if lost := p.programs.Log.lost(); lost != nil {
		return p.programs.LogError(lost)
	}
	return nil
}
