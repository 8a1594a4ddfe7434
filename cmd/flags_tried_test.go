package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/cli"
)

// TestEveryFlagIsTried fails if no line of a script, a test or a page runs a command with one of its flags.
func TestEveryFlagIsTried(t *testing.T) {
	var lines []string // those with a flag
	for _, pattern := range []string{"../testdata/script/*.txtar", "../*_test.go", "*_test.go", "manual/*.md", "../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				if strings.Contains(line, "--") {
					lines = append(lines, line)
				}
			}
		}
	}
	ends := strings.NewReplacer("=", " ", "\n", " ", "'", " ", "`", " ", `"`, " ", ",", " ", ";", " ", ")", " ", "]", " ")
	for path, c := range cli.All(commands()) {
		if c.Sub != nil {
			continue
		}
		var own strings.Builder
		for _, line := range lines {
			if strings.Contains(line, path+" ") {
				own.WriteString(ends.Replace(line))
			}
		}
		for _, name := range cli.FlagNames(c.Make()) {
			if !strings.Contains(own.String(), "--"+name+" ") && !strings.Contains(own.String(), "--no-"+name+" ") {
				t.Errorf("nothing runs `onward %s --%s`; a script in testdata/script should", path, name)
			}
		}
	}
}
