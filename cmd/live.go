package cmd

import (
	"io"
	"os"
	"sync"

	"onward/internal/board"
	"onward/internal/cli"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/screen"
)

// liveFlags control the appearance of a live view.
type liveFlags struct {
	Name       string `placeholder:"NAME" help:"The agent's name in the view and in events; default: the agent in the view, the session in events."`
	ThemeColor string `placeholder:"C" complete:"=black|red|green|yellow|blue|magenta|cyan|white|gray" help:"The colour of its name: a name such as cyan or bright-red, or #rrggbb; default: cyan."`
	Settle     bool   `help:"Show all items as completed when the turn ends; only the display changes."`
	ASCII      bool   `name:"ascii" help:"Plain symbols; the default if the locale is not UTF-8."`
}

// painter reads the flags; stream is where it will be drawn.
func (f liveFlags) painter(a *app, stream any) (board.Painter, error) {
	p := board.Painter{Name: f.Name, Settle: f.Settle, Gate: output.GateRemark, Style: a.styleOf(stream)}
	p.Style.ASCII = p.Style.ASCII || f.ASCII
	if f.ThemeColor != "" {
		var err error
		if p.Color, err = render.ParseColor(f.ThemeColor); err != nil {
			return p, cli.Usagef("--theme-color: %v", err)
		}
	}
	return p, nil
}

// canvas returns the terminal of a stream, if there is one on which a view can be drawn in place.
func canvas(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && isTerminal(f) && os.Getenv("TERM") != "dumb"
}

// openScreen draws on a terminal below what is written, until it is closed. What the streams of this run write
// to a terminal in the meantime appears above the drawing.
func (a *app) openScreen(file *os.File) (drawn *screen.Screen, closeScreen func()) {
	drawn = screen.Open(file, false)
	out, errs := a.rawOut, a.err
	var above []*screen.Above
	for _, stream := range []*io.Writer{&a.rawOut, &a.err} {
		if isTerminal(*stream) {
			over := drawn.WriterAbove(*stream)
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
