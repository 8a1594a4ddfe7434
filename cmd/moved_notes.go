package cmd

import (
	"onward/internal/doctor"
	"onward/internal/find"
	"onward/internal/render"
)

// noteCame tells the user that this project has taken over the list and settings of a folder that does not exist any more.
func (a *app) noteCame(t find.List) {
	if t.MovedFrom == "" {
		return
	}
	a.printNote(t.MovedText())
	a.hint("`onward session use --derived` starts another list here")
}

// noteMoved tells the user once of open lists that the project may have left at its old place. It does not do so for a
// project that has settings here.
func (a *app) noteMoved(t find.List) {
	if set, err := t.Store.ProjectSettings(t.Project); set == nil && err == nil {
		a.noteLeft(t)
	}
}

func (a *app) noteLeft(t find.List) {
	for _, l := range t.PerhapsMoved() {
		a.printNote(l.String())
		a.hint(l.Hint())
	}
}

// movedFindings are the findings of doctor about such lists.
func movedFindings(t find.List) []doctor.Finding {
	if doc, err := t.Store.Load(t.Name); doc != nil || err != nil {
		return nil
	}
	return render.Map(t.PerhapsMoved(), func(_ int, l *find.GoneProject) doctor.Finding {
		return doctor.Finding{Name: "moved", State: doctor.Note, Detail: l.String(), Hint: l.Hint()}
	})
}
