package cmd

import (
	"errors"
	"io"
	"strings"

	"onward/internal/companion"
	"onward/internal/durable"
	"onward/internal/execute"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/schema"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/tool"
)

// fail reports an error, where there is one, and gives the exit code.
func (a *app) fail(err error) int {
	if err == nil {
		return exitOK
	}
	code := codeOf(err)
	var result answer
	if errors.As(err, &result) {
		return code
	}
	class := "internal"
	for _, c := range exitCodes() {
		if c.Code == code {
			class = c.Name
		}
	}
	hint := hintOf(err)
	if of := (*session.ReadError)(nil); errors.As(err, &of) {
		hint = strings.ReplaceAll(hint, "onward repair", "onward repair "+of.Name.String())
	}
	if a.JSON || a.jsonFromEnvironment() {
		a.err.Write(render.ErrorJSON(class, code, err.Error(), hint))
		return code
	}
	text := "onward: " + render.Text(err.Error()) + "\n"
	if hint != "" {
		text += "hint: " + render.Text(hint) + "\n"
	}
	io.WriteString(a.err, text)
	var bug *internalError
	if errors.As(err, &bug) {
		a.err.Write(bug.stack)
	}
	return code
}

// hintOf says what to do about an error, where there is something.
func hintOf(err error) string {
	var with interface{ Hint() string }
	if errors.As(err, &with) {
		return with.Hint()
	}
	for _, h := range []struct {
		kind error
		hint string
	}{
		{execute.ErrUnrecorded, "look at the disk; `onward schedule list` shows what is recorded, and what ran is not repeated"},
		{session.ErrBusy, "try again, or wait longer with --lock-timeout"},
		{todo.ErrNotFound, "`onward todo show` shows the list with its positions"},
		{session.ErrNoSession, "`onward todo list` shows what is saved"},
		{schedule.ErrNotFound, "`onward schedule list` shows the calls"},
		{session.ErrNoChange, "`onward todo history` shows the changes"},
		{tool.ErrTrust, "delete the file, and trust each project's tools again with `onward tools trust`"},
		{session.ErrChoice, "`onward session use` chooses a session again; with `--derived`, the project's own"},
		{durable.ErrChecksum, "the file was left as it is; `onward repair` shows what can be restored, and `onward repair --accept` accepts an edit by hand"},
		{session.ErrCorrupt, "the file was left as it is; `onward repair` tells what can be brought back"},
		{session.ErrForeign, "the file was left as it is; move it away, or choose another session with --session"},
		{session.ErrNewer, "update onward"},
		{session.ErrLockUnsupported, "put the store on a local disk with --store or ONWARD_STORE"},
		{session.ErrPermission, "choose a store that you may write with --store or ONWARD_STORE"},
		{session.ErrIO, "look at the disk, or choose another store with --store or ONWARD_STORE"},
		{companion.ErrFailed, companionHint},
		{schema.ErrVersion, companionHint},
		{schema.ErrSchema, unknownHint},
		{session.ErrNotDurable, "the change was made; a crash of the machine in the next seconds may undo it"},
	} {
		if errors.Is(err, h.kind) {
			return h.hint
		}
	}
	return ""
}
