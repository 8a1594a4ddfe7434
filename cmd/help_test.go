package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"onward/internal/cli"
	"onward/test/golden"
)

// The golden files in testdata/help are the help of the program, of each group and command, and of each
// topic. The names of those for a narrow terminal end in -40.
func TestHelp(t *testing.T) {
	type text struct{ file, columns, args string }
	texts := []text{{"onward", "80", ""}, {"onward-40", "40", ""}, {"todo-add-40", "40", "todo add"}, {"check-continue-100", "200", "check-continue"}}
	for name := range cli.All(commands()) {
		texts = append(texts, text{strings.ReplaceAll(name, " ", "-"), "80", name})
	}
	for _, name := range new(app).program().Topics() {
		texts = append(texts, text{"topic-" + name, "80", name}, text{"topic-" + name + "-40", "40", name})
	}
	written := map[string]bool{}
	for _, text := range texts {
		written[text.file+".txt"] = true
		t.Run(text.file, func(t *testing.T) {
			t.Setenv("COLUMNS", text.columns)
			var out, errs bytes.Buffer
			if code := Main(append([]string{"help"}, strings.Fields(text.args)...), nil, &out, &errs); code != cli.ExitOK {
				t.Fatalf("code %d, %s", code, &errs)
			}
			golden.Compare(t, filepath.Join("testdata", "help", text.file+".txt"), out.String())
			for line := range strings.Lines(out.String()) {
				if strings.TrimRight(line, " \n")+"\n" != line {
					t.Errorf("%q ends in a space", line)
				}
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "help"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !written[e.Name()] {
			t.Errorf("testdata/help/%s is the help of nothing", e.Name())
		}
	}
}

// The first screen of the help is one screen.
func TestOverviewFitsATerminal(t *testing.T) {
	for line := range strings.Lines(new(app).program().Overview(80)) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q is wider than 80 columns", line)
		}
	}
}

// Every command describes itself in one short line.
// TestFirstScreenHasTheArguments compares the arguments that the first screen shows with those that kong reads.
func TestFirstScreenHasTheArguments(t *testing.T) {
	program := new(app).program()
	for path, c := range cli.All(commands()) {
		if !c.Daily {
			continue
		}
		line := strings.Join(strings.Fields("Usage: onward "+path+" "+c.Args+" [FLAGS]"), " ")
		if help := program.Help(strings.Fields(path), 200); !strings.Contains(help, line+"\n") {
			t.Errorf("the first screen would say %q, and the help says\n%s", line, help)
		}
	}
}

func TestHelpLinesAreShort(t *testing.T) {
	for path, c := range cli.All(commands()) {
		if len(c.Help) >= 60 || !strings.HasSuffix(c.Help, ".") {
			t.Errorf("%s: %q", path, c.Help)
		}
	}
}
