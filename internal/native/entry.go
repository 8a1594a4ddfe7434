package native

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// TextMembers are the members of an item that can hold its text, the one that counts first.
// An item that has a description and another text has the longer text in its description, which no agent shows in a list.
var TextMembers = [...]string{"content", "text", "subject", "title", "step", "description"}

// Entry is an item of a list as some program wrote it.
type Entry struct {
	todo.Item
	Parent string   // id of the task that it is a part of
	Gone   bool     // it was deleted, or its program does not show it
	At     int      // where it begins in the text, in bytes
	Plan   *Planned // what is known about an item of a plan only; nil for others
	Why    error    // why it cannot be kept; nil if it can
}

// Planned is what a plan tells of an item beyond what a list has.
type Planned struct {
	Place
	Parts []Place // of its subtasks
	Order int     // its priority, if that is a number, from 1; 0 is none
}

// Place is where an item is in a text, in bytes.
type Place struct {
	At, End int
	Says    []Span // the values that tell its status
}

// Span is a value in a text, from one byte up to another.
type Span struct {
	At, End int
	Word    bool // it is a word for a status; otherwise it is true if the item is completed
}

// entry is an Entry that is being read.
type entry struct {
	Entry
	seen  uint64 // a bit for each member
	other otherStatus
	hint  otherStatus // a member that may be meant for a status, and is not known as one
	texts [len(TextMembers)]struct {
		text  string
		at    int
		given bool
	}
}

// reader reads lists of other programs, member by member. It skips members that it does not expect;
// a strict reader stops at the first one.
type reader struct {
	*object.Reader
	dec   *jsontext.Decoder
	data  []byte
	form  *Form  // what a strict reader expects; nil is a lenient one
	at    int    // where the value begins that is being read
	wrong *Error // what a strict reader refused

	item, part int // numbers of what is being read, from 1
	flattened  int // subtasks of subtasks, which are now directly under their item
}

// mark remembers where the next value begins.
func (r *reader) mark() {
	r.at = int(r.dec.InputOffset())
	for r.at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n:,"), r.data[r.at]) >= 0 {
		r.at++
	}
}

// refuse records an error, at which a strict reader stops. A lenient reader goes on.
func (r *reader) refuse(at int, err error) {
	if r.form != nil && r.wrong == nil && r.Err() == nil {
		r.wrong = &Error{Item: r.item, Part: r.part, At: at, Err: err}
		r.Errorf("refused")
	}
}

func (r *reader) refusef(at int, format string, args ...any) {
	if r.form != nil {
		r.refuse(at, fmt.Errorf("%w: "+format, append([]any{todo.ErrData}, args...)...))
	}
}

// full refuses another item of a list, or another part of an item, if there are already as many as there may be.
func (r *reader) full(n int, what string) bool {
	if n < todo.MaxItems {
		return false
	}
	r.refuse(r.at, fmt.Errorf("%w: more than %d %s", todo.ErrLimit, todo.MaxItems, what))
	r.Skip()
	return true
}

// read reads an item.
func (r *reader) read() Entry {
	r.mark()
	e := entry{Entry: Entry{At: r.at}}
	if r.plan() {
		e.Plan = &Planned{Place: Place{At: r.at}}
	}
	if r.Null() {
		r.refusef(e.At, "null where an object belongs")
		e.Why = errNull
		return e.Entry
	}
	r.Object(func(name string) {
		r.mark()
		r.member(&e, name)
	})
	if e.Plan != nil {
		e.Plan.End = int(r.dec.InputOffset())
	}
	r.chooseTextAndStatus(&e)
	return e.Entry
}

// says remembers that the value which was just read tells the status of an item.
func (r *reader) says(e *entry, at int, word bool) {
	if e.Plan != nil {
		e.Plan.Says = append(e.Plan.Says, Span{at, int(r.dec.InputOffset()), word})
	}
}

// members are the names of all members that are read of an item, TextMembers first. They are those of all programs, since no
// two mean different things by the same name. Case, underscores and dashes of a name make no difference.
var members = [...]string{
	"content", "text", "subject", "title", "step", "description",
	"id", "status", "completed", "priority", "activeform", "nativestatus", "blockedby", "dependencies", "dependson", "reason",
	"subtasks", "parentid", "metadata", "createdat", "updatedat", "completedat",
	"state", "done", "complete", "finished", "checked", "passes", "passed", "isdone", "iscomplete", "iscompleted", "isfinished", "ischecked",
}

