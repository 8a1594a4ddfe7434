// Command onward-schema holds values against JSON Schemas, for onward, which starts it where it needs it.
//
// It knows drafts 4, 6, 7, 2019-09 and 2020-12 with their formats. It reads one question on standard input
// and answers on standard output. It opens no file and no connection: what a schema refers to must stand in it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"onward/internal/schema"
)

// version is set by the release build, to the same as onward's: the two go together.
var version = "dev"

// The exit codes, as far as they are onward's too.
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
		// Standard error is the last place to report to.
		_, _ = io.WriteString(errs, schema.Companion+": "+err.Error()+"\n")
	}
	return code
}

func reply(args []string, in io.Reader, out io.Writer) (code int, err error) {
	switch {
	case len(args) == 1 && args[0] == "--version":
		return write(out, []byte(schema.Companion+" "+version+"\n"))
	case len(args) > 0:
		return exitUsage, errors.New("it takes no arguments: onward starts it; `onward doctor` says whether it is in order")
	}
	data, err := io.ReadAll(io.LimitReader(in, schema.MaxQuestion+1))
	if err != nil {
		return exitIO, fmt.Errorf("read the question: %w", err)
	}
	q, err := schema.DecodeQuestion(data)
	if err != nil {
		return exitData, fmt.Errorf("read the question: %w", err)
	}
	return write(out, answer(q).Encode())
}

func write(out io.Writer, data []byte) (code int, err error) {
	if _, err := out.Write(data); err != nil {
		return exitIO, fmt.Errorf("write the answer: %w", err)
	}
	return exitOK, nil
}
