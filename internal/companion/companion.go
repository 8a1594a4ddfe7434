// Package companion starts the programs that stand beside onward and link what would make every start of it slower.
package companion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"onward/internal/schema"
)

// ErrFailed marks a companion that could not be started, crashed, took too long or gave no answer.
var ErrFailed = errors.New("the companion failed")

// Wait is how long a companion may take; what it is asked takes milliseconds.
const Wait = 10 * time.Second

// Find gives the path of a companion, or nothing where it is not installed.
//
// It is looked for in one place, the folder of the running program, links followed: who can write there
// can replace the program itself. PATH, the working folder and the environment have no say, since a repository
// or another program could bring a companion of its own along by them.
func Find(name string) (string, error) {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		// A program that was removed while it runs has no companion.
		return "", nil
	}
	return beside(own, name)
}

func beside(program, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(program), name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrFailed, err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: %s is no program", ErrFailed, path)
	}
	return path, nil
}

// Schemas asks the companion at a path about schemas and values. Its environment is empty, and wait is the longest it may take.
func Schemas(path string, q schema.Question, version string, wait time.Duration) (schema.Answer, error) {
	wrong := func(err error) (schema.Answer, error) {
		return schema.Answer{}, fmt.Errorf("ask %s: %w", path, err)
	}
	question := q.Encode()
	if len(question) > schema.MaxQuestion {
		return wrong(fmt.Errorf("%w: the question has %d bytes, at most %d are taken", ErrFailed, len(question), schema.MaxQuestion))
	}
	out, err := run(path, question, wait)
	if err != nil {
		return wrong(fmt.Errorf("%w: %w", ErrFailed, err))
	}
	a, err := schema.DecodeAnswer(out, q, version)
	if errors.Is(err, schema.ErrProtocol) {
		err = fmt.Errorf("%w: its answer is %w", ErrFailed, err)
	}
	if err != nil {
		return wrong(err)
	}
	return a, nil
}

// run gives what a program prints when it ends well.
func run(path string, input []byte, wait time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	out, errs := limited{most: schema.MaxAnswer}, limited{most: 4 << 10}
	c := exec.CommandContext(ctx, path)
	c.Env = []string{}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &errs
	// What it may have started itself must not hold us up when it is killed.
	c.WaitDelay = time.Second
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it took longer than %v", wait)
	case out.over:
		return nil, fmt.Errorf("it prints more than %d bytes", out.most)
	case err != nil:
		if said, _, _ := strings.Cut(strings.TrimSpace(errs.kept.String()), "\n"); said != "" {
			return nil, fmt.Errorf("%w: %s", err, said)
		}
		return nil, err
	}
	return out.kept.Bytes(), nil
}

// limited keeps the first bytes of what is written, and forgets the rest.
type limited struct {
	kept bytes.Buffer
	most int
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.most - l.kept.Len(); len(p) > room {
		l.over = true
		l.kept.Write(p[:room])
		return len(p), nil
	}
	return l.kept.Write(p)
}