// member reads a member of an item.
func (r *reader) member(e *entry, name string) {
	i := slices.IndexFunc(members[:], func(m string) bool { return object.SameName(m, name) })
	switch {
	case name == "_type" && r.plan(): // beads keeps its memories among its issues
		e.Gone = r.String() != "issue" || e.Gone
		return
	case i < 0:
		r.unknownMember(e, name)
		return
	}
	if e.seen&(1<<i) != 0 {
		r.refusef(r.at, "%q is duplicated in one object", name)
	}
	e.seen |= 1 << i
	if i < len(TextMembers) {
		t := &e.texts[i]
		if t.at, t.given = r.at, r.dec.PeekKind() == '"'; !t.given && r.plan() {
			r.Skip() // such as the number of a step
			return
		}
		t.text = r.String()
		return
	}
	switch members[i] {
	case "id":
		e.ID = r.id()
	case "status":
		r.status(e)
	case "priority":
		r.priority(e)
	case "activeform":
		e.ActiveForm = r.String()
	case "nativestatus":
		e.NativeStatus = r.String()
	case "blockedby", "dependencies", "dependson":
		if r.plan() && r.Null() {
			return
		}
		n := 0
		r.Array(func() {
			r.mark()
			if n++; r.full(n-1, "ids in "+name) {
				return
			}
			id := ""
			if r.plan() && r.dec.PeekKind() == '{' {
				id = r.dependency(e)
			} else {
				id = r.id()
			}
			if id != "" && !slices.Contains(e.BlockedBy, id) {
				e.BlockedBy = append(e.BlockedBy, id)
			}
		})
	case "reason":
		r.reason(e)
	case "subtasks":
		r.subtasks(e)
	case "parentid":
		e.Parent = r.id()
	case "metadata":
		r.metadata(e)
	case "createdat":
		e.CreatedAt = r.time()
	case "updatedat":
		e.UpdatedAt = r.time()
	case "completedat":
		r.completion(e, name)
		e.CompletedAt = r.time()
	default:
		r.otherStatus(e, name)
	}
}

// id reads an id, which may be a number.
func (r *reader) id() string {
	if r.dec.PeekKind() == '0' {
		return ShortenID(string(r.Raw()))
	}
	return ShortenID(r.String())
}

// plan reports whether the list is the plan of a project, and not the list of an agent.
func (r *reader) plan() bool { return r.form != nil && r.form.Plan }

// priority reads a priority. That of a plan can be a number, or a word that onward does not have.
func (r *reader) priority(e *entry) {
	switch {
	case !r.plan():
		word := r.String()
		p, err := todo.ParsePriority(word)
		if err != nil {
			r.refusef(r.at, "priority %q (one of high, medium, low)", word)
		}
		e.Priority = p
	case r.dec.PeekKind() == '0':
		if n, err := strconv.Atoi(string(r.Raw())); err == nil && n >= 0 {
			e.Plan.Order = n + 1
		}
	case r.dec.PeekKind() == '"':
		switch word := strings.ToLower(r.String()); word {
		case "critical", "urgent", "highest":
			e.Priority = todo.High
		default:
			e.Priority, _ = todo.ParsePriority(word) // what it does not know is no reason to refuse a plan
		}
	default:
		r.Skip()
	}
}

// dependency reads an issue's relation to another one, as beads writes it, and returns the id of that if the issue waits for it.
func (r *reader) dependency(e *entry) (id string) {
	kind := "blocks"
	r.Object(func(name string) {
		switch name {
		case "depends_on_id", "id":
			id = r.id()
		case "type", "dependency_type":
			kind = r.String()
		default:
			r.Skip()
		}
	})
	switch kind {
	case "blocks", "conditional-blocks", "waits-for":
		return id
	case "parent-child":
		e.Parent = id
	}
	return ""
}

// planStatus is Status for the words that programs with plans have beyond those of agents. A word for which onward has no status
// stays the reason why the item waits.
func (r *reader) planStatus(e *entry, word string) bool {
	switch strings.ReplaceAll(strings.ToLower(word), "_", "-") {
	case "deferred", "review", "in-review", "pinned", "on-hold":
		e.Status, e.Reason = todo.Blocked, word
	case "hooked":
		e.Status = todo.InProgress
	case "tombstone":
		e.Gone = true
	default:
		return false
	}
	return true
}

// status reads a status, in our words or in the agent's own.
func (r *reader) status(e *entry) {
	if r.Null() {
		r.says(e, r.at, true)
		return
	}
	if r.form == nil && r.dec.PeekKind() != '"' {
		e.Why = errStatus
		r.Skip()
		return
	}
	word := r.String()
	r.says(e, r.at, true)
	s, own, known := ParseStatus(word)
	switch {
	case known:
		e.Status, e.NativeStatus = s, cmp.Or(e.NativeStatus, own)
	case r.plan() && r.planStatus(e, word):
	case word == "deleted": // by its agent
		e.Status, e.Gone = todo.Cancelled, true
	default:
		e.Why = unknownStatus(word)
		r.refusef(r.at, "status %q (one of %s)", word, r.form.words())
	}
}

