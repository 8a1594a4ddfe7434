package session

import (
	"cmp"
	"strconv"
	"strings"

	"onward/internal/store"
	"onward/internal/todo"
)

// Activity is the last activity in a conversation. It comes many times a turn,
// so it has a small file of its own, without lock or fsync; losing it costs nothing.
type Activity struct {
	Kind string // the event's name
	At   todo.Time
	Open int // tool calls that began and have not ended, if both were reported

	Start string // the state of the checkout when the user gave the last task; empty if it is not known

	efforts string // what the last conversations have done; several may work in a folder before one of them owns a list
}

// effort is what one conversation has done since its user's prompt. In the file it is one word: a hash of the
// conversation's id; a plus if a tool has run that may have changed something, else a minus; and the number of tool calls
// that were reported one by one and that no turn's end has counted yet.
type effort string

const (
	noKind     = "0" // in the file, if nothing but the start of a task is known
	maxEfforts = 8   // how many conversations are remembered
	maxCalls   = 1_000_000
	hashDigits = 8
)

func (e effort) calls() int {
	n, _ := strconv.Atoi(string(e[min(len(e), hashDigits+1):]))
	return n
}

func (e effort) worked() bool { return e != "" && !strings.Contains(string(e), "-") }

func (e effort) valid() bool {
	hash, calls := e[:min(len(e), hashDigits)], e[min(len(e), hashDigits+1):]
	return len(hash) == hashDigits && strings.Trim(string(hash), "0123456789abcdef") == "" &&
		strings.Trim(string(e[len(hash):len(e)-len(calls)]), "+-") == "" &&
		strings.Trim(string(calls), "0123456789") == "" && e.calls() <= maxCalls
}

// effort returns the effort of a conversation, and those of the others.
func (a Activity) effort(conversation string) (is effort, others []string) {
	hash := store.Checksum([]byte(conversation))[:hashDigits]
	for e := range strings.SplitSeq(a.efforts, ",") {
		if strings.HasPrefix(e, hash) {
			is = effort(e)
		} else if e != "" {
			others = append(others, e)
		}
	}
	return is, others
}

// Worked reports whether a tool that may have changed something has run in a conversation since its user's prompt.
func (a Activity) Worked(conversation string) bool {
	is, _ := a.effort(conversation)
	return is.worked()
}

// UncountedCalls returns how many tool calls of a conversation no turn's end has counted yet.
func (a Activity) UncountedCalls(conversation string) int {
	is, _ := a.effort(conversation)
	return is.calls()
}

// RecordWork records that such a tool has run in a conversation, or that its user has spoken.
func (a *Activity) RecordWork(conversation string, works bool) {
	a.set(conversation, a.UncountedCalls(conversation), works)
}

// CountCalls counts tool calls of a conversation; those of a turn that has ended are taken back.
func (a *Activity) CountCalls(conversation string, calls int) {
	a.set(conversation, min(max(0, a.UncountedCalls(conversation)+calls), maxCalls), a.Worked(conversation))
}

func (a *Activity) set(conversation string, calls int, worked bool) {
	_, others := a.effort(conversation)
	if calls > 0 || worked {
		sign := "-"
		if worked {
			sign = "+"
		}
		others = append(others, store.Checksum([]byte(conversation))[:hashDigits]+sign+strconv.Itoa(calls))
	}
	a.efforts = strings.Join(others[max(0, len(others)-maxEfforts):], ",")
}

// UpdateActivity changes the last activity. If there is no store yet, there is no session to record it for.
func (s *Store) UpdateActivity(name Name, change func(*Activity)) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return s.Notes.ChangeNote(Key(name), func(old []byte) []byte {
		a := parseActivity(old)
		change(&a)
		a.Open = min(a.Open, maxCalls)
		return []byte(a.line())
	})
}

// line writes activity as the one line of its file. Values at the end that are 0 are left out. The third word was the number
// of calls of all conversations together in older versions, and is no longer used.
func (a Activity) line() string {
	words := []string{cmp.Or(a.Kind, noKind), strconv.FormatInt(int64(a.At), 10), "0", cmp.Or(a.efforts, "0"), strconv.Itoa(a.Open), cmp.Or(a.Start, "0")}
	for len(words) > 2 && words[len(words)-1] == "0" {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ") + "\n"
}

// Activity returns the last activity, or the zero value if it cannot be read.
func (s *Store) Activity(name Name) Activity { return parseActivity(s.Notes.Note(Key(name))) }

// parseActivity reads the first line only. If the file is being overwritten, the rest of a longer line may follow.
func parseActivity(data []byte) Activity {
	line, _, _ := strings.Cut(string(data), "\n")
	words := strings.Split(strings.TrimSpace(line), " ")
	if len(words) < 2 || len(words) > 6 {
		return Activity{}
	}
	ms, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return Activity{}
	}
	a := Activity{At: todo.Time(ms)}
	if words[0] != noKind {
		a.Kind = words[0]
	}
	for i, word := range words[2:] {
		switch {
		case i == 1 && (word == "0" || word == "1"): // older versions did not note who it was
		case i == 3:
			if a.Start = word; TreeOf(word) == word { // not a state of a checkout
				return Activity{}
			}
		case i == 1:
			a.efforts = word
			for e := range strings.SplitSeq(word, ",") {
				if !effort(e).valid() || strings.Count(word, ",") >= maxEfforts {
					return Activity{}
				}
			}
		default:
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n > maxCalls {
				return Activity{}
			}
			if i == 2 {
				a.Open = n
			}
		}
	}
	return a
}
