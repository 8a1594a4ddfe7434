package install

import (
	"os"
	"slices"
)

// status fills in what is installed.
func (p *plan) status(o Options, r *Report, steps []step) {
	var notes []string
	r.Installed = true
	for _, s := range steps {
		found := s.is
		if s.lost != nil {
			notes = append(notes, s.lost.Error())
		}
		if found.server != "" {
			r.Server = found.server
			if _, err := os.Stat(found.server); err != nil {
				r.Stale = true
			}
		}
		if found.any() && s.action == "" {
			r.Files = append(r.Files, FileReport{Path: s.path, Action: unchanged})
		}
		notes = append(notes, found.off...)
		if s.extra {
			continue
		}
		r.Installed = r.Installed && found.some
		r.Partly = r.Partly || found.some && found.partly
		for _, program := range found.programs {
			r.see(program, o.Program)
		}
	}
	if !r.Installed {
		return
	}
	r.Trust = p.trust
	r.Notes = append(r.Notes, notes...)
	r.Needs = p.missing(o, steps)
}

// missing returns what the user still has to do, in addition to the agent's own trust step.
func (p *plan) missing(o Options, steps []step) (needs []string) {
	for _, s := range steps {
		needs = append(needs, s.is.needs...)
	}
	needs = append(needs, p.Needs...)
	if !o.OnPath && p.Name != "git" {
		needs = append(needs, "put onward on PATH: the model calls it by its name")
	}
	return needs
}

// see takes note of a program that a hook names.
func (r *Report) see(program, present string) {
	if slices.Contains(r.Programs, program) {
		return
	}
	r.Programs = append(r.Programs, program)
	named, err := os.Stat(program)
	if err != nil {
		r.Stale = true
		return
	}
	if own, err := os.Stat(present); err == nil && !os.SameFile(named, own) {
		r.Stale = true
	}
}
