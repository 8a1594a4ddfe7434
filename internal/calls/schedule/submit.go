package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// Request is the request for one call, as its caller writes it.
type Request struct {
	ID       string
	Tool     string
	Args     jsontext.Value // nil is an empty object
	Batch    string
	After    []string
	Priority int
	Barrier  bool
	Cwd      string
	unknown  jsontext.Value
}

// ReadRequests reads one JSON object a line, with the keys of calls/v1. Keys about the state of a call are skipped, so
// that the printed form of a call can be submitted again. It stops after as many calls as a schedule can have, because
// each needs many times the memory of its text.
func ReadRequests(data []byte) ([]Request, error) {
	var out []Request
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(out) == maxCalls {
			return nil, fmt.Errorf("%w: there are more than %d calls", ErrFull, maxCalls)
		}
		q, err := readRequest(line)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrRequest, number, err)
		}
		out = append(out, q)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: there is no call on standard input", ErrRequest)
	}
	return out, nil
}

// Fields lists the members of a request.
func (q *Request) Fields(f *object.Fields) {
	object.Text(f, "id", &q.ID)
	object.Text(f, "tool", &q.Tool)
	f.Raw("args", &q.Args)
	object.Text(f, "batch", &q.Batch)
	object.Strings(f, "after", &q.After)
	f.SignedInt("priority", &q.Priority)
	f.Bool("wait_for_previous", &q.Barrier)
	f.Skip("schema", "status", "class", "reason", "mode", "approval", "result", "timings")
	f.Unknown(&q.unknown)
}

func readRequest(line []byte) (q Request, err error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(line))
	r := object.NewReader(dec)
	r.Read(&q)
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(r.Err(), &syntax):
		return q, fmt.Errorf("column %d: %w", syntax.ByteOffset+1, syntax.Err)
	case r.Err() != nil:
		return q, r.Err()
	case q.unknown != nil:
		return q, fmt.Errorf("members that are not known: %s", session.ShortText(string(q.unknown)))
	case len(bytes.TrimSpace(line[dec.InputOffset():])) > 0:
		return q, fmt.Errorf("there is text after the object")
	}
	return q, nil
}

// Submit adds requests as one batch, except requests that name theirs.
// Each call is judged immediately. A request that cannot be a call at all refuses all of them;
// an unknown tool, bad arguments and what the policy forbids become calls that ended in error.
func Submit(d *Document, requests []Request, judge Judge, now todo.Time) (Change, error) {
	if n := len(d.Calls) + len(requests); n > maxCalls {
		return Change{}, fmt.Errorf("%w: there would be %d calls, at most %d are kept; `onward schedule clear` removes what has ended", ErrFull, n, maxCalls)
	}
	first := len(d.Calls)
	fresh := d.freshID("b", "", now)
	folded := map[string]string{}
	for c := range d.all() {
		folded[strings.ToLower(c.ID)] = c.ID
	}
	d.index()
	for _, q := range requests {
		c := Call{
			ID: q.ID, Tool: q.Tool, Args: q.Args, Batch: q.Batch, After: q.After,
			Priority: q.Priority, Barrier: q.Barrier, Cwd: q.Cwd,
		}
		if c.ID == "" {
			c.ID = d.freshID("c", q.Tool+string(q.Args), now)
		}
		if c.Batch == "" {
			c.Batch = fresh
		}
		if c.Args == nil {
			c.Args = jsontext.Value("{}")
		}
		if err := c.wellFormed(); err != nil {
			return Change{}, err
		}
		if other, taken := folded[strings.ToLower(c.ID)]; taken {
			return Change{}, fmt.Errorf("%w: the id %q is that of another call, %q", ErrRequest, c.ID, other)
		}
		folded[strings.ToLower(c.ID)] = c.ID
		d.at[c.ID] = len(d.Calls)
		d.Calls = append(d.Calls, c)
	}
	if err := d.checkDependencies(first); err != nil {
		return Change{}, err
	}
	s := d.Step(now)
	for i := first; i < len(d.Calls); i++ {
		c := &d.Calls[i]
		d.batch(c.Batch).Complete = false
		s.move(c, Validating)
		judge.moveToNextState(s, c)
	}
	return s.done("submitted " + todo.Plural(len(requests), "call"))
}

func (c *Call) wellFormed() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: call %q: %s", ErrRequest, c.ID, fmt.Sprintf(format, args...))
	}
	const id = "an id is letters, digits, dot, underscore and dash, at most 128"
	switch {
	case session.CheckName(session.Name{Session: c.ID}) != nil:
		return bad(id)
	case session.CheckName(session.Name{Session: c.Batch}) != nil:
		return bad("the batch %q: "+id, c.Batch)
	case c.Tool == "":
		return bad("it names no tool")
	case len(c.Tool) > 128:
		return bad("the tool's name has more than 128 bytes")
	case len(c.After) > maxAfter:
		return bad("it waits for more than %d calls", maxAfter)
	}
	return c.checkArgs(c.Args)
}

// checkArgs refuses arguments that a document could not contain, since it could not be read again.
func (c *Call) checkArgs(args jsontext.Value) error {
	if len(args) > MaxArgs {
		return fmt.Errorf("%w: call %q: the arguments have %d bytes, at most %d are taken", ErrFull, c.ID, len(args), MaxArgs)
	}
	if deep := object.Depth(args); deep > maxNesting {
		return fmt.Errorf("%w: call %q: the arguments nest %d deep, at most %d are taken", ErrFull, c.ID, deep, maxNesting)
	}
	return nil
}

// checkDependencies refuses dependencies on calls that are not there, and calls that would wait for each other.
func (d *Document) checkDependencies(first int) error {
	const unseen, open, clean = 0, 1, 2
	seen := make([]byte, len(d.Calls))
	// A path, and how far each call on it was followed. There is no recursion, because a chain can be as long as the list.
	type step struct{ call, next int }
	for start := first; start < len(d.Calls); start++ {
		path := []step{{start, 0}}
		for len(path) > 0 {
			top := &path[len(path)-1]
			c := &d.Calls[top.call]
			seen[top.call] = open
			if top.next == len(c.After) {
				seen[top.call] = clean
				path = path[:len(path)-1]
				continue
			}
			id := c.After[top.next]
			top.next++
			at, ok := d.at[id]
			switch {
			case !ok:
				return fmt.Errorf("%w: call %q, which call %q waits for", ErrNotFound, id, c.ID)
			case at < first || seen[at] == clean:
			case seen[at] == open:
				return fmt.Errorf("%w: call %q waits for %q, which waits for it: a cycle", ErrRequest, c.ID, id)
			default:
				path = append(path, step{at, 0})
			}
		}
	}
	return nil
}

// freshID makes an id that neither a call nor a batch has: a letter that says which it is, and five more characters.
// It is derived from the text and the time, so the same commands with the same clock produce the same ids.
func (d *Document) freshID(prefix, text string, now todo.Time) string {
	for salt := 0; ; salt++ {
		id := todo.ShortID(prefix, text, int64(now), int64(len(d.Calls)), int64(salt))
		taken := slices.ContainsFunc(d.Batches, func(b Batch) bool { return strings.EqualFold(b.ID, id) })
		if !taken && d.Find(id) == nil {
			return id
		}
	}
}
