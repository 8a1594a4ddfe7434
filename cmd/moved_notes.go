package cmd

import "onward/internal/find"

// noteMovedHere tells the user that this project has taken over the list and settings of a folder that does not exist any more.
func (a *app) noteMovedHere(t find.List) {
	if t.MovedFrom == "" {
		return
	}
	a.printNote(t.MovedText())
	a.hint("`onward session use --derived` starts another list here")
}

// noteLeftBehind tells the user once of open lists that the project may have left at its old place.
func (a *app) noteLeftBehind(lists []find.GoneProject) {
	for _, l := range lists {
		a.printNote(l.String())
		a.hint(l.Hint())
	}
}
