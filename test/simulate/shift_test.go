package simulate

import (
	"math"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
)

// shift is what the referee knows of the runs of `onward run` with one agent: one that was begun is taken up until it ends.
type shift struct {
	*world
	agent       *agent
	night       *actor // who starts them
	rules       run.Rules
	goes        bool  // one was begun, and has not ended
	on          bool  // a process is at work on it
	interrupted bool  // by the user
	keeper      int   // the process that keeps the agent's program
	unsure      bool  // the session was deleted, and with it what a turn has cost
	once        bool  // the first run is the only one
	knew        bool  // the user had stopped the agent before the run last asked
	turns       int   // that were started
	sure        int   // of those, the ones that are recorded
	handed      int   // new conversations in a row without progress
	limits      int   // turns in a row that the host has limited
	free        int   // of those in a row, without a continuation that was counted
	anew        int   // of those, the ones that were lost with their conversation or with their run
	tokens      int64 // spent
	usd         float64
	outcomes    []run.Outcome
}

// beginsRun follows the beginning of a run: what was spent before counts no more.
func (s *shift) beginsRun() {
	s.goes, s.turns, s.sure, s.free, s.anew, s.tokens, s.usd = true, 0, 0, 0, 0, 0, 0
	s.handed, s.limits, s.unsure = 0, 0, false
}

// spends notes what a turn has cost, to the millionth of a dollar: sums of floating-point numbers come out just below
// a budget that is used up.
func (s *shift) spends(tokens int64, usd float64) {
	s.tokens, s.usd = s.tokens+tokens, math.Round((s.usd+usd)*1e6)/1e6
}

// spending is what was spent since the run began, as far as it is sure.
func (s *shift) spending() spending {
	if s.unsure {
		return spending{}
	}
	return spending{&s.usd, &s.tokens}
}

// takenUp holds what a run that is taken up knows against what the one before has done.
func (s *shift) takenUp(before *session.Run) {
	if before.Turns < s.sure || before.Turns > s.turns {
		s.breaks(6, "%d turns were started, and the run that is taken up counts %d", s.turns, before.Turns)
	}
	s.turns, s.handed, s.limits = before.Turns, 0, 0
	s.anew++
}

// The most turns in a row that no continuation was counted for: the task, the request for a list, 50 limits of the host,
// the retries of six hours, the failures of the program, and new conversations. After a conversation
// or a run that is lost, and the new one, the retries begin at 5 seconds again, and are 7 more until they are 10 minutes apart.
const (
	mostFree = 2 + 50 + 45 + 10 + 12
	perAnew  = 2 + 7
)

// startsTurn holds the start of a turn against what is true.
func (s *shift) startsTurn(r *runner, act run.Action) {
	s.turns++
	t := &s.of(r.name.String()).truth
	s.count("run", "starts a turn: "+act.Text.String())
	s.say("run", "turn %d: %s", r.record.Turns, act.Words())
	if s.free++; act.Text == run.Prompt {
		s.free, s.anew = 0, 0
	}
	if act.Text == run.Handover {
		s.handed++
	}
	sets := r.inForce(r.name.String())
	switch {
	case s.handed > 3:
		s.breaks(2, "%d new conversations in a row without progress", s.handed)
	case t.failing != 0 && s.at-t.failing > 7*time.Hour && !r.jumped:
		s.breaks(10, "for %v the servers and the program have failed, and one more turn is started", s.at-t.failing)
	case s.limits > 50:
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

// follows follows the end of a turn.
func (s *shift) follows(is run.Turn) {
	if !is.Failed && is.Worked {
		s.handed = 0
	}
	if s.limits++; is.Class != continuation.ErrorRateLimit {
		s.limits = 0
	}
}

// proven holds the end of a run against the answer that it follows.
func (s *shift) proven(r *runner, act run.Action) {
	if act.Outcome == run.Done && r.last.Decision.Outcome != continuation.Finished {
		s.breaks(4, "the run ends as done, and the last answer is %s", r.last.Decision.Reason)
	}
}

// ends notes that a run is over.
func (s *shift) ends(o run.Outcome) {
	s.goes, s.interrupted = false, false
	s.outcomes = append(s.outcomes, o)
}

// abandon is what follows the end of a process of `onward run`: the keeper ends the agent that it left at work.
func (s *shift) abandon(a *actor) {
	g, j := s.agent, s.agent.job
	if j == nil {
		delete(s.alive, s.keeper) // which has nothing to keep
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

// shift is for the runs of an agent.
func (w *world) shift(g *agent, rules run.Rules) *shift {
	g.shift = &shift{world: w, agent: g, rules: rules}
	w.shifts = append(w.shifts, g.shift)
	return g.shift
}

// begins adds who starts `onward run`, and starts it again where it was cut off.
func (s *shift) begins() {
	s.night = s.spawn("run", func(a *actor) {
		a.pass(time.Second)
		for {
			for !a.onwardRun(s) {
				a.pass([]time.Duration{30 * time.Second, 100 * time.Millisecond}[a.choice(2, 1)])
			}
			if s.once || a.at > night || a.choice(1, 1) == 0 {
				a.sleep(never)
			}
			a.pass(time.Hour) // until the user wants more
		}
	})
}

// isKept makes an agent one that `onward run` keeps going.
func (g *agent) isKept() {
	k := &kept{plain: g.choice(6, 1) == 1, forgets: []int{0, 2, 10}[g.choice(6, 1, 1)]}
	g.program, g.wakes = k, false
	if g.choice(9, 1) == 1 { // nothing ever works
		g.honesty, g.usual = 0, []int{limitedUntil, overflows, crashes, serverFails}[g.upTo(4)]
	}
	s := g.world.shift(g, run.Rules{Task: true, MaxOutage: 6 * time.Hour})
	s.begins()
	if s.night.choice(1, 1) == 1 {
		s.spawn("killer", s.killer)
	}
	s.rules.Fresh = s.night.choice(5, 1) == 1 || k.plain
	if s.night.choice(2, 1) == 1 {
		s.rules.MaxWait = time.Hour
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

// reboots ends everything at once.
func (s *shift) reboots() {
	s.kills()
	s.agent.strike()
}

// interrupts is the user's Ctrl-C.
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

// leastTotal is the lowest max-total that may have been in force.
func (c *command) leastTotal(sets []continuation.Settings) int {
	least := sets[0].MaxTotal
	for _, set := range sets {
		least = min(least, set.MaxTotal)
	}
	return least
}

// killer kills what is at work in the night, at any moment.
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
