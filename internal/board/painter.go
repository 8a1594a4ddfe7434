package board

import (
	"cmp"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// Painter draws a list for a terminal.
type Painter struct {
	Name   string // which the user chose for the agent
	Settle bool   // all items are shown as completed when the turn ends
	Color  render.Color
	Style  render.Style
	// Positions are shown where the list is a saved one, whose items commands name by them.
	Positions bool
	Gate      func(*session.Document) string // a line about the gate of a finished list; empty if it never ran
}

// Frame returns the frame of a list; an empty list gives an empty frame. The list is a sub-agent's, and has its name,
// or the agent's, and has the name that the user chose, or else the writer's.
func (p Painter) Frame(from live.Agent, writer string, items []todo.Item) screen.Frame {
	list := render.LiveList{Name: cmp.Or(from.SubAgent, p.Name, writer), Color: p.Color, Items: items, Positions: p.Positions}
	return func(width, height int) []string {
		if len(items) == 0 {
			return nil
		}
		return render.Frame(list, p.Style.WithWidth(width), height)
	}
}

// DimLine returns a frame of one line of text, instead of a list or below one.
func (p Painter) DimLine(text string) screen.Frame {
	return func(width, _ int) []string {
		return []string{p.Style.Paint(render.Dim, p.Style.WithWidth(width).Cut(render.Text(text), width))}
	}
}
