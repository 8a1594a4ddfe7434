package exchange

import (
	"cmp"
	"fmt"
	"strings"

	agents "onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// order gives the members that can hold the text, the one that counts first.
// A task of Claude Code or of the tracker has a short text, and a description of it that no list shows.
func (n *nativeReader) order() [6]int {
	const content, text, description, subject, title, step = 0, 1, 2, 3, 4, 5
	switch n.format {
	case Claude:
		return [...]int{subject, content, text, title, step, description}
	case Gemini:
		return [...]int{title, content, text, subject, step, description}
	}
	return [...]int{content, text, subject, title, step, description} // as native.TextMembers
}

// complete takes the text of an item from the members that were given.
func (n *nativeReader) complete(it *draft) {
	if n.failure() != nil {
		return
	}
	for _, i := range n.order() {
		t := &it.texts[i]
		if !t.given {
			continue
		}
		var err error
		if it.Content, err = checkText(t.text); err != nil {
			n.refuse(t.at, err)
		}
		return
	}
	n.refusef(it.at, "no text (content, text, description, subject, title or step)")
}

// looseID reads an id that may be a string or a number.
func (n *nativeReader) looseID() string {
	if n.dec.PeekKind() != '0' {
		return n.r.String()
	}
	v, err := n.dec.ReadValue()
	if err != nil {
		n.refusef(n.at, "%v", err)
	}
	return string(v)
}

// status reads a status in our words or in the agent's own.
func (n *nativeReader) status(it *draft) {
	if n.r.Null() {
		return
	}
	word := n.r.String()
	if s, own, ok := agents.Status(word); ok {
		it.Status, it.NativeStatus = s, cmp.Or(it.NativeStatus, own)
		return
	}
	words := "pending, in_progress, completed, cancelled, blocked"
	switch {
	case n.format == Claude && word == "deleted":
		it.Status, it.gone = todo.Cancelled, true
	default:
		if n.format == Gemini {
			words = "open, in_progress, blocked, closed"
		}
		n.refusef(n.at, "status %q (one of %s)", word, words)
	}
}

// metadata looks for the mark of a task that Claude Code keeps for itself, such as that of a teammate, and lists nowhere.
func (n *nativeReader) metadata(it *draft) {
	if n.dec.PeekKind() != '{' {
		n.r.Skip()
		return
	}
	n.r.Object(func(name string) bool {
		it.gone = it.gone || name == "_internal" && n.dec.PeekKind() == 't'
		n.r.Skip()
		return true
	})
}

func (n *nativeReader) priority(it *draft) {
	if n.r.Null() {
		return
	}
	word := n.r.String()
	p, err := todo.ParsePriority(word)
	if err != nil {
		n.refusef(n.at, "priority %q (one of high, medium, low)", word)
	}
	it.Priority = p
}

func (n *nativeReader) reason(it *draft) {
	it.Reason = n.r.String()
	if strings.TrimSpace(it.Reason) == "" {
		return
	}
	if _, err := checkText(it.Reason); err != nil {
		n.refuse(n.at, fmt.Errorf("reason: %w", err))
	}
}

// subtasks reads the parts of an item. Those that have parts of their own have them flattened.
func (n *nativeReader) subtasks(it *draft) {
	if n.dec.StackDepth() > object.MaxDepth {
		n.refuse(n.at, fmt.Errorf("%w: %w", todo.ErrData, object.ErrTooDeep))
		return
	}
	n.r.Array(func() {
		n.mark()
		sub := n.item()
		n.flattened += len(sub.Subtasks)
		it.Subtasks = append(it.Subtasks, todo.Subtask{ID: sub.ID, Content: sub.Content, Status: sub.Status})
		it.Subtasks = append(it.Subtasks, sub.Subtasks...)
		if err := full(len(it.Subtasks)-1, "subtasks of one item"); err != nil {
			n.refuse(sub.at, err)
		}
	})
}

// checkIDs refuses a list in which two items have one id.
func (n *nativeReader) checkIDs(list []native) {
	seen := make(map[string]bool, len(list))
	for i := range list {
		if id := list[i].ID; id != "" && seen[id] {
			n.refusef(list[i].at, "item %d: the id %q stands twice", i+1, id)
			return
		}
		seen[list[i].ID] = true
	}
}
