package torture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// ours matches the only workflow command that onward itself prints.
var ours = regexp.MustCompile(`^::error title=(item [0-9.]+ is [a-z ]+|the gate does not pass|no list)::`)

// workflowCommand returns the first line, other than onward's own, that GitHub Actions or Azure Pipelines would run
// as a workflow command. A command may have any name, since "stop-commands" defines new ones.
func workflowCommand(text string) string {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if trimmed := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(trimmed, "::") && !ours.MatchString(line) {
			if _, _, closed := strings.Cut(trimmed[2:], "::"); closed {
				return line
			}
		}
		for _, prefix := range []string{"##[", "##vso["} {
			if at := strings.Index(strings.ToLower(line), prefix); at >= 0 && strings.Contains(line[at:], "]") {
				return line
			}
		}
	}
	return ""
}

func TestWorkflowCommandsAreSeen(t *testing.T) {
	for _, line := range []string{
		"::error::a", " \t::set-output name=a::b", "\u2003::token::", "a\r::error::b", "a ##[error]b", "##[SET-OUTPUT name=a]b", "###[a]", `{"a":"##[x]"}`,
		"x ##vso[task.complete]", "::error title=item 1 is pending, x::a",
	} {
		if workflowCommand("first\n"+line+"\nlast") == "" {
			t.Errorf("%q is not seen", line)
		}
	}
	for _, line := range []string{"a ::error::b", "| ::error::b", "::error title=item 1.2 is in progress::a", "::a", "# [a]", "##", "\\u0023#[a]"} {
		if got := workflowCommand(line); got != "" {
			t.Errorf("%q is taken for a command", line)
		}
	}
}

// foreign is the output of a program that tries to run workflow commands.
const foreign = "##[error]FORGED\nx ##[stop-commands]FORGED\n##vso[task.complete]FORGED\n::stop-commands::FORGED\n \t::FORGED::\na\r::error::FORGED\n\u200b::error::FORGED\n"

// TestForeignOutputBecomesNoCommand puts such text into the output of a gate and of a tool, into a message and into an
// item, and checks the output of all commands that show them, as text and as JSON.
func TestForeignOutputBecomesNoCommand(t *testing.T) {
	p := newPlace(t)
	p.with = []string{"ONWARD_SESSION=s"}
	if err := os.WriteFile(filepath.Join(p.work, "foreign"), []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must(t, "", "todo", "add", "--", foreign)
	p.must(t, "", "todo", "add", "::error::FORGED")
	p.must(t, "", "set", "gate", "cat foreign; cat foreign >&2; exit 1")
	p.must(t, "", "todo", "done", "all")
	p.must(t, "", "message", "push", foreign)
	p.must(t, "", "schedule", "submit", "shell", "--id", "c", "--approval-mode", "yolo", "--args", `{"command":"cat foreign; cat foreign >&2; exit 1"}`)
	p.run(t, "", nil, "schedule", "run", "--approval-mode", "yolo")
	for _, command := range []string{
		"check-continue", "check-continue --dry-run --explain", "check-continue --dry-run --yolo --style tool", "get", "get gate",
		"todo assert --gate", "todo assert --gate --format github", "todo assert --gate --format junit", "todo show", "todo show 2", "todo show --format plain",
		"todo show --format markdown", "todo export --format csv", "todo export --format markdown", "todo export --format json", "todo history", "todo list",
		"session show", "session list", "report --format markdown", "report --format html", "report --format json",
		"schedule list", "schedule show c", "schedule show c --follow", "schedule status", "message list", "message pop --force",
		"slash /todo", "set template ::error::{task}", "check-continue --dry-run",
	} {
		for _, machine := range [][]string{nil, {"--json"}} {
			args := append(machine, words(command)...)
			r := p.run(t, "", nil, args...)
			if r.code == 64 && machine == nil || r.out == "" && r.errors == "" && machine == nil && command != "message pop --force" {
				t.Errorf("%q prints nothing of it: %d %s", command, r.code, r.errors)
			}
			for _, text := range []string{r.out, r.errors} {
				if line := workflowCommand(text); line != "" {
					t.Errorf("%q %v prints %q", command, machine, line)
				}
			}
			if command == "message pop --force" {
				p.must(t, "", "message", "push", foreign)
			}
		}
	}
}
