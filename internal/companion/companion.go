// Package companion starts the programs next to onward. They link the libraries that would slow down every start of onward itself.
package companion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/buildid"
	"onward/internal/schema"
)

// ErrAbsent marks a companion that is not installed.
var ErrAbsent = errors.New("it is not installed")

// ErrVersion marks a companion of another build than this program.
var ErrVersion = errors.New("another version")

// ErrFailed marks a companion that could not be started, crashed, took too long or did not answer.
var ErrFailed = errors.New("the companion failed")

// AnswerTimeout is how long a companion may take to answer. Usually it takes milliseconds.
const AnswerTimeout = 10 * time.Second

// Find returns the path of a companion; ErrAbsent if it is not installed.
//
// The only place is the folder of the running program, after links are resolved. Whoever can write there
// could replace the program itself. PATH, the working folder and the environment are ignored, because a
// repository or another program could make onward start a foreign companion by them.
func Find(name string) (string, error) {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		// The program was removed while it runs.
		return "", fmt.Errorf("find %s: %w next to onward", name, ErrAbsent)
	}
	return InFolderOf(own, name)
}

// InFolderOf returns the path of a program in the folder of another one.
func InFolderOf(program, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(program), name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("find %s: %w", path, ErrAbsent)
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrFailed, err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: %s is not a program", ErrFailed, path)
	}
	return path, nil
}

// Ask sends questions to the companion at a path, and returns its answer to each. The companion runs in an empty
// environment, for at most the time wait. It is an error if its build is another than version, or if an answer is
// missing, because a missing answer must not count as a good one.
func Ask(path string, questions []schema.Question, version string, wait time.Duration) ([]schema.Answer, error) {
	answers, err := ask(path, questions, version, wait)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", path, err)
	}
	return answers, nil
}

func ask(path string, questions []schema.Question, version string, wait time.Duration) ([]schema.Answer, error) {
	var in bytes.Buffer
	write := jsontext.NewEncoder(&in)
	for _, q := range questions {
		if err := json.MarshalEncode(write, q); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFailed, err)
		}
	}
	if in.Len() > schema.MaxQuestions {
		return nil, fmt.Errorf("%w: the questions have %d bytes, at most %d are taken", ErrFailed, in.Len(), schema.MaxQuestions)
	}
	out, err := run(path, in.Bytes(), wait)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return readAnswers(out, len(questions), version)
}

// readAnswers reads the output of a companion, which must have one answer for each question.
func readAnswers(out []byte, questions int, version string) ([]schema.Answer, error) {
	read := jsontext.NewDecoder(bytes.NewReader(out))
	answers := make([]schema.Answer, questions)
	for i := range answers {
		a := &answers[i]
		switch err := json.UnmarshalDecode(read, a, json.RejectUnknownMembers(true)); {
		case err != nil:
			return nil, fmt.Errorf("%w: answer %d of %d: %w", ErrFailed, i+1, len(answers), err)
		case !buildid.Same(a.Version, version):
			return nil, fmt.Errorf("%w: it is version %q, and onward is version %q", ErrVersion, a.Version, version)
		case a.OK != (a.Problem == ""):
			return nil, fmt.Errorf("%w: answer %d of %d: it is either good or has a problem", ErrFailed, i+1, len(answers))
		}
	}
	if _, err := read.ReadToken(); err != io.EOF {
		return nil, fmt.Errorf("%w: there is text after its answers", ErrFailed)
	}
	return answers, nil
}

// run returns the output of a program; an error if it does not end with 0.
func run(path string, input []byte, wait time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	out, errs := limited{most: schema.MaxAnswers}, limited{most: 4 << 10}
	c := exec.CommandContext(ctx, path)
	c.Env = []string{}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &errs
	// A child of a killed companion could keep the output open.
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

// limited keeps the first bytes that are written to it, and drops the rest.
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
