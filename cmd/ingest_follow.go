package cmd

import (
	"errors"
	"io/fs"
	"os"

	"onward/internal/agents/stream"
	"onward/internal/cli"
	"onward/internal/notify"
)

// followed is a file that is read as it grows. When the reading ends, the writer may continue,
// so that is not the end of the stream: an open turn stays open.
type followed struct{ *notify.Follower }

// Read reads the file, and waits at its end.
func (f followed) Read(p []byte) (int, error) {
	n, err := f.Follower.Read(p)
	if errors.Is(err, notify.ErrStopped) {
		err = stream.ErrInputContinues
	}
	return n, err
}

// follow opens the one file that --follow reads.
func (c *ingestCmd) follow(a *app, idle func() error, leave <-chan struct{}) (*followed, error) {
	if len(c.Files) != 1 || c.Files[0] == "-" {
		return nil, cli.Usagef("--follow reads one file; standard input is read as it comes anyway")
	}
	name := c.Files[0]
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fileError("read", name, err)
	case !info.Mode().IsRegular():
		return nil, cli.Failf(cli.ExitData, "follow %q: it is not a regular file", name)
	}
	r, err := notify.Follow(name, func(text string) { a.printNote(text) }, leave)
	if err != nil {
		return nil, cli.Failf(cli.ExitIO, "read %q: %v", name, err)
	}
	r.Idle = idle
	return &followed{r}, nil
}