// otherStatus is what an item has instead of a status.
type otherStatus struct {
	name   string // of the member; empty if there is none
	at     int
	status todo.Status // empty is open
	own    string
	wrong  error // it cannot be told what it means
}

// otherStatus reads a member that some lists have instead of a status: whether the item is done, or a word for its state.
func (r *reader) otherStatus(e *entry, name string) {
	found := otherStatus{name: name, at: r.at}
	switch kind := r.dec.PeekKind(); {
	case kind == 'n':
		if r.Skip(); object.SameName(name, "passes") {
			r.says(e, found.at, false)
		}
		return
	case kind == '"':
		word := r.String()
		var known bool
		if found.status, found.own, known = ParseStatus(word); known {
			r.says(e, found.at, true)
		} else {
			found.wrong = invalid(fmt.Sprintf("its %s is %q", name, word))
		}
	case kind != 't' && kind != 'f', object.SameName(name, "state"):
		r.Skip()
		found.wrong = invalid(fmt.Sprintf("its %s is neither true nor false", name))
		if object.SameName(name, "state") {
			found.wrong = invalid("its state is not a string")
		}
	default:
		if r.Bool() {
			found.status = todo.Completed
		}
		r.says(e, found.at, false)
	}
	switch was := &e.other; {
	case was.name == "":
		*was = found
	case was.wrong == nil && found.wrong == nil && was.status != found.status:
		was.wrong = invalid(fmt.Sprintf("its %s and its %s contradict each other", was.name, name))
	case was.wrong == nil:
		was.wrong = found.wrong
	}
}

// closedWords are names of members that probably say of an item that it is done. They are not believed, since a program can
// mean something else by them. Other members that are true, such as "optional", say nothing about that.
var closedWords = [...]string{
	"ok", "success", "succeeded", "successful", "pass", "passed", "closed", "ticked", "ticked_off", "achieved", "accomplished",
	"delivered", "resolved", "solved", "fixed", "implemented", "merged", "verified", "tested", "marked", "tick", "check", "checkmark", "crossed",
	"crossed_off",
}

// shares are names of members that say how much of an item is done.
var shares = [...]string{"percent", "percentage", "percent_complete", "percent_done", "progress", "completion"}

// completions are names of members that say when an item was done.
var completions = [...]string{"closed_at", "done_at", "finished_at", "resolved_at", "completed_on", "completed_date", "completion_date"}

// completion remembers a member that says when an item was done.
func (r *reader) completion(e *entry, name string) {
	if r.dec.PeekKind() != 'n' {
		e.hint = otherStatus{name: name, at: r.at, wrong: invalid(fmt.Sprintf("it has no status, and it has a %s", name))}
	}
}

// unknownMember skips a member, and remembers it if its value is a word for a status, or if it is true and its name is one: nothing
// else may say that the item is closed.
func (r *reader) unknownMember(e *entry, name string) {
	at := r.at
	switch kind := r.dec.PeekKind(); {
	case e.other.name != "":
		r.Skip()
		return
	case slices.ContainsFunc(completions[:], func(w string) bool { return object.SameName(w, name) }):
		r.completion(e, name)
		r.Skip()
		return
	case kind == 'f':
		r.Skip()
		if s, _, known := ParseStatus(name); known && s.Open() {
			e.hint = otherStatus{name: name, at: at, wrong: invalid(fmt.Sprintf("it has no status, and its %s is false", name))}
		}
		return
	case kind == 't' && slices.ContainsFunc(closedWords[:], func(w string) bool { return object.SameName(w, name) }):
		r.Skip()
		e.hint = otherStatus{name: name, at: at, wrong: invalid(fmt.Sprintf("it has no status, and its %s is true", name))}
		return
	case kind == '0' && slices.ContainsFunc(shares[:], func(w string) bool { return object.SameName(w, name) }):
		if said := string(r.Raw()); said == "100" {
			e.hint = otherStatus{name: name, at: at, wrong: invalid(fmt.Sprintf("it has no status, and its %s is %s", name, said))}
		}
		return
	case kind != '"':
		r.Skip()
		return
	}
	word := r.String()
	if status, _, known := ParseStatus(word); known && status != todo.Pending {
		e.hint = otherStatus{name: name, at: at, wrong: invalid(fmt.Sprintf("it has no status, and its %s is %q", name, word))}
	}
}

