package install

import (
	"fmt"
	"os"
)

// look fills in what is installed.
func (p *plan) look(o Options, r *Report) error {
	var all [][]byte
	r.Installed, r.Partly, r.Stale, r.Programs = true, false, false, nil
	for _, f := range p.files {
		s := step{file: f}
		if err := s.read(o); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		all = append(all, s.old)
		var programs []string
		missing := true
		if s.old != nil {
			var err error
			if programs, missing, err = f.programs(s.old); err != nil {
				return fmt.Errorf("%s: %w", f.path, err)
			}
		}
		if len(r.Files) < len(p.files) && len(programs) > 0 && !hasFile(r.Files, f.path) {
			r.Files = append(r.Files, FileReport{Path: f.path, Action: Unchanged})
		}
		if f.extra {
			continue
		}
		r.Installed = r.Installed && len(programs) > 0
		r.Partly = r.Partly || missing && len(programs) > 0
		for _, program := range programs {
			r.see(program, o.Program)
		}
	}
	if r.Installed && p.trust != nil {
		r.Trust = p.trust()
	}
	if p.warn != nil && r.Installed {
		r.Notes = append(r.Notes, p.warn(all)...)
	}
	if r.Installed {
		r.Needs = p.missing(o, all)
	}
	return nil
}

// missing returns what the user still has to do, beside the agent's own trust step.
func (p *plan) missing(o Options, all [][]byte) (needs []string) {
	for i, f := range p.files {
		if f.granted != nil {
			_, more := f.granted(all[i])
			needs = append(needs, more...)
		}
	}
	needs = append(needs, p.needs...)
	if !o.OnPath && p.title != "git" {
		needs = append(needs, "put onward on PATH: the model calls it by its name")
	}
	return needs
}

func hasFile(files []FileReport, path string) bool {
	for _, f := range files {
		if f.Path == path {
			return true
		}
	}
	return false
}

// see takes note of a program that a hook names.
func (r *Report) see(program, present string) {
	for _, known := range r.Programs {
		if known == program {
			return
		}
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
