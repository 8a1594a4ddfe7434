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
	Kind  string // the event's name
	At    todo.Time
	Calls int // tool calls that no turn's end has counted yet, as far as they were reported one by one
}

// ActivityPath gives the file of the last sign of life.
func (s *Store) ActivityPath(n Name) string { return filepath.Join(s.Dir, activityPath(n)) }

func activityPath(n Name) string { return filepath.Join(sessionsDir, n.String()+".activity") }

// Touch notes a sign of life; the tool calls that were counted stay.
// Where there is no store yet, there is nothing to note it for.
func (s *Store) Touch(name Name, a Activity) error {
	return s.note(name, func(old Activity) Activity {
		a.Calls = old.Calls
		return a
	})
}

// CountCall notes a sign of life that is the end of a tool call.
func (s *Store) CountCall(name Name, a Activity) error {
	return s.note(name, func(old Activity) Activity {
		a.Calls = min(old.Calls+1, maxCalls)
		return a
	})
}

// TakeCalls notes a sign of life after which the tool calls are counted anew.
func (s *Store) TakeCalls(name Name, a Activity) error {
	return s.note(name, func(Activity) Activity {
		a.Calls = 0
		return a
	})
}

// maxCalls is how many tool calls are counted.
const maxCalls = 1_000_000

// note puts another sign of life in the place of the last one.
func (s *Store) note(name Name, change func(Activity) Activity) error {
	if err := CheckName(name); err != nil {
		return err
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Lstat(activityPath(name))
	if err == nil {
		if err := durable.Regular(activityPath(name), info); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(activityPath(name), os.O_RDWR|os.O_CREATE, 0o600)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return durable.SystemError(err)
	}
	if info == nil {
		if err := durable.Adopt(root, activityPath(name)); err != nil {
			return errors.Join(durable.SystemError(err), f.Close())
		}
	}
	record := make([]byte, maxActivity)
	had, _ := f.ReadAt(record, 0)
	line := change(parseActivity(record[:had])).line()
	_, err = f.WriteAt([]byte(line), 0)
	if err == nil && len(line) < had {
		err = f.Truncate(int64(len(line)))
	}
	return durable.SystemError(errors.Join(err, f.Close()))
}

// maxActivity is more than an activity file ever holds, in bytes.
const maxActivity = 256

// line writes a sign of life as the one line of its file.
func (a Activity) line() string {
	if a.Calls > 0 {
		return fmt.Sprintf("%s %d %d\n", a.Kind, int64(a.At), a.Calls)
	}
	return fmt.Sprintf("%s %d\n", a.Kind, int64(a.At))
}

// Activity gives the last sign of life; what cannot be read is none.
func (s *Store) Activity(name Name) Activity {
	if data := durable.Quick(s.Dir, activityPath(name), maxActivity); data != nil {
		return parseActivity(data)
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return Activity{}
	}
	defer root.Close()
	data, _, err := durable.ReadFile(root, activityPath(name), maxActivity)
	if err != nil {
		return Activity{}
	}
	return parseActivity(data)
}

// parseActivity reads the first line: behind it may stand the rest of a longer one that is being written over.
func parseActivity(data []byte) Activity {
	line, _, _ := strings.Cut(string(data), "\n")
	words := strings.Split(strings.TrimSpace(line), " ")
	if len(words) != 2 && len(words) != 3 {
		return Activity{}
	}
	ms, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return Activity{}
	}
	a := Activity{Kind: words[0], At: todo.Time(ms)}
	if len(words) == 3 {
		if a.Calls, err = strconv.Atoi(words[2]); err != nil || a.Calls < 0 || a.Calls > maxCalls {
			return Activity{}
		}
	}
	return a
}
