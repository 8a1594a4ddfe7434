package install

import (
	"fmt"
	"os"
	"slices"
)

// status fills in what is installed.
func (p *plan) status(o Options, r *Report) error {
	var notes []string
	all := make([][]byte, len(p.files))
	r.Installed, r.Partly, r.Stale, r.Programs, r.Server = true, false, false, nil, ""
	for i, f := range p.files {
		s := step{file: f}
		if err := s.read(); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		all[i] = s.old
		if _, err := readReceipt(o.Store, s.target); err != nil {
			notes = append(notes, err.Error())
		}
		found := presence{}
		if s.old != nil {
			var err error
			if found, err = f.inspect(s.old); err != nil {
				return fmt.Errorf("%s: %w", f.path, err)
			}
		}
		if found.server != "" {
			r.Server = found.server
			if _, err := os.Stat(found.server); err != nil {
				r.Stale = true
			}
		}
		if (found.some || found.server != "") && !slices.ContainsFunc(r.Files, func(report FileReport) bool { return report.Path == f.path }) {
			r.Files = append(r.Files, FileReport{Path: f.path, Action: Unchanged})
		}
		notes = append(notes, found.off...)
		if f.extra {
			continue
		}
		r.Installed = r.Installed && found.some
		r.Partly = r.Partly || found.some && found.partly
		for _, program := range found.programs {
			r.see(program, o.Program)
		}
	}
	if !r.Installed {
		return nil
	}
	if p.trusted != nil {
		r.Trust = p.trusted()
	}
	r.Notes = append(r.Notes, notes...)
	r.Needs = p.missing(o, all)
	return nil
}

// missing returns what the user still has to do, beside the agent's own trust step.
func (p *plan) missing(o Options, all [][]byte) (needs []string) {
	for i, f := range p.files {
		_, more := f.granted(all[i])
		needs = append(needs, more...)
	}
	needs = append(needs, p.needs...)
	if !o.OnPath && p.name != "git" {
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
