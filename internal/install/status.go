package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// status fills in what is installed.
func (p *plan) status(o Options, r *Report, steps []step) {
	var notes []string
	r.Installed = true
	for _, s := range steps {
		found := s.is
		if s.other {
			if found.some && (s.action == unchanged || s.action == "") && (o.Scope == Shared || p.team) {
				notes = append(notes, p.twice(s.path))
			}
			continue
		}
		if s.lost != nil {
			notes = append(notes, s.lost.Error())
		}
		if found.server != "" {
			r.Server = found.server
			if _, err := stat(found.server); err != nil {
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
		if o.Scope == Shared && slices.ContainsFunc(found.programs, filepath.IsAbs) {
			notes = append(notes, "they name onward by its path on this machine: `onward hooks install "+p.Name+"` moves them to "+p.Personal+", and with --scope shared they name it without a path")
		}
		r.Installed = r.Installed && found.some
		r.Partly = r.Partly || found.some && found.partly
		for _, program := range found.programs {
			r.see(program, o.Program)
		}
	}
	if !r.Installed {
		if o.Scope == Shared {
			r.Server = "" // the project's other scope has the same file, and tells
		}
		return
	}
	r.Trust = p.trust
	r.Notes = append(r.Notes, notes...)
	r.Needs = p.missing(o, steps)
}

// twice tells that the file of the project's other scope has hooks too.
func (p *plan) twice(other string) string {
	if p.team && !p.runs {
		return filepath.Base(other) + " has them too, for everybody on the project, but those do not run here: onward is not on PATH"
	}
	return filepath.Base(other) + " has them too, so each event runs two: `onward hooks install " + p.Name + "` leaves one"
}

// missing returns what the user still has to do, in addition to the agent's own trust step.
func (p *plan) missing(o Options, steps []step) (needs []string) {
	for _, s := range steps {
		if !s.other {
			needs = append(needs, s.is.needs...)
		}
	}
	for _, s := range steps { // an agent that reads both files of a project needs a permission once
		if is, settings := s.content.(*settingsFile); settings && s.other {
			has := is.given(s.is)
			needs = slices.DeleteFunc(needs, func(need string) bool { return slices.Contains(has, need) })
		}
	}
	needs = append(needs, p.Needs...)
	if !o.OnPath && p.Name != "git" {
		needs = append(needs, "put onward on PATH: the model calls it by its name")
	}
	return needs
}

// stat finds a program by its path, or by its name.
func stat(program string) (os.FileInfo, error) {
	if filepath.Base(program) == program {
		path, err := exec.LookPath(program)
		if err != nil {
			return nil, err
		}
		program = path
	}
	return os.Stat(program)
}

// see takes note of a program that a hook names.
func (r *Report) see(program, present string) {
	if slices.Contains(r.Programs, program) {
		return
	}
	r.Programs = append(r.Programs, program)
	named, err := stat(program)
	if err != nil {
		r.Stale = true
		return
	}
	if own, err := stat(present); err == nil && !os.SameFile(named, own) {
		r.Stale = true
	}
}
