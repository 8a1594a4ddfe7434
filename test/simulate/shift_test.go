package simulate

import (
	"math"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
)

// shift is what the referee knows of the runs of `onward run` with one agent. A run that was cut off is resumed until it ends.
type shift struct {
	*world
	agent       *agent
	night       *actor // the actor that starts the runs
	rules       run.Rules
	goes        bool  // a run has started and has not ended
	on          bool  // a process of the run is alive
	interrupted bool  // the user has interrupted it
	keeper      int   // the process that keeps the agent's program
	unsure      bool  // the session was deleted, and with it the cost of a turn
	once        bool  // no other run follows the first one
	knew        bool  // the user had stopped the agent before the run last asked
	turns       int   // turns that were started
	sure        int   // turns that are recorded
	handed      int   // new conversations in a row without progress
	did         bool  // the agent has ever called a tool, or written a list
	wrote       bool  // the agent has written a list since the run began
	startWork   int   // the changes of the checkout before the first turn on the task
	startList   int   // how often a list was written before
	anewTask    bool  // the run does not continue another one
	continues   bool  // the next one does
	refused     bool  // the host refused the last turn, for something in the conversation that it resumed
	limits      int   // turns in a row that the host refused because of a limit
	free        int   // turns in a row without a continuation that was counted
	anew        int   // of free, those that were lost with their conversation or with their run
	tokens      int64 // tokens that were spent
	usd         float64
	owed        string // the conversation that the next turn of a run that was taken up resumes; empty if none
	outcomes    []run.Outcome
	ended       time.Duration // when the last run was over
	pickedUp    bool          // somebody has started a run that was cut off again, which may try one turn whatever has failed
	relay       *relay        // nil where the run has one agent
	changed     func()        // tells the run that reads a turn of a change that may end it; nil between turns
	hasty       bool          // its user has stopped a turn, and lets the next run go on
	mayEnd      time.Duration // when the user has stopped the turn at work; 0 if that has not happened
}

// stopStream is the stream of the throws for `onward stop --now`, apart from all others.
const stopStream = 1 << 20

// patienceAfterStop is the longest time that a turn goes on after `onward stop --now`.
const patienceAfterStop = time.Minute

// stopsNow runs `onward stop --now` while the run reads a turn. The run sees the change, and its turn must end soon; where the
// store fails, it may not.
func (s *shift) stopsNow() {
	s.count("user", "stop --now")
	s.say("user", "runs `onward stop --now`")
	err := s.night.event(s.agent.list, continuation.Event{Type: continuation.Stop, Now: true}, stops)
	s.hasty = true
	if err == nil && s.trouble == 0 && s.mayEnd == 0 {
		s.mayEnd = s.at
	}
	if s.changed != nil {
		s.changed()
	}
}

// turnEnds checks that a turn has not gone on after its user has stopped it.
func (s *shift) turnEnds() {
	if s.mayEnd != 0 {
		s.count("run", "is stopped within a turn")
	}
	if s.mayEnd != 0 && s.at-s.mayEnd > patienceAfterStop {
		s.breaks(5, "the turn goes on for %v after `onward stop --now`", s.at-s.mayEnd)
	}
	s.mayEnd = 0
}

// beginsRun resets the counters at the start of a run: earlier spending does not count.
func (s *shift) beginsRun() {
	s.goes, s.turns, s.sure, s.free, s.anew, s.tokens, s.usd = true, 0, 0, 0, 0, 0, 0
	s.handed, s.limits, s.unsure, s.owed = 0, 0, false, ""
	if s.anewTask = !s.continues; s.anewTask {
		s.wrote, s.startWork, s.startList = false, s.in(s.agent.place.Dir).work, s.of(s.agent.list.String()).written
	}
	s.relay.begins(s.anewTask)
	s.continues = false
}

// spends adds the cost of a turn. It rounds to a millionth of a dollar, because a sum of floating-point numbers can be
// just below a budget that is used up.
func (s *shift) spends(tokens int64, usd float64) {
	s.tokens, s.usd = s.tokens+tokens, math.Round((s.usd+usd)*1e6)/1e6
}

