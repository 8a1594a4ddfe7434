package night

import (
	"slices"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Agent is one of several that a run keeps going.
type Agent struct {
	Name            string // as the user gave it
	Program         agent.Program
	Words           []string    // of the user, for the program
	TodoToolSwitch  string      // how its own todo tool is switched on, unless it is known to be
	TaughtElsewhere func() bool // whether its model is told elsewhere how to keep the list
}

// RightsText says with which flags the agent works.
func (a *Agent) RightsText() string {
	if len(a.Words) == 0 {
		return "without flags, so its own settings decide what it may do"
	}
	return "with " + shellquote.Join(a.Words...)
}

// hasSeveralAgents reports whether the run has more than one agent.
func (r *Runner) hasSeveralAgents() bool { return len(r.Relay) > 1 }

// UseAgent makes an agent of the relay the one that goes on.
func (r *Runner) UseAgent(at int) {
	is := &r.Relay[at]
	r.Agent, r.Program, r.Words, r.TodoToolSwitch, r.TaughtElsewhere = is.Name, is.Program, is.Words, is.TodoToolSwitch, is.TaughtElsewhere
	r.Machine.Fresh = r.Fresh || !r.Program.Resumes()
}

// UseLastAgent goes on with the agent that was at work in an earlier process or run, if it is still one of the run's.
func (r *Runner) UseLastAgent(earlier *session.Run) {
	if at := slices.IndexFunc(r.Relay, func(a Agent) bool { return a.Name == earlier.Agent }); at >= 0 {
		r.UseAgent(at)
	}
}

// setMachineRelay makes the machine know the agents, and which of them were at a limit when an earlier process or run ended.
func (r *Runner) setMachineRelay(earlier *session.Run) {
	if !r.hasSeveralAgents() {
		return
	}
	m := &run.Relay{Switches: r.record.Switches}
	for i, is := range r.Relay {
		of := r.record.AgentRecord(is.Name)
		if earlier != nil {
			of.Until = earlier.AgentRecord(is.Name).Until
		}
		if m.Agents, m.Until = append(m.Agents, is.Name), append(m.Until, of.Until); is.Name == r.Agent {
			m.At = i
		}
	}
	r.Machine.Relay = m
}

// recordRelay keeps what the machine has decided about the agents.
func (r *Runner) recordRelay() {
	if m := r.Machine.Relay; m != nil {
		r.record.Switches = m.Switches
		for i, until := range m.Until {
			r.record.AgentRecord(m.Agents[i]).Until = until
		}
	}
}

// switchAgent goes on with another agent.
func (r *Runner) switchAgent(act run.Action) {
	from, until := r.Agent, r.at+todo.Time(act.For.Milliseconds())
	r.UseAgent(r.Machine.Relay.At)
	r.mute = false
	r.record.SwitchAgent(r.Agent)
	r.passing, r.hinted, r.toldDenied = &session.Event{Type: session.Relayed, From: from, Worker: r.Agent, Text: act.Message}, false, false
	r.tell(Event{Type: "relay", Turn: r.record.Turns, Agent: r.Agent, Reason: act.Reason, Until: until.String(), Message: act.Message},
		from+": "+act.Message+"; "+r.Agent+" goes on")
}

// recordSwitch records that another agent goes on. The record of the run is first, so that one who resumes a run that is cut off between
// the two knows whose failure the list has.
func (r *Runner) recordSwitch() error {
	if r.passing == nil {
		return nil
	}
	err := r.save()
	if err == nil {
		err = r.Store.Update(PassedOn, r.at, func(doc *session.Document) (session.Change, error) {
			if !continuation.ForgetHostFailure(doc) {
				return session.Change{}, nil
			}
			return session.Change{What: r.Agent + " goes on", By: "cli", Events: []session.Event{*r.passing}}, nil
		})
	}
	if err == nil {
		r.passing = nil
	}
	return err
}

// reportsCost reports whether an agent of the run tells what it costs.
func (r *Runner) reportsCost() bool {
	return r.Program.Costs || slices.ContainsFunc(r.Relay, func(a Agent) bool { return a.Program.Costs })
}

// tellAgents tells the user at the start of a relay with which flags each agent works, and what budgets do not count.
func (r *Runner) tellAgents(set continuation.Settings) {
	for _, is := range r.Relay {
		r.Tell.Note(is.Name + " is started " + is.RightsText())
	}
	all := !slices.ContainsFunc(r.Relay, func(a Agent) bool { return !a.Program.Costs })
	var told []string
	note := func(text string) {
		if text != "" && !slices.Contains(told, text) {
			told = append(told, text)
			r.Tell.Note(text)
		}
	}
	for _, is := range r.Relay {
		p := is.Program
		if set.MaxUSD > 0 && !p.Costs {
			note(is.Name + " does not report its cost, so --max-usd does not count it")
		}
		p.Costs = p.Costs && all
		note(budgetNote(&p, set))
	}
}