// settleStatus gives an item without a status the one that another member tells. What cannot be told is refused: the item would be
// pending, although its program may have finished it.
//
// A status and another member that contradict each other are refused as well.
func (r *reader) settleStatus(e *entry) {
	found := e.other
	switch {
	case e.Gone || e.Why != nil:
		return
	case e.Status != "" && (found.name == "" || found.wrong != nil || (found.status == todo.Completed) == (e.Status == todo.Completed)):
		return
	case e.Status != "":
		e.Why = invalid(fmt.Sprintf("its status and its %s contradict each other", found.name))
		r.refusef(found.at, "%v", e.Why)
		return
	}
	if found.name == "" {
		found = e.hint
	}
	if found.wrong != nil {
		e.Why = found.wrong
		r.refusef(found.at, "%v; write \"status\" (one of %s)", found.wrong, r.form.words())
		return
	}
	e.Status, e.NativeStatus = found.status, cmp.Or(e.NativeStatus, found.own)
}

// The reasons why an entry cannot be kept: it, or one of its members, has the wrong type.
const (
	errNull   = invalid("it is null")
	errStatus = invalid("its status is not a string")
)

// invalid is an error with its message. Constants are of it, so that no start of the program builds one.
type invalid string

func (i invalid) Error() string { return string(i) }

// unknownStatus is a status that no agent uses.
type unknownStatus string

func (s unknownStatus) Error() string { return fmt.Sprintf("its status is %q", string(s)) }

func (r *reader) reason(e *entry) {
	e.Reason = r.String()
	if strings.TrimSpace(e.Reason) == "" {
		return
	}
	if _, err := todo.CheckText(e.Reason); err != nil {
		r.refuse(r.at, fmt.Errorf("the reason: %w", err))
		e.Reason = ""
	}
}

// metadata looks for the mark of a task that is internal to its agent, such as that of a teammate. The agent does not show it.
func (r *reader) metadata(e *entry) {
	if r.dec.PeekKind() != '{' {
		r.Skip()
		return
	}
	r.Object(func(name string) {
		e.Gone = e.Gone || name == "_internal" && r.dec.PeekKind() == 't'
		r.Skip()
	})
}

// time reads a time in onward's form. Other programs have forms of their own, which are not read.
func (r *reader) time() todo.Time {
	if r.form == nil || !r.form.Times {
		r.Skip()
		return 0
	}
	return todo.Time(r.Millis())
}

// subtasks reads the parts of an item. Those that have parts of their own have them flattened.
func (r *reader) subtasks(e *entry) {
	if r.dec.StackDepth() > object.MaxDepth {
		r.refuse(r.at, fmt.Errorf("%w: %w", todo.ErrData, object.ErrTooDeep))
		r.Skip()
		return
	}
	if r.plan() && r.Null() {
		return
	}
	outer := r.part
	r.part = 0
	r.Array(func() {
		r.mark()
		r.part++
		if r.full(len(e.Subtasks), "subtasks of one item") {
			return
		}
		sub := r.read()
		var status unknownStatus
		if errors.As(sub.Why, &status) && e.Why == nil { // without it the item would look more finished than it may be
			e.Why = invalid("of a subtask, " + sub.Why.Error())
		}
		if sub.Why != nil || sub.Gone {
			return
		}
		r.flattened += len(sub.Subtasks)
		e.Subtasks = append(e.Subtasks, todo.Subtask{ID: sub.ID, Content: sub.Content, Status: sub.Status, Reason: sub.Reason})
		e.Subtasks = append(e.Subtasks, sub.Subtasks...)
		if e.Plan != nil {
			e.Plan.Parts = append(append(e.Plan.Parts, sub.Plan.Place), sub.Plan.Parts...)
		}
	})
	r.part = outer
}

// chooseTextAndStatus selects the text of an item from its members, and its status.
func (r *reader) chooseTextAndStatus(e *entry) {
	if r.settleStatus(e); e.Gone && r.form != nil {
		return
	}
	for _, t := range e.texts {
		if !t.given || r.form == nil && strings.TrimSpace(t.text) == "" {
			continue
		}
		text, err := todo.CheckText(t.text)
		if e.Content = text; err == nil {
			return
		}
		e.Why = cmp.Or(e.Why, err)
		if errors.Is(err, todo.ErrSyntax) { // in a list it is wrong data, and no wrong argument
			err = fmt.Errorf("%w: the text is empty", todo.ErrData)
		}
		r.refuse(t.at, err)
		return
	}
	_, err := todo.CheckText("")
	e.Why = cmp.Or(e.Why, err)
	r.refusef(e.At, "no text (content, text, description, subject, title or step)")
}
