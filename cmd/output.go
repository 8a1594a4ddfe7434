package cmd

import (
	"io"
	"slices"

	"onward/internal/cli"
	"onward/internal/render"
)

// show answers a command: by a document where --json asks for one, else by a text.
func (a *app) show(document any, text string) {
	if a.JSON {
		a.writeJSON(document)
	} else {
		a.print(text)
	}
}

// tell says what a command did, as show does. It was not requested, so --quiet leaves out the text.
func (a *app) tell(document any, text string) {
	if a.JSON || !a.Quiet {
		a.show(document, text)
	}
}

// format returns the format of an answer: what the user asked for, or JSON where --json asks for that. Any other format
// excludes --json, unless that is for the answer about a file. Empty is the usual format.
func (a *app) format(asked string, toFile bool, known ...string) (string, error) {
	switch err := oneOf("--format", asked, known...); {
	case err != nil:
		return "", err
	case a.JSON && asked != "" && asked != "json" && !toFile:
		return "", cli.Usagef("--json and --format %s exclude each other", asked)
	case a.JSON && !toFile:
		return "json", nil
	}
	return asked, nil
}

// oneOf refuses a value of a flag that is none of those it can have; empty is none given.
func oneOf(flag, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return cli.Usagef("%s must be %s, not %q", flag, cli.Or(known), value)
}

// print writes to standard output.
func (a *app) print(text string) { a.out.WriteString(text) }

// report prints what a command did on standard output, unless --quiet: it was not requested.
func (a *app) report(text string) {
	if !a.Quiet {
		a.print(text)
	}
}

// write writes to standard output what is encoded already.
func (a *app) write(data []byte) { a.out.Write(data) }

// writeJSON writes a document of tagged members to standard output.
func (a *app) writeJSON(document any) { a.write(render.Encode(document)) }

// printNote writes a line to standard error, unless --quiet. Where both streams are one screen,
// it follows what was printed before it.
func (a *app) printNote(text string) {
	if !a.Quiet {
		a.out.Flush()
		a.printError("onward: " + text)
	}
}

// printError writes a message to standard error.
func (a *app) printError(text string) {
	io.WriteString(a.err, render.Message(render.Text(text), a.styleOf(a.err).Width)+"\n")
}

// hint writes what the user can do to standard error, unless there is nothing, or --quiet.
func (a *app) hint(text string) {
	if text != "" && !a.Quiet {
		a.printError("hint: " + text)
	}
}
