package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"onward/internal/durable"
	"onward/internal/todo"
)

// Activity is the last sign of life in a conversation. It comes many times a turn,
// so it has a small file of its own, without lock or fsync; losing it costs nothing.
type Activity struct {
	Kind string // the event's name
	At   todo.Time
}

func activityPath(n Name) string { return filepath.Join(sessionsDir, n.String()+".activity") }

// Touch notes a sign of life. Where there is no store yet, there is nothing to note it for.
func (s *Store) Touch(name Name, a Activity) error {
	if err := CheckName(name); err != nil {
		return err
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(activityPath(name)); err == nil {
		if err := durable.Regular(activityPath(name), info); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(activityPath(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return durable.SystemError(err)
	}
	_, err = fmt.Fprintf(f, "%s %d\n", a.Kind, int64(a.At))
	return durable.SystemError(errors.Join(err, f.Close()))
}

// Activity gives the last sign of life; what cannot be read is none.
func (s *Store) Activity(name Name) Activity {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return Activity{}
	}
	defer root.Close()
	data, _, err := durable.ReadFile(root, activityPath(name), 256)
	if err != nil {
		return Activity{}
	}
	kind, at, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	ms, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return Activity{}
	}
	return Activity{Kind: kind, At: todo.Time(ms)}
}

// Mark identifies the state of a list's files, without reading them:
// another mark means that another process changed something.
func (s *Store) Mark(name Name) string {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return ""
	}
	defer root.Close()
	mark := ""
	for _, path := range []string{documentPath(name), activityPath(name)} {
		if info, err := root.Lstat(path); err == nil {
			mark += fmt.Sprintf("%d/%d ", info.ModTime().UnixNano(), info.Size())
		}
	}
	return mark
}
