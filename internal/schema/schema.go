// Package schema is the protocol between onward and its companion onward-schema: one question and one answer per line.
//
// A library for JSON Schema adds a tenth or more to every start of a program that links it, even if it is not called.
// So a separate program links one, and only the commands that validate arguments start that program.
package schema

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// CompanionName is the name of the program that reads a Question a line, and writes an Answer to each.
const CompanionName = "onward-schema"

// Limits of what goes to the companion and of what comes back.
const (
	MaxQuestions = 48 << 20 // bytes; a document of calls and two files of declarations fit
	MaxAnswers   = 32 << 20 // bytes
	MaxProblem   = 500      // bytes of one problem, and of one place
	MaxIgnored   = 20       // keywords of one schema that are named as being without effect
)

// Question is a schema, whether it can be used, or a value, whether it fits the last schema before it.
type Question struct {
	Schema jsontext.Value `json:"schema,omitzero"`
	Value  jsontext.Value `json:"value,omitzero"`
}

// Answer describes what is wrong, and where. If a value's schema cannot be used, it describes the schema.
type Answer struct {
	Version string   `json:"version"` // of the companion
	OK      bool     `json:"ok"`
	At      string   `json:"at,omitzero"` // names and indices with slashes between them; empty is the whole
	Problem string   `json:"problem,omitzero"`
	Ignored []string `json:"ignored,omitempty"` // of a schema: the places of keywords that are without effect, since its draft does not know them
}

// Err returns the answer as an error, or nil.
func (a Answer) Err() error {
	switch {
	case a.OK:
		return nil
	case a.At == "":
		return errors.New(a.Problem)
	}
	return errors.New(a.At + ": " + a.Problem)
}

// Decode reads a value as it is judged. Numbers are floating point.
func Decode(raw jsontext.Value) (any, error) {
	if object.Depth(raw) > object.MaxDepth {
		return nil, object.ErrTooDeep
	}
	var v any
	err := json.Unmarshal(raw, &v)
	var unfit *json.SemanticError
	if errors.As(err, &unfit) {
		// Any JSON fits, but for a number without a nearest one.
		return nil, errors.New(strings.TrimPrefix(string(unfit.JSONPointer)+": the number is too large", "/"))
	}
	return v, err
}
