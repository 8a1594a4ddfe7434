package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/todo"
)

const (
	schedulesDir = "schedules"
	keptOps      = 16
)

// Store keeps the schedules in the folder of a session store.
type Store struct {
	Dir         string
	LockTimeout time.Duration
}

func document(n session.Name) durable.Document {
	return durable.Document{Folder: schedulesDir, Name: n.String()}
}

// Path gives the file of a schedule, below the store.
func Path(n session.Name) string { return document(n).Path() }

// Files gives the files that change with the tool calls and the messages of a session, in the store.
func Files(n session.Name) []string { return []string{Path(n), journalPath(n)} }

// Commit tells what an update came to.
type Commit struct {
	Doc     *Document
	Change  Change
	Changed bool
	Again   bool // the operation had been applied before; Change is the first answer
}

// Load reads a schedule. It gives nil where there never was one.
func (s *Store) Load(name session.Name) (*Document, error) {
	if err := session.CheckName(name); err != nil {
		return nil, err
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	doc, info, err := load(root, name, false)
	if err == nil && doc == nil {
		return nil, nil
	}
	if now, lost := root.Lstat(Path(name)); info != nil && lost == nil && durable.Same(now, info) {
		return doc, err
	}
	// The document was replaced between our looks at it and at its journal, or is out of sight while it is,
	// as a file system in user space may have it. Under its lock it is not.
	t, locked := s.begin(name)
	if locked != nil {
		return nil, cmp.Or(err, fmt.Errorf("read schedule %q: %w", name, locked))
	}
	defer t.End()
	doc, _, err = load(t.Root, name, false)
	return doc, err
}

// load reads a document and what its journal adds. Edited says that the checksum of the document may be wrong.
func load(root *os.Root, name session.Name, edited bool) (*Document, fs.FileInfo, error) {
	wrong := func(err error) error { return &session.ReadError{What: "schedule", Name: name, Err: err} }
	data, info, err := durable.ReadFile(root, Path(name), maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		if err = document(name).Missing(root); err == nil {
			return nil, nil, nil
		}
	}
	var d *Document
	if err == nil {
		d, err = decodeDocument(data, edited)
	}
	if err == nil {
		if is := (session.Name{Session: d.Session, Agent: d.Agent}); is.String() != name.String() {
			err = durable.Problem(durable.ErrCorrupt, "the file is of session %q", is)
		}
	}
	if err == nil {
		err = d.replay(root, name)
	}
	if err != nil {
		return nil, info, wrong(err)
	}
	return d, info, nil
}

// begin takes the lock of a schedule, and ends a deletion that was cut off: entries of a journal
// that belong to a schedule which is gone must not be taken for those of the next.
func (s *Store) begin(name session.Name) (*durable.Transaction, error) {
	t, err := durable.Begin(s.Dir, document(name), s.LockTimeout)
	if err != nil || !t.Deleted {
		return t, err
	}
	if _, err := t.Clear(journalPath(name)); err != nil {
		t.End()
		return nil, err
	}
	return t, nil
}

// Update changes a schedule under its lock and commits the result.
// Where change says nothing, nothing is written. An op that is among the last ones is not applied again.
func (s *Store) Update(name session.Name, op string, now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	return s.update(name, op, now, false, change)
}

func (s *Store) update(name session.Name, op string, now todo.Time, edited bool, change func(*Document) (Change, error)) (Commit, error) {
	if err := session.CheckName(name); err != nil {
		return Commit{}, err
	}
	if err := session.CheckOp(op); err != nil {
		return Commit{}, err
	}
	t, err := s.begin(name)
	if err != nil {
		return Commit{}, fmt.Errorf("write schedule %q: %w", name, err)
	}
	defer t.End()
	d, info, err := load(t.Root, name, edited)
	if err != nil {
		return Commit{}, err
	}
	if d == nil {
		d = newDocument(name, now)
	} else if at := slices.IndexFunc(d.Ops, func(o Op) bool { return op != "" && o.ID == op }); at >= 0 {
		return Commit{Doc: d, Change: d.Ops[at].Change, Changed: true, Again: true}, nil
	}
	if d.Schema != schema {
		return Commit{}, fmt.Errorf("write schedule %q: %w", name, durable.Problem(durable.ErrNewer, "the file has the schema %q", d.Schema))
	}
	did, err := change(d)
	if err != nil || did.What == "" {
		return Commit{Doc: d, Change: did}, err
	}
	d.Rev++
	d.Op = op
	if op == "" {
		d.Op = fmt.Sprintf("o%016x", rand.Uint64())
	} else {
		d.Ops = append(d.Ops, Op{ID: op, Change: did})
		d.Ops = d.Ops[max(0, len(d.Ops)-keptOps):]
	}
	d.UpdatedAt = now
	data, err := d.encode()
	if err == nil {
		err = t.Replace(data, info, now.Time(), nil)
	}
	if err != nil {
		return Commit{Doc: d, Change: did}, fmt.Errorf("write schedule %q: %w", name, err)
	}
	return Commit{Doc: d, Change: did, Changed: true}, nil
}

// Delete removes a schedule with what repair moved aside of it, and reports whether there was something.
// While a process runs its calls it is kept, and the error is durable.ErrBusy.
func (s *Store) Delete(name session.Name) (bool, error) {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return false, err
	}
	_, err = root.Lstat(Path(name))
	_, unended := root.Lstat(journalPath(name))
	lost := document(name).Missing(root)
	aside := damaged(root, name)
	root.Close()
	if errors.Is(err, fs.ErrNotExist) && errors.Is(unended, fs.ErrNotExist) && lost == nil && len(aside) == 0 {
		return false, nil
	}
	run, err := s.Begin(name)
	if err != nil {
		return false, err
	}
	defer run.End()
	t, err := s.begin(name)
	if err == nil {
		defer t.End()
		err = t.Remove(nil, append(aside, journalPath(name))...)
	}
	if err != nil {
		return errors.Is(err, durable.ErrNotDurable), fmt.Errorf("delete schedule %q: %w", name, err)
	}
	return true, nil
}

