// Package hooks has what a hook needs from this machine besides the store: the files in which agents keep their conversations, the log of
// errors, and the memory of a store that does not answer.
package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/render"
	"onward/internal/todo"
)

// Limits of the log of errors in hooks. With its previous file, it occupies twice its size.
const (
	MaxLog     = 256 << 10 // bytes, after which it is archived as hook.log.1
	MaxLogLine = 2 << 10
)

// LogPath is the log of errors in hooks. It is not in the store, because the store may be the cause of the errors.
func LogPath() string { return filepath.Join(xdg.StateHome, "onward", "hook.log") }

// Log writes a line to the log of hooks: the time, the agent, what went wrong.
// If that fails too, there is no other place to report it.
func Log(agent string, cause error) {
	defer func() { _ = recover() }()
	if durable.StartRuntimePoller() != nil {
		return // a panic while opening the log would end the process
	}
	path := LogPath()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil || !info.Mode().IsRegular():
		return // a pipe could block, and a link could lead to another file
	case info.Size() > MaxLog:
		_ = os.Rename(path, path+".1")
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(logLine(time.Now(), agent, cause))
}

func logLine(at time.Time, agent string, cause error) string {
	if agent == "" {
		agent = "-"
	}
	text := cause.Error()
	if bug := (*cli.Bug)(nil); errors.As(cause, &bug) {
		text += "\n" + string(bug.Stack)
	}
	line := todo.TimeOf(at).String() + " " + render.Text(agent) + ": " + render.Text(text)
	if len(line) > MaxLogLine {
		line = strings.ToValidUTF8(line[:MaxLogLine], "") + "..."
	}
	return line + "\n"
}
