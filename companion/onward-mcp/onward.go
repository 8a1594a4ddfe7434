package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// failure is an error that onward reported.
type failure struct {
	class   string
	message string
	hint    string
}

func (f *failure) Error() string { return f.message }

// patience is how long one run of onward may take, including up to 10 seconds of waiting for another writer.
const patience = 30 * time.Second

// agentSign is the variable that tells onward that an agent runs it, whether or not the client marks its environment.
const agentSign = "AI_AGENT"

// gatePatience is how long a run may take that completes an item, since it may run the item's gate.
const gatePatience = 30 * time.Minute

// find returns the onward in the folder of this program, after links are resolved, or else the one on PATH.
// Every call looks for it again, so that an update during a long conversation breaks nothing.
func find() (string, error) {
	name := "onward"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		if own, err = filepath.EvalSymlinks(own); err == nil {
			beside := filepath.Join(filepath.Dir(own), name)
			if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
				return beside, nil
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &failure{class: "missing", message: "onward is neither next to onward-mcp nor on PATH", hint: "tell the user to install onward and onward-mcp from the same release"}
	}
	return path, nil
}

// command prepares a run of onward in a place.
func (p place) command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, path, append([]string{"--color=never"}, args...)...)
	c.Dir = p.dir
	// An operation id in the environment would apply to every call. Text is UTF-8 in every locale.
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"ONWARD_JSON", "ONWARD_OP", "ONWARD_SESSION", "ONWARD_CONVERSATION", "LC_ALL"}, strings.ToUpper(name))
	})
	c.Env = append(c.Env, "LC_ALL=C.UTF-8")
	if p.session != "" {
		// The session may be one that nothing has been written to yet, which --session would refuse.
		c.Env = append(c.Env, "ONWARD_SESSION="+p.session)
	}
	if !p.byUser && os.Getenv("AI_AGENT") == "" {
		c.Env = append(c.Env, agentSign+"=onward-mcp")
	}
	if p.caller != "" {
		c.Env = append(c.Env, "ONWARD_CONVERSATION="+p.caller)
	}
	// A child of a killed onward could keep the output open.
	c.WaitDelay = time.Second
	return c, nil
}

// onward runs onward, and returns its output. Exit codes by which check-continue says to stop or to wait are not errors.
// A run that has started always finishes, so that a client that cancels its call or goes away interrupts no commit.
func (p place) onward(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return p.within(ctx, patience, stdin, args...)
}

// within is onward with a time limit of its own.
func (p place) within(ctx context.Context, patience time.Duration, stdin []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	c, err := p.command(ctx, args...)
	if err != nil {
		return nil, err
	}
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(stdin), &out, &errs
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, &failure{class: "busy", message: fmt.Sprintf("onward took longer than %v", patience), hint: "call todo_read to see what the list is now"}
	case !errors.As(err, &exit):
		return nil, &failure{class: "io", message: fmt.Sprintf("start onward: %v", err), hint: "tell the user; `onward doctor` checks the installation"}
	case exit.ExitCode() >= 10 && exit.ExitCode() <= 15:
		return out.Bytes(), nil
	}
	return out.Bytes(), reported(errs.Bytes(), err)
}

// reported reads the error that onward printed, which is JSON if --json was given, and text otherwise.
func reported(stderr []byte, err error) *failure {
	var doc struct {
		Error struct{ Class, Message, Hint string } `json:"error"`
	}
	if read(stderr, &doc) == nil && doc.Error.Message != "" {
		return &failure{doc.Error.Class, doc.Error.Message, doc.Error.Hint}
	}
	text, hint, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\nhint: ")
	if text = strings.TrimSpace(strings.TrimPrefix(text, "onward:")); text == "" {
		text = "onward failed without a word: " + err.Error()
	}
	return &failure{message: text, hint: hint}
}

// read decodes a document that onward printed into the fields that have the names of its members.
func read(data []byte, into any) error {
	return json.Unmarshal(data, into, json.MatchCaseInsensitiveNames(true))
}