// Standing is what a schedule means for whether its agent is continued.
type Standing struct {
	Messages int      // of the user, which wait
	Awaiting []string // the calls that wait for an approval
	Pending  int      // calls that are scheduled or run
	Running  bool     // a process is at work on them
}

// Standing tells how a schedule stands, for a command that must be quick: it reads only the head of the document
// where every call has ended, and nothing where there is none.
func (s *Store) Standing(name session.Name) (Standing, error) {
	messages, open, err := readHead(s.Dir, name)
	if err != nil || open == 0 {
		return Standing{Messages: messages}, err
	}
	doc, err := s.Load(name)
	if err != nil || doc == nil {
		return Standing{}, err
	}
	counts := doc.Counts()
	standing := Standing{Messages: len(doc.Messages), Awaiting: doc.Awaiting(""), Pending: counts[Scheduled] + counts[Executing]}
	if standing.Pending == 0 {
		return standing, nil
	}
	atOnce := Store{Dir: s.Dir}
	run, err := atOnce.Begin(name)
	if err == nil {
		run.End()
	}
	if standing.Running = errors.Is(err, durable.ErrBusy); standing.Running {
		err = nil
	}
	return standing, err
}

// readHead reads how many messages wait and how many calls have not ended; -1 where the document does not say.
func readHead(dir string, name session.Name) (messages, open int, err error) {
	path := path.Join(dir, schedulesDir, name.String()+".json")
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, missing(dir, name)
	}
	wrong := func(err error) (int, int, error) {
		return 0, 0, &session.ReadError{What: "schedule", Name: name, Err: err}
	}
	if err != nil {
		return wrong(durable.SystemError(err))
	}
	if err := durable.Regular(path, info); err != nil {
		return wrong(err)
	}
	root, err := durable.Open(dir)
	if err != nil || root == nil {
		return 0, 0, err
	}
	defer root.Close()
	f, err := root.Open(Path(name))
	if err != nil {
		return wrong(durable.SystemError(err))
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return wrong(durable.SystemError(err))
	}
	messages, open, ok := parseHead(head[:n])
	if !ok {
		return wrong(durable.Problem(durable.ErrCorrupt, "it does not begin as a schedule does"))
	}
	return messages, open, nil
}

// missing tells a schedule that was never there from one that is gone, which is an error for every reader.
func missing(dir string, name session.Name) error {
	if _, err := os.Lstat(path.Join(dir, document(name).LockPath())); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	root, err := durable.Open(dir)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	_, _, err = load(root, name, false)
	return err
}

// parseHead finds the numbers near the beginning of a document, of which this is the head, and checks the checksum behind them.
func parseHead(head []byte) (messages, open int, ok bool) {
	dec := jsontext.NewDecoder(&headReader{head})
	minReader := 0
	open = -1
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return 0, 0, false
	}
	for range 8 {
		end := dec.InputOffset()
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != '"' {
			return 0, 0, false
		}
		member := name.String()
		value, err := dec.ReadToken()
		if err != nil {
			return 0, 0, false
		}
		number, notNumber := int64(0), errors.ErrUnsupported
		if value.Kind() == '0' {
			number, notNumber = value.Int()
		}
		switch {
		case member == "min_reader":
			minReader = int(number)
		case member == "waiting":
			messages, ok = int(number), notNumber == nil
		case member == "open" && ok && notNumber == nil:
			open = int(number)
		case member == "head" && ok:
			return messages, open, value.Kind() == '"' && value.String() == durable.Sum(head[:end])
		case ok:
			return messages, open, minReader == 1 // which wrote no checksum
		}
	}
	return 0, 0, false
}

// headReader gives the head of a file, and no end, which would be in the middle of a value.
type headReader struct{ rest []byte }

func (r *headReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
