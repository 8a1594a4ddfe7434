package cli

import (
	"errors"
	"io"
	"strings"

	"onward/internal/render"
)

// Failure is a row of the table of failures: the exit code and the hint for one kind of error.
type Failure struct {
	Kind error  // compared by errors.Is
	Code int    // 0 leaves the code to a later row
	Hint string // what to do about it; may be empty
}

// Failures is the table that maps every error to an exit code and a hint. An Error comes before it.
type Failures struct {
	Exits     []Exit
	Kinds     []Failure // the first row that matches counts
	Otherwise int       // the code of an error that no row matches
}

// Code returns the exit code of an error.
func (f *Failures) Code(err error) int {
	for own, in := (*Error)(nil), err; errors.As(in, &own); in = own.Cause {
		if own.Code != 0 {
			return own.Code
		}
	}
	for _, k := range f.Kinds {
		if k.Code != 0 && errors.Is(err, k.Kind) {
			return k.Code
		}
	}
	return f.Otherwise
}

// Hint returns what to do about an error; empty if the table has nothing.
func (f *Failures) Hint(err error) string {
	for own, in := (*Error)(nil), err; errors.As(in, &own); in = own.Cause {
		if own.Next != "" || own.Code == 0 {
			return own.Next
		}
	}
	for _, k := range f.Kinds {
		if k.Hint != "" && errors.Is(err, k.Kind) {
			return k.Hint
		}
	}
	return ""
}

// Report writes an error with its hint, as lines that are wrapped at a width, unless
// that is 0, or as one JSON document. It returns the exit code.
func (f *Failures) Report(w io.Writer, width int, program string, err error, hint string, asJSON bool) int {
	code := f.Code(err)
	if asJSON {
		class := "internal"
		for _, e := range f.Exits {
			if e.Code == code {
				class = e.Name
			}
		}
		_, _ = w.Write(errorJSON(class, code, err.Error(), hint))
		return code
	}
	// errors.Join puts a line break between errors.
	text := render.WrapMessage(program+": "+render.Text(strings.ReplaceAll(err.Error(), "\n", "; ")), width) + "\n"
	if hint != "" {
		text += render.WrapMessage("hint: "+render.Text(hint), width) + "\n"
	}
	_, _ = io.WriteString(w, text) // a failure here could be reported nowhere
	return code
}

// errorJSON is onward/error/v1: why a command did nothing.
func errorJSON(class string, code int, message, hint string) []byte {
	type reason struct {
		Class   string `json:"class"`
		Code    int    `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitzero"`
	}
	return render.EncodeJSON(struct {
		Schema string `json:"schema"`
		Error  reason `json:"error"`
	}{"onward/error/v1", reason{class, code, message, hint}})
}