// spending returns what was spent since the start of the run, if that is certain.
func (s *shift) spending() spending {
	if s.unsure {
		return spending{}
	}
	return spending{&s.usd, &s.tokens}
}

// takenUp compares the record of a run that is resumed with what the process before has done.
func (s *shift) takenUp(before *session.Run) {
	if before.Turns < s.sure || before.Turns > s.turns {
		s.breaks(6, "%d turns were started, and the run that is taken up counts %d", s.turns, before.Turns)
	}
	s.takesUp(before)
	s.goes, s.turns, s.handed, s.limits, s.pickedUp = true, before.Turns, 0, 0, true
	if s.owed = before.Conversation; s.rules.Fresh {
		s.owed = ""
	}
	s.anew++
}

// The most turns in a row without a continuation that is counted: the task, the requests for a list and for a check, 52 limits of the host,
// the retries of six hours, the failures of the program, and new conversations. After a lost conversation or run,
// the retries start at 5 seconds again, which makes 7 more of them until they are 10 minutes apart.
const (
	mostFree = 4 + 52 + 45 + 10 + 12
	perAnew  = 2 + 7
)

// startsTurn checks that the run may start a turn.
func (s *shift) startsTurn(r *runner, act run.Action) {
	s.turns++
	t := &s.of(r.name.String()).truth
	s.count("run", "starts a turn: "+act.Text.String())
	s.say("run", "turn %d: %s", s.turns, act.Words(run.Plain))
	if s.free++; act.Text == run.Prompt {
		s.free, s.anew = 0, 0
	}
	sets := r.inForce(r.name.String())
	switch {
	case t.failing != 0 && s.at-t.failing > 7*time.Hour && !r.jumped && !s.pickedUp:
		s.breaks(10, "for %v the servers and the program have failed, and one more turn is started", s.at-t.failing)
	case s.limits > 52:
		s.breaks(10, "the host has limited %d turns in a row, and one more is started", s.limits)
	case s.free > mostFree+perAnew*s.anew:
		s.breaks(2, "%d turns in a row that nothing counts", s.free)
	case t.stopped && s.knew:
		s.breaks(5, "a turn is started, though the user has stopped the agent")
	case r.clock() < t.limited && !r.jumped:
		s.breaks(7, "a turn is started %v before the host takes requests again", r.clock().Since(t.limited))
	case s.turns > 1 && len(sets) > 0 && all(sets, s.spending().over):
		s.breaks(7, "a turn is started, though the budget is used up")
	}
}

// follows counts the end of a turn.
func (s *shift) follows(act run.Action, is run.EndedTurn) {
	s.pickedUp = false // a turn whose end the store did not take is tried again
	s.refused = act.Resume && is.Failed && is.Class == continuation.ErrorInvalidRequest
	if !is.Failed && is.Worked {
		s.handed = 0
	}
	if s.limits++; is.Class != continuation.ErrorRateLimit {
		s.limits = 0
	}
}

// proven checks that the end of a run agrees with the last answer.
func (s *shift) proven(r *runner, is run.Outcome, reason string) {
	if is == run.Done && r.last.Decision.Outcome != continuation.Finished {
		s.breaks(4, "the run ends as done, and the last answer is %s", r.last.Decision.Reason)
	}
	of := s.of(r.name.String())
	fails := func(p proof) bool { return !p.passed }
	if is == run.Done && !s.did && !of.listed && !slices.ContainsFunc(of.proofs, fails) {
		s.breaks(4, "the run ends as done, and nothing was done, no list was written, and the gate passed before")
	}
	if is == run.Failed && reason == "host_error" && s.refused && s.handed < 3 {
		s.breaks(3, "the run ends, though a new conversation might go on")
	}
}

// ends records that a run is over.
func (s *shift) ends(o run.Outcome) {
	s.goes, s.interrupted = false, false
	s.outcomes, s.ended = append(s.outcomes, o), s.at
}

