package simulate

import (
	"fmt"
	"time"

	programs "onward/internal/agents/agent"
	nights "onward/internal/night"
	"onward/internal/session"
)

// relay is what the referee knows of a run whose agents go on for each other at usage limits. One actor plays all of them: they share
// the work, and each has a host of its own, which alone knows its conversations.
type relay struct {
	hosts    []*host
	at       *host           // of the last turn; nil before the first one of a run
	told     *host           // that goes on, as the run has said since then
	begun    map[string]bool // conversations of the host of the last turn
	switches int             // since an item was last completed
	closed   int             // how many items had been completed by then
}

// host is what is true of the host of an agent.
type host struct {
	name    string
	until   time.Duration // it refuses requests until then
	refused bool          // it has refused the last turn because of a limit
	ever    bool          // or an earlier one
	known   time.Duration // the last limit that the run has recorded ends then
}

// relayAfter is how long a limit lasts at least at which another agent goes on.
const relayAfter = 5 * time.Minute

// relays gives a run several agents.
func (s *shift) relays(n int) {
	s.relay, s.rules.RelayAfter = &relay{begun: map[string]bool{}}, relayAfter
	for i := range n {
		s.relay.hosts = append(s.relay.hosts, &host{name: fmt.Sprintf("agent%d", i+1)})
	}
	s.count("run", fmt.Sprintf("has %d agents", n))
}

// agents returns the agents of a run for package night.
func (s *shift) agents(program programs.Program) (out []nights.Agent) {
	if s.relay == nil {
		return nil
	}
	for _, h := range s.relay.hosts {
		out = append(out, nights.Agent{Name: h.name, Program: program, TaughtElsewhere: func() bool { return true }})
	}
	return out
}

// named returns the host of an agent by its name.
func (l *relay) named(name string) *host {
	for _, h := range l.hosts {
		if h.name == name {
			return h
		}
	}
	return nil
}

// begins takes that a run begins, which counts its own switches. One that the run before has told of is not among them. Where that
// run is not continued, nothing is known of limits.
func (l *relay) begins(anew bool) {
	switch {
	case l == nil:
		return
	case !anew && l.told != nil:
		l.at, l.begun = l.told, map[string]bool{}
	}
	if l.told, l.switches = nil, 0; !anew {
		return
	}
	l.at = nil
	for _, h := range l.hosts {
		h.known, h.refused, h.ever = 0, false, false
	}
}

// refuses takes that the host of the last turn has refused it because of a limit. The function that it returns is called once the run
// has recorded until when that lasts.
func (l *relay) refuses() (knows func(until time.Duration)) {
	if l == nil || l.at == nil {
		return func(time.Duration) {}
	}
	h := l.at
	h.refused, h.ever = true, true
	return func(until time.Duration) { h.known = until }
}

// goesOn checks that an agent may have the next turn, and reports whether it is another one than before.
func (s *shift) goesOn(r *runner, conversation string) (changed bool) {
	l, of := s.relay, s.of(r.name.String())
	if l == nil {
		return false
	}
	now, last := l.named(r.keeps.Agent), l.at
	if of.closed != l.closed {
		l.switches, l.closed = 0, of.closed
	}
	if last != nil && last != now {
		l.begun = map[string]bool{}
		l.switches++
		s.count("run", "goes on with another agent")
		switch {
		case l.told != now:
			s.breaks(7, "%s goes on after %s, and nobody was told", now.name, last.name)
		case !last.refused:
			s.breaks(7, "%s goes on, though %s is at no limit", now.name, last.name)
		case l.switches > 3:
			s.breaks(2, "the agent was changed %d times without a completed item", l.switches)
		case s.at < now.known && !s.jumped:
			s.breaks(7, "%s goes on %v before its host takes requests again", now.name, now.known-s.at)
		}
	}
	if conversation != "" && last != nil && !l.begun[conversation] {
		s.breaks(6, "%s is to resume a conversation that its host does not know", now.name)
	}
	now.refused, l.at, l.told = false, now, nil
	return last != nil && last != now
}

// waits checks that a run with several agents waits only if it must.
func (s *shift) waits(e nights.Event) {
	l := s.relay
	if l == nil || l.at == nil || e.Reason != "rate_limited" || s.jumped {
		return
	}
	s.count("run", "waits with several agents")
	if !l.at.refused || l.at.known-s.at <= relayAfter+time.Minute || l.switches >= 3 {
		return
	}
	for _, h := range l.hosts {
		if h != l.at && !h.ever {
			s.breaks(3, "the run waits for %s, though %s was at no limit", l.at.name, h.name)
		}
	}
}

// takesUp checks that a run that was cut off goes on with the agent that was at work.
func (s *shift) takesUp(before *session.Run) {
	l := s.relay
	if l == nil || l.at == nil {
		return
	}
	if is := l.named(before.Agent); is != l.at && is != l.told {
		s.breaks(6, "%s was at work, and the record of the run names %s", l.at.name, before.Agent)
	}
}

// passedOn changes the truth where another agent goes on: what the host of the last one said does not hold for it.
func passedOn(t *truth) { t.limited, t.reset, t.failing = 0, 0, 0 }
