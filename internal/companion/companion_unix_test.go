//go:build unix

package companion

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/schema"
)

// standIn writes a companion that is a script.
func standIn(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "companion")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

var question = []schema.Question{{Schema: jsontext.Value(`true`)}, {Value: jsontext.Value(`1`)}}

const good = `echo '{"version":"v","ok":true}'; echo '{"version":"v","ok":false,"at":"a","problem":"p"}'`

func TestHangingCompanionIsKilled(t *testing.T) {
	// It leaves a child behind that keeps its output open, and would print an answer in the end.
	path := standIn(t, "sleep 10 & sleep 10; "+good)
	if _, err := Ask(path, question, "v", 20*time.Millisecond); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "it took longer than 20ms") {
		t.Errorf("got %v", err)
	}
}

func TestCompanionOutputLimit(t *testing.T) {
	path := standIn(t, "head -c 40000000 /dev/zero")
	if _, err := Ask(path, question, "v", time.Minute); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "it prints more than 33554432 bytes") {
		t.Errorf("got %v", err)
	}
}

// TestEnvironmentIsNotInherited checks the environment, the arguments and the input of a companion.
func TestEnvironmentIsNotInherited(t *testing.T) {
	t.Setenv("SECRET", "hunter2")
	path := standIn(t, `[ -z "$SECRET" ] && [ -z "$HOME" ] && [ $# = 0 ] && read a && [ "$a" = '{"schema":true}' ] && read b && [ "$b" = '{"value":1}' ] || exit 3
`+good)
	if a, err := Ask(path, question, "v", time.Minute); err != nil || len(a) != 2 || a[0].Err() != nil || a[1].Err().Error() != "a: p" {
		t.Errorf("got %v, %v", a, err)
	}
	// A companion that does not read all its questions can still answer.
	big := []schema.Question{{Schema: jsontext.Value(`"` + strings.Repeat("x", 1<<20) + `"`)}, question[1]}
	if _, err := Ask(standIn(t, good), big, "v", time.Minute); err != nil {
		t.Error(err)
	}
	huge := []schema.Question{{Schema: jsontext.Value(`"` + strings.Repeat("x", schema.MaxQuestions) + `"`)}}
	if _, err := Ask(path, huge, "v", time.Minute); !errors.Is(err, ErrFailed) {
		t.Errorf("got %v", err)
	}
}

func TestCompanionIsFoundBesideProgram(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "onward")
	if path, err := InFolderOf(program, "x"); path != "" || !errors.Is(err, ErrAbsent) {
		t.Errorf("got %q, %v", path, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := InFolderOf(program, "x"); path != filepath.Join(dir, "x") || err != nil {
		t.Errorf("got %q, %v", path, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := InFolderOf(program, "folder"); path != "" || !errors.Is(err, ErrFailed) {
		t.Errorf("got %q, %v", path, err)
	}
}
