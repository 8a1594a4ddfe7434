package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"onward/internal/store"
	"onward/internal/todo"
)

// Activity is the last activity in a conversation. It comes many times a turn,
// so it has a small file of its own, without lock or fsync; losing it costs nothing.
type Activity struct {
	Kind  string // the event's name
	At    todo.Time
	Calls int // tool calls that no turn's end has counted yet, as far as they were reported one by one
	Open  int // tool calls that began and have not ended, as far as both were reported

	workers string // hashes of the conversations that have worked; several work in one folder before one owns a list
}

// maxWorkers is how many conversations are remembered that have worked.
const maxWorkers = 8

// Worked reports whether a tool that may have changed something has run in a conversation since its user's prompt.
func (a Activity) Worked(conversation string) bool {
	return slices.Contains(strings.Split(a.workers, ","), worker(conversation))
}

// Works notes that such a tool has run in a conversation, or that its user has spoken.
func (a *Activity) Works(conversation string, works bool) {
	is := worker(conversation)
	others := slices.DeleteFunc(strings.Split(a.workers, ","), func(w string) bool { return w == "" || w == is })
	if works {
		others = append(others, is)
	}
	a.workers = strings.Join(others[max(0, len(others)-maxWorkers):], ",")
}

// worker returns the hash by which a conversation is noted.
func worker(conversation string) string { return store.Sum([]byte(conversation))[:8] }

// maxCalls is how many tool calls are counted.
const maxCalls = 1_000_000

// Touch changes the last activity. If there is no store yet, there is no session to record it for.
func (s *Store) Touch(name Name, change func(*Activity)) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return s.Notes.ChangeNote(Key(name), func(old []byte) []byte {
		a := parseActivity(old)
		change(&a)
		a.Calls, a.Open = min(a.Calls, maxCalls), min(a.Open, maxCalls)
		return []byte(a.line())
	})
}

// Saw is a change of the last activity that keeps the count of tool calls.
func Saw(kind string, at todo.Time) func(*Activity) {
	return func(a *Activity) { a.Kind, a.At = kind, at }
}

// line writes a sign of life as the one line of its file. What is 0 at its end is left out.
func (a Activity) line() string {
	words := []string{a.Kind, strconv.FormatInt(int64(a.At), 10), strconv.Itoa(a.Calls), cmp.Or(a.workers, "0"), strconv.Itoa(a.Open)}
	for len(words) > 2 && words[len(words)-1] == "0" {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ") + "\n"
}

// Activity returns the last activity, or the zero value if it cannot be read.
func (s *Store) Activity(name Name) Activity { return parseActivity(s.Notes.Note(Key(name))) }

// parseActivity reads the first line: the rest of a longer line that is being overwritten may follow it.
func parseActivity(data []byte) Activity {
	line, _, _ := strings.Cut(string(data), "\n")
	words := strings.Split(strings.TrimSpace(line), " ")
	if len(words) < 2 || len(words) > 5 {
		return Activity{}
	}
	ms, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return Activity{}
	}
	a := Activity{Kind: words[0], At: todo.Time(ms)}
	for i, n := range []*int{&a.Calls, nil, &a.Open}[:len(words)-2] {
		switch word := words[2+i]; {
		case n != nil:
			if *n, err = strconv.Atoi(word); err != nil || *n < 0 || *n > maxCalls {
				return Activity{}
			}
		case word == "0" || word == "1": // older versions did not note who it was
		case strings.Trim(word, "0123456789abcdef,") != "" || len(word) > maxWorkers*9:
			return Activity{}
		default:
			a.workers = word
		}
	}
	return a
}
