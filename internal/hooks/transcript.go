package hooks

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/find"
)

// ReadHead reads the beginning of a regular file; it returns nil if that fails.
func ReadHead(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return section(path, 0, hook.MaxHead)
}

// ExpandPath returns the path of a file that an agent names; empty if it is not known where that is.
func ExpandPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// ReadTail reads the end of a regular file, and returns the offset at which that begins. A pipe or a device would block.
func ReadTail(path string) (from int64, tail []byte, there bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil, false
	}
	from = max(0, info.Size()-hook.MaxTail)
	return from, section(path, from, hook.MaxTail), true
}

// maxLate is how long a file that the agent writes late is waited for.
const maxLate = 300 * time.Millisecond

// ReadTailAt is ReadTail for an agent that writes what comes before an event late. It waits a short time until the file has a line
// of that time, as the agent writes it; empty is any time.
func ReadTailAt(path, at string) (from int64, tail []byte, there bool) {
	from, tail, there = ReadTail(path)
	for until := time.Now().Add(maxLate); at != "" && (!there || !hook.ReachesTime(tail, at)) && time.Now().Before(until); {
		time.Sleep(maxLate / 30)
		from, tail, there = ReadTail(path)
	}
	return from, tail, there
}

// ExportSession names the session of a list in the file that the agent's shell reads before each command, which a variable names, so
// that the model's commands work on the conversation's list in any folder. A list that the user named is named in the environment already.
func ExportSession(fileVariable string, t find.List) error {
	path := os.Getenv(fileVariable)
	if fileVariable == "" || !filepath.IsAbs(path) || t.Named {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s names %s, which is not a file", fileVariable, path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "export ONWARD_SESSION='%s'\n", t.Name.Session)
	return errors.Join(err, f.Close())
}

// section reads a section of a file; it returns nil if that fails.
func section(path string, from, length int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, from, length))
	if err != nil {
		return nil
	}
	return data
}
