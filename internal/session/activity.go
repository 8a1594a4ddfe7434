package session

import (
	"fmt"
	"strconv"
	"strings"

	"onward/internal/todo"
)

// Activity is the last sign of life in a conversation. It comes many times a turn,
// so it has a small file of its own, without lock or fsync; losing it costs nothing.
type Activity struct {
	Kind  string // the event's name
	At    todo.Time
	Calls int // tool calls that no turn's end has counted yet, as far as they were reported one by one
}

// maxCalls is how many tool calls are counted.
const maxCalls = 1_000_000

// Touch changes the last sign of life. If there is no store yet, there is no session to record it for.
func (s *Store) Touch(name Name, change func(*Activity)) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return s.Notes.ChangeNote(Key(name), func(old []byte) []byte {
		a := parseActivity(old)
		change(&a)
		a.Calls = min(a.Calls, maxCalls)
		return []byte(a.line())
	})
}

// Saw is a change of the last sign of life that keeps the count of tool calls.
func Saw(kind string, at todo.Time) func(*Activity) {
	return func(a *Activity) { a.Kind, a.At = kind, at }
}

// line writes a sign of life as the one line of its file.
func (a Activity) line() string {
	if a.Calls > 0 {
		return fmt.Sprintf("%s %d %d\n", a.Kind, int64(a.At), a.Calls)
	}
	return fmt.Sprintf("%s %d\n", a.Kind, int64(a.At))
}

// Activity returns the last sign of life, or the zero value if it cannot be read.
func (s *Store) Activity(name Name) Activity { return parseActivity(s.Notes.Note(Key(name))) }

// parseActivity reads the first line: the rest of a longer line that is being overwritten may follow it.
func parseActivity(data []byte) Activity {
	line, _, _ := strings.Cut(string(data), "\n")
	words := strings.Split(strings.TrimSpace(line), " ")
	if len(words) == 2 {
		words = append(words, "0")
	}
	if len(words) != 3 {
		return Activity{}
	}
	ms, errTime := strconv.ParseInt(words[1], 10, 64)
	calls, errCalls := strconv.Atoi(words[2])
	if errTime != nil || errCalls != nil || calls < 0 || calls > maxCalls {
		return Activity{}
	}
	return Activity{Kind: words[0], At: todo.Time(ms), Calls: calls}
}
