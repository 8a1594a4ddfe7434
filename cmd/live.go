package cmd

import (
	"cmp"
	"io"
	"os"
	"sync"

	"onward/internal/cli"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/todo"
)

// liveFlags control the appearance of a live view.
type liveFlags struct {
	Name       string `placeholder:"NAME" help:"The agent's name in the view and in events; default: the agent in the view, the session in events."`
	ThemeColor string `placeholder:"C" complete:"=black|red|green|yellow|blue|magenta|cyan|white|gray" help:"The colour of its name: a name such as cyan or bright-red, or #rrggbb; default: cyan."`
	Settle     bool   `help:"Show all items as completed when the turn ends; only the display changes."`
	ASCII      bool   `name:"ascii" help:"Plain symbols; the default if the locale is not UTF-8."`
}

// painter draws a list for a terminal.
type painter struct {
	flags liveFlags
	color render.Color
	style render.Style
}

// painter reads the flags; stream is where it will be drawn.
func (f liveFlags) painter(a *app, stream any) (painter, error) {
	p := painter{flags: f}
	if f.ThemeColor != "" {
		var err error
		if p.color, err = render.ParseColor(f.ThemeColor); err != nil {
			return p, cli.Usagef("--theme-color: %v", err)
		}
	}
	p.style = a.styleOf(stream)
	p.style.ASCII = p.style.ASCII || f.ASCII
	return p, nil
}

// frame returns the frame of a list; an empty list gives an empty frame. The list is a sub-agent's, and has its name,
// or the agent's, and has the name that the user chose, or else the writer's.
func (p painter) frame(from live.Agent, writer string, items []todo.Item) screen.Frame {
	list := render.LiveList{Name: cmp.Or(from.SubAgent, p.flags.Name, writer), Color: p.color, Items: items}
	return func(width, height int) []string {
		if len(items) == 0 {
			return nil
		}
		return render.Frame(list, p.style.Wide(width), height)
	}
}

// words returns a frame of one line of text, in place of a list or below one.
func (p painter) words(text string) screen.Frame {
	return func(width, _ int) []string {
		return []string{p.style.Paint(render.Dim, p.style.Wide(width).Cut(render.Text(text), width))}
	}
}

// canvas returns the terminal of a stream, if there is one on which a view can be drawn in place.
func canvas(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && isTerminal(f) && os.Getenv("TERM") != "dumb"
}

// openScreen draws on a terminal below what is written, until it is closed. What the streams of this run write
// to a terminal meanwhile appears above the drawing.
func (a *app) openScreen(file *os.File) (drawn *screen.Screen, closeScreen func()) {
	drawn = screen.Open(file, false)
	out, errs := a.rawOut, a.err
	var above []*screen.Above
	for _, stream := range []*io.Writer{&a.rawOut, &a.err} {
		if isTerminal(*stream) {
			over := drawn.Over(*stream)
			above, *stream = append(above, over), over
		}
	}
	return drawn, sync.OnceFunc(func() {
		for _, w := range above {
			// Errors of a terminal that is gone are ignored.
			_ = w.Flush()
		}
		drawn.Close()
		a.rawOut, a.err = out, errs
	})
}
