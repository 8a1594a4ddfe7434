package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"onward/internal/run"
	"onward/internal/session"
)

// files are those of a checkout.
type files struct {
	work    int             // changes that agents have made
	checks  int             // new checks that agents have written
	weaker  int             // changes that agents have made to checks that were there
	asked   int             // the number of items that the checks want to be really done
	written int             // files that gates have written
	ran     []proof         // the runs of gates
	results session.Results // of gates, by the state of the files
}

// filesStream is the stream of the throws about files.
const filesStream = -1

// drawFiles chooses whether the checkouts of a world are git's, whether its gate writes files, and whether its agents change some.
func (w *world) drawFiles() {
	w.style.bare = w.choose(filesStream, 3, 1) == 1
	w.style.writes = w.choose(filesStream, 3, 1) == 1
	for _, g := range w.agents {
		g.onlyReads = w.choose(filesStream, 3, 1) == 1
	}
}

// in returns the files of a checkout.
func (w *world) in(dir string) *files {
	if w.checkouts == nil {
		w.checkouts = map[string]*files{}
	}
	if w.checkouts[dir] == nil {
		w.checkouts[dir] = &files{}
	}
	return w.checkouts[dir]
}

// edits changes a file of the agent's checkout.
func (g *agent) edits() { g.in(g.place.Dir).work++ }

// state returns the state of a checkout, as package tree tells it.
func (w *world) state(dir string) (state, noTree string) {
	if w.style.bare {
		return "", "this is not a git repository"
	}
	f := w.in(dir)
	return fmt.Sprintf("%d+%d+%d+%d@0", f.work, f.written, f.checks, f.weaker), ""
}

// apart names what differs between two states of a checkout, as package tree does.
func apart(from, to string) (old, checks, others []string) {
	a, b := strings.Split(session.TreeOf(from), "+"), strings.Split(session.TreeOf(to), "+")
	for i, kind := range []*[]string{&others, &others, &checks, &old} {
		if a[i] != b[i] {
			*kind = append(*kind, fmt.Sprintf("file %d", i))
		}
	}
	return old, append(checks, old...), others
}

// writesCheck does what the agent is asked for in a turn for the check alone, or only says so. It may also begin with the task.
func (g *agent) writesCheck() (begins bool) {
	f, way := g.in(g.place.Dir), g.choice(4, 1, 1, 1)
	if way == 3 {
		return true
	}
	reads := g.onlyReads
	g.onlyReads = true // a check is no work
	defer func() { g.onlyReads = reads }()
	if g.tool(g); way < 2 {
		f.checks++
	}
	if g.say(g.name, "is asked for a check"); way == 0 {
		f.asked = 1
		for _, other := range g.agents {
			if other.place.Dir == g.place.Dir {
				f.asked += other.really
			}
		}
		g.say(g.name, "writes one that fails")
	}
	return false
}

// weakens lets the agent change a check of its own for the work.
func (g *agent) weakens() {
	if f := g.in(g.place.Dir); g.shift != nil && g.shift.rules.Proof && f.checks > 0 && g.choice(7, 1) == 1 {
		g.say(g.name, "weakens a check")
		f.weaker, f.asked = f.weaker+1, 0
	}
}

// startsWith notes the files at the start of a run's task, as long as no turn has begun.
func (r *runner) startsWith(dir string) {
	if r.anewTask && r.turns == 0 {
		r.startWork = r.in(dir).work
	}
}

// graded checks what a run that is done says of its work.
func (s *shift) graded(r *runner, grade run.Grade) {
	s.count("run", "is "+string(grade))
	of, f, set := s.of(r.name.String()), s.in(r.place.Dir), r.last.Settings
	unchanged := !s.style.bare && set.Gate != "" && f.work == s.startWork
	if unchanged && s.rules.Task && !s.wrote && of.written == s.startList {
		s.breaks(16, "the run ends as done, no file has changed, and no list was written")
	}
	if grade != run.Proven {
		if s.rules.Proof {
			s.breaks(15, "the run ends as done, it accepts only what is proven, and it is %s", grade)
		}
		return
	}
	green, red := false, map[[2]int]bool{} // by the checks on which the gate failed, and whether it passed there too
	for _, p := range f.ran {
		if p.gate == set.Gate && p.dir == r.place.Dir {
			start, now := p.work == s.startWork, p.work == f.work && p.checks == [2]int{f.checks, f.weaker}
			if green = green || p.passed && now; p.failed && start && p.checks[1] == f.weaker {
				red[p.checks] = red[p.checks] || now
			}
		}
	}
	for _, p := range f.ran {
		if _, is := red[p.checks]; is && p.gate == set.Gate && p.dir == r.place.Dir && p.passed && p.work == s.startWork {
			red[p.checks] = true
		}
	}
	flaky := !slices.Contains(slices.Collect(maps.Values(red)), false)
	switch {
	case len(red) == 0:
		s.breaks(15, "the run is proven, and the gate did not fail on the files as they were before it, or with new checks alone")
	case !green || unchanged:
		s.breaks(15, "the run is proven, and the gate did not pass on files that were changed")
	case flaky && !s.style.writes:
		s.breaks(15, "the run is proven, and its gate has failed and passed on the same files")
	}
}
