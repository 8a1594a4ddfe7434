package simulate

import (
	"fmt"

	"onward/internal/run"
	"onward/internal/session"
)

// files are those of a checkout.
type files struct {
	work    int             // changes that agents have made
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
	return fmt.Sprintf("%d+%d@0", f.work, f.written), ""
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
		return
	}
	red, green, flaky := false, false, false
	for _, p := range of.proofs {
		if p.gate == set.Gate && p.dir == r.place.Dir {
			start, now := p.work == s.startWork, p.work == f.work
			red, green = red || p.failed && start, green || p.passed && now
			flaky = flaky || p.passed && start || p.failed && now
		}
	}
	switch {
	case !red:
		s.breaks(15, "the run is proven, and the gate did not fail on the files as they were before it")
	case !green || unchanged:
		s.breaks(15, "the run is proven, and the gate did not pass on files that were changed")
	case flaky && !s.style.writes:
		s.breaks(15, "the run is proven, and its gate has failed and passed on the same files")
	}
}