// abandon runs after the end of a process of `onward run`: the keeper ends the agent if it is still working.
func (s *shift) abandon(a *actor) {
	g, j := s.agent, s.agent.job
	if j == nil {
		delete(s.alive, s.keeper)             // the keeper ends too, as it has no agent
		s.of(g.list.String()).running = false // the program has ended, though the last that was read of it may be a beginning
		return
	}
	j.reader = nil
	s.spawn("keeper", func(k *actor) {
		k.pass(500 * time.Millisecond)
		if g.job == j {
			g.strike()
		}
		k.sleep(never)
	}).due = a.at
}

// shift returns the state for the runs of an agent.
func (w *world) shift(g *agent, rules run.Rules) *shift {
	g.shift = &shift{world: w, agent: g, rules: rules}
	w.shifts = append(w.shifts, g.shift)
	return g.shift
}

// begins adds the actor that starts `onward run`, and starts it again after it was cut off.
func (s *shift) begins() {
	s.night = s.spawn("run", func(a *actor) {
		a.pass(time.Second)
		for {
			for !a.onwardRun(s) {
				a.pass([]time.Duration{30 * time.Second, 100 * time.Millisecond}[a.choice(2, 1)])
			}
			if s.hasty {
				s.hasty = false
				user{a}.resumes(s.agent)
			}
			if s.once || a.at > night || a.choice(1, 1) == 0 {
				a.sleep(never)
			}
			a.pass(time.Hour) // time until the user starts the next run
		}
	})
}

// isKept lets `onward run` keep an agent going.
func (g *agent) isKept() {
	k := &kept{plain: g.choice(6, 1) == 1, forgets: []int{0, 2, 10}[g.choice(6, 1, 1)], aside: g.choice(1, 1) == 1, breaks: g.choice(4, 1) == 1}
	g.program, g.wakes = k, false
	if g.choice(9, 1) == 1 { // every turn of this agent fails
		g.honesty, g.usual = 0, []int{limitedUntil, overflows, crashes, serverFails}[g.upTo(4)]
	}
	s := g.world.shift(g, run.Rules{Task: true, MaxOutage: 6 * time.Hour})
	s.begins()
	if s.night.choice(1, 1) == 1 {
		s.spawn("killer", s.killer)
	}
	s.rules.Proof = s.night.choice(1, 1) == 1
	s.rules.Fresh = s.night.choice(5, 1) == 1 || k.plain
	if s.night.choice(2, 1) == 1 {
		s.rules.MaxWait = time.Hour
	}
	if more := g.choose(1, 1, 1, 1); more > 0 {
		if s.relays(1 + more); g.choose(1, 1, 3) == 1 { // its hosts have limits again and again
			g.honesty, g.usual = g.roll(1, 8), limitedUntil
		}
	}
	g.count("program", "is kept")
}

// kills kills a process of `onward run`.
func (s *shift) kills() {
	if s.on {
		s.night.struck = true
		s.night.wake()
	}
}

// reboots ends all processes at the same time.
func (s *shift) reboots() {
	s.kills()
	s.agent.strike()
}

// interrupts lets the user press Ctrl-C.
func (u user) interrupts(s *shift) {
	if !s.on {
		return
	}
	u.count("user", "interrupts a run")
	u.say("user", "presses Ctrl-C")
	s.interrupted = true
	s.agent.strike()
	s.night.wake()
}

// leastTotal returns the lowest max-total that may have been in force.
func (c *command) leastTotal(sets []continuation.Settings) int {
	least := sets[0].MaxTotal
	for _, set := range sets {
		least = min(least, set.MaxTotal)
	}
	return least
}

// killer kills the processes of a run at random moments.
func (s *shift) killer(a *actor) {
	for a.at < night {
		a.pass([]time.Duration{time.Hour, 5 * time.Minute, 10 * time.Second}[a.choice(2, 1, 1)])
		switch a.choice(2, 2, 1) {
		case 1:
			a.count("run", "is killed")
			a.say("machine", "kills onward's process")
			s.kills()
		case 2:
			a.say("machine", "kills the agent's process")
			s.agent.strike()
		}
	}
	a.sleep(never)
}
