package cmd

import (
	"onward/internal/board"
)

// live takes over standard error if it is a terminal and a live view was requested.
// Other output there, and events on the same terminal, appear above the list.
func (c *ingestCmd) live(a *app) (*board.StreamListView, error) {
	p, err := c.painter(a, a.err)
	if err != nil {
		return nil, err
	}
	file, ok := canvas(a.err)
	if !c.Live || !ok {
		return nil, nil
	}
	drawn, closeScreen := a.openScreen(file)
	return board.NewStreamListView(p, drawn, closeScreen), nil
}
