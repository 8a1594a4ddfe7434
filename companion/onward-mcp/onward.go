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

// failure is what onward reports where it does not do what it was asked.
type failure struct {
	class   string
	message string
	hint    string
}

func (f *failure) Error() string { return f.message }

// patience is how long one run of onward may take; it waits 10 seconds for another writer itself.
const patience = 30 * time.Second

// gatePatience is how long one may take that completes an item, since that may run its gate.
const gatePatience = 30 * time.Minute

// find returns the onward beside this program, links followed, else the one on PATH.
// It is looked for at each call, so that an update during a long conversation is met by none.
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
	// An operation id of the environment would be that of every call, and text is UTF-8 whatever the locale.
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"ONWARD_JSON", "ONWARD_OP", "ONWARD_SESSION", "ONWARD_CONVERSATION", "LC_ALL"}, strings.ToUpper(name))
	})
	c.Env = append(c.Env, "LC_ALL=C.UTF-8")
	if p.session != "" {
		// The session may be one that nothing has been written to yet, which --session would refuse.
		c.Env = append(c.Env, "ONWARD_SESSION="+p.session)
	}
	if os.Getenv("AI_AGENT") == "" {
		// The caller of a tool is an agent, whether or not its program marks the environment.
		c.Env = append(c.Env, "AI_AGENT=onward-mcp")
	}
	if p.caller != "" {
		c.Env = append(c.Env, "ONWARD_CONVERSATION="+p.caller)
	}
	// What it may have started itself must not hold us up when it is killed.
	c.WaitDelay = time.Second
	return c, nil
}

// onward runs onward, and returns what it prints. A stop or a wait of check-continue is an answer too.
// A run that began is let finish: a client that cancels its call or goes away must not cut a commit short.
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

// reported reads the error that onward printed, as JSON where it was asked for that, else as text.
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

// read reads a document that onward printed. Of its members, the fields have the names.
func read(data []byte, into any) error {
	return json.Unmarshal(data, into, json.MatchCaseInsensitiveNames(true))
}
