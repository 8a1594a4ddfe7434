package cmd

import (
	"os"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/todo"
)

// liveFlags say how a live view looks.
type liveFlags struct {
	Name       string `placeholder:"NAME" help:"What the agent is called, in the view and in events; default: the agent in the view, the session in events."`
	ThemeColor string `placeholder:"C" complete:"=black|red|green|yellow|blue|magenta|cyan|white|gray" help:"The colour of its name: a name such as cyan or bright-red, or #rrggbb; default: cyan."`
	Settle     bool   `help:"Show every item as completed once the turn is; nothing is saved of that."`
	ASCII      bool   `name:"ascii" help:"Plain symbols, as where the locale is not UTF-8."`
}

// picture draws a list for a terminal.
type picture struct {
	flags liveFlags
	color render.Color
	style render.Style
}

// picture reads the flags; stream is where it will be drawn.
func (f liveFlags) picture(a *app, stream any) (picture, error) {
	p := picture{flags: f}
	if f.ThemeColor != "" {
		var err error
		if p.color, err = render.ParseColor(f.ThemeColor); err != nil {
			return p, usagef("--theme-color: %v", err)
		}
	}
	p.style = a.styleOf(stream)
	p.style.ASCII = p.style.ASCII || f.ASCII
	return p, nil
}

// frame returns the frame of a list; no items are an empty frame.
func (p picture) frame(whose string, items []todo.Item) screen.Frame {
	return func(width, height int) []string {
		if len(items) == 0 {
			return nil
		}
		style := p.style
		style.Width = width
		return render.Frame(render.Plan{Name: whose, Color: p.color, Items: items}, style, height)
	}
}

// words returns a frame of one line of text.
func (p picture) words(text string) screen.Frame {
	return func(width, _ int) []string {
		style := p.style
		style.Width = width
		return render.Remark(text, style)
	}
}

// name says whose list it is: a sub-agent goes by its own name, another one by what it is called.
func (f liveFlags) name(from live.Agent, otherwise string) string {
	switch {
	case from.SubAgent != "":
		return from.SubAgent
	case f.Name != "":
		return f.Name
	}
	return otherwise
}

// canvas returns the terminal behind a stream, where there is one that can draw in place.
func canvas(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && isTerminal(f) && os.Getenv("TERM") != "dumb"
}
