package cmd

import (
	"fmt"
	"io"
	"slices"

	"onward/internal/cli"
	"onward/internal/render"
	"onward/internal/todo"
)

// show prints the answer of a command: a document with --json, else a text.
func (a *app) show(document any, text string) {
	if a.JSON {
		a.writeJSON(document)
	} else {
		a.print(text)
	}
}

// tell prints what a command did, as show does. The user did not ask for this, so --quiet leaves out the text.
func (a *app) tell(document any, text string) {
	if a.JSON || !a.Quiet {
		a.show(document, text)
	}
}

// format returns the format of an answer: the one that the user named, or JSON with --json. Any other format excludes
// --json, unless --json is for the answer about a file. Empty is the usual format.
func (a *app) format(asked string, toFile bool, known ...string) (string, error) {
	switch err := oneOf("--format", asked, known...); {
	case err != nil:
		return "", err
	case a.JSON && asked != "" && asked != "json" && !toFile:
		return "", cli.Usagef("--json and --format %s cannot be used together", asked)
	case a.JSON && !toFile:
		return "json", nil
	}
	return asked, nil
}

// oneOf returns an error for a value that a flag cannot have; empty means that the flag was not given.
func oneOf(flag, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return &todo.UnknownWordError{Text: fmt.Sprintf("%s must be %s, not %q", flag, cli.JoinOr(known), value), Word: value, Known: known}
}

// print writes to standard output.
func (a *app) print(text string) { a.out.WriteString(text) }

// report prints what a command did on standard output, unless with --quiet, because the user did not ask for it.
func (a *app) report(text string) {
	if !a.Quiet {
		a.print(text)
	}
}

// write writes bytes to standard output that are encoded already.
func (a *app) write(data []byte) { a.out.Write(data) }

// writeJSON writes a document of tagged members to standard output.
func (a *app) writeJSON(document any) { a.write(render.EncodeJSON(document)) }

// printNote writes a line to standard error, unless --quiet. Where both streams are one screen,
// it follows what was printed before it.
func (a *app) printNote(text string) {
	line := "onward: " + text
	if a.noted != nil {
		line = a.noted(line)
	}
	if !a.Quiet {
		a.printError(line)
	}
}

// printError writes a message to standard error. On a terminal, what was printed before it comes first.
func (a *app) printError(text string) {
	a.out.Flush()
	io.WriteString(a.err, render.WrapMessage(render.Text(text), a.styleOf(a.err).Width)+"\n")
}

// hint writes to standard error what the user can do, if the hint is not empty, and not with --quiet.
func (a *app) hint(text string) {
	if text != "" && !a.Quiet {
		a.printError("hint: " + a.withSameListFlags(text))
	}
}
