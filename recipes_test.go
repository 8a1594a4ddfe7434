//go:build !race

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRecipes follows the recipes of docs/development.md word for word, each in a copy of the project.
func TestRecipes(t *testing.T) {
	if !*long {
		t.Skip("skipped: it compiles the project twice; run it with -long")
	}
	text, err := os.ReadFile(filepath.Join("docs", "development.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Add a command", "Add an agent"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, recipe, ok := strings.Cut(string(text), "\n## "+name+"\n")
			if !ok {
				t.Fatal("the recipe is missing")
			}
			recipe, _, _ = strings.Cut(recipe, "\n## ")
			dir := copyProject(t)
			steps := recipeSteps(recipe)
			if len(steps) < 5 {
				t.Fatalf("found %d steps only", len(steps))
			}
			for _, s := range steps {
				if err := s.follow(dir); err != nil {
					t.Fatalf("%s\n%v", s.where, err)
				}
			}
		})
	}
}

// recipeStep is a block of a recipe with the line above it, which names the file or says that it is run.
type recipeStep struct{ where, block string }

// recipeSteps finds the blocks, which are indented by eight spaces.
func recipeSteps(recipe string) []recipeStep {
	var steps []recipeStep
	where, inside := "", false
	for line := range strings.Lines(recipe) {
		code, indented := strings.CutPrefix(line, "        ")
		switch {
		case indented && !inside:
			steps = append(steps, recipeStep{where: where, block: code})
			inside = true
		case indented:
			steps[len(steps)-1].block += code
		case strings.TrimSpace(line) != "":
			where, inside = strings.TrimSpace(line), false
		case inside:
			steps[len(steps)-1].block += "\n"
		}
	}
	for i := range steps {
		steps[i].block = strings.TrimRight(steps[i].block, "\n") + "\n"
	}
	return steps
}

var (
	inFile = regexp.MustCompile("In `([^`]+)`:$")
	atEnd  = regexp.MustCompile("At the end of `(\\w+)` in `([^`]+)`:$")
	begins = regexp.MustCompile("in `([^`]+)`, which begins:$")
	endOf  = regexp.MustCompile(`\n(\t\t\}\},|\t\}|\}|\))\n`)
)

// follow carries out the step in the copy.
func (s recipeStep) follow(dir string) error {
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if m := atEnd.FindStringSubmatch(s.where); m != nil {
		return insert(path(m[2]), m[1], s.block)
	}
	if m := inFile.FindStringSubmatch(s.where); m != nil {
		if err := os.MkdirAll(filepath.Dir(path(m[1])), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path(m[1]), []byte(s.block), 0o644)
	}
	if m := begins.FindStringSubmatch(s.where); m != nil {
		got, err := os.ReadFile(path(m[1]))
		if err == nil && !bytes.HasPrefix(got, []byte(s.block)) {
			err = fmt.Errorf("%s is:\n%s", m[1], got)
		}
		return err
	}
	if !strings.HasSuffix(s.where, "Run:") {
		return fmt.Errorf("nobody is told what to do with this block:\n%s", s.block)
	}
	for command := range strings.Lines(s.block) {
		words := strings.Fields(strings.ReplaceAll(command, "'", ""))
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		// With -trimpath, the compiled packages do not depend on the copy's path, so that the next run finds them in the cache.
		// Without tables for debuggers, which -ldflags=-w leaves out, a program is linked faster, and so is one without the C library.
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -vet=off -ldflags=-w")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s%w\n%s", command, err, out)
		}
	}
	return nil
}

// insert adds a block at the end of the literal or the constants after a declaration, or of a group of commands.
func insert(file, name, block string) error {
	code, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	at := regexp.MustCompile(`(\n(?:(?:func|var|type) )?` + name + `\b|\n\t\t\{Name: "` + name + `",)`).FindIndex(code)
	if at == nil {
		return fmt.Errorf("%s declares no %s", file, name)
	}
	end := endOf.FindIndex(code[at[1]:])
	if end == nil {
		return fmt.Errorf("%s: %s has no end", file, name)
	}
	return os.WriteFile(file, slices.Insert(code, at[1]+end[0]+1, []byte(block)...), 0o644)
}

// copyProject copies the files that the commands of a recipe need.
func copyProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && strings.HasPrefix(path, ".") {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, path), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
