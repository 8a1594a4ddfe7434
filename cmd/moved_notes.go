package cmd

import "onward/internal/find"

// noteCame tells the user that this project has taken over the list and settings of a folder that does not exist any more.
func (a *app) noteCame(t find.List) {
	if t.MovedFrom == "" {
		return
	}
	a.printNote(t.MovedText())
	a.hint("`onward session use --derived` starts another list here")
}

// noteLeft tells the user once of open lists that the project may have left at its old place.
func (a *app) noteLeft(lists []find.GoneProject) {
	for _, l := range lists {
		a.printNote(l.String())
		a.hint(l.Hint())
	}
}
