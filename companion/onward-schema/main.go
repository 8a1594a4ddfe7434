// Command onward-schema validates values against JSON Schemas. onward starts it when needed.
//
// It knows drafts 4, 6, 7, 2019-09 and 2020-12 with their formats. It reads one question per line,
// and answers with one line each. It opens no file and no connection, so a schema must contain the targets of its references.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/buildid"
	"onward/internal/schema"
)

// version is set by the release build, to that of onward, which requires the same.
var version = "dev"

// The exit codes, which are among onward's.
const (
	exitOK    = 0
	exitUsage = 64
	exitData  = 65
	exitIO    = 74
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, in io.Reader, out, errs io.Writer) int {
	code, err := reply(args, in, out)
	if err != nil {
		// A failure to write to standard error could be reported nowhere.
		_, _ = io.WriteString(errs, schema.CompanionName+": "+err.Error()+"\n")
	}
	return code
}

func reply(args []string, in io.Reader, out io.Writer) (code int, err error) {
	switch {
	case len(args) == 1 && args[0] == "--version":
		_, err := io.WriteString(out, schema.CompanionName+" "+buildid.Version(version)+"\n")
		return written(err)
	case len(args) > 0:
		return exitUsage, errors.New("it takes no arguments: onward starts it; `onward doctor` says whether it is in order")
	}
	read := jsontext.NewDecoder(io.LimitReader(in, schema.MaxQuestions))
	answers := bufio.NewWriter(out)
	write := jsontext.NewEncoder(answers)
	revision, _ := buildid.Stamped()
	id := buildid.Of(buildid.Version(version), revision)
	j := judge{bad: problem("", "no schema comes before it")}
	for {
		var q schema.Question
		err := json.UnmarshalDecode(read, &q, json.RejectUnknownMembers(true))
		var syntax *jsontext.SyntacticError
		var semantic *json.SemanticError
		switch {
		case err == io.EOF:
			return written(answers.Flush())
		case errors.As(err, &syntax), errors.As(err, &semantic):
			return exitData, fmt.Errorf("read a question: %w", err)
		case err != nil:
			return exitIO, fmt.Errorf("read a question: %w", err)
		case (q.Schema == nil) == (q.Value == nil):
			return exitData, errors.New("read a question: it has a schema or a value")
		}
		a := j.validate(q)
		a.Version = id
		if err := json.MarshalEncode(write, a); err != nil {
			return written(err)
		}
	}
}

func written(err error) (code int, _ error) {
	if err != nil {
		return exitIO, fmt.Errorf("write an answer: %w", err)
	}
	return exitOK, nil
}
