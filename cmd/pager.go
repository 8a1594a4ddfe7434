package cmd

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/kballard/go-shellquote"
	"golang.org/x/term"

	"onward/internal/supervise"
)

// pagerFlags are the flags of commands that may print more than one screen.
type pagerFlags struct {
	NoPager bool `help:"Print a long list directly, not through $$PAGER."`
}

// show answers as app.show does, with a text that may be long.
func (f pagerFlags) show(a *app, document any, text string) {
	if a.JSON {
		a.writeJSON(document)
	} else {
		f.page(a, text)
	}
}

// page prints a text. One that is longer than the terminal goes through the
// pager, if there is one.
func (f pagerFlags) page(a *app, text string) {
	file, ok := canvas(a.rawOut)
	if !ok || f.NoPager {
		a.print(text)
		return
	}
	_, height, err := term.GetSize(int(file.Fd()))
	if err != nil || strings.Count(text, "\n") < height {
		a.print(text)
		return
	}
	a.out.Flush()
	if pager := pagerCommand(); pager == nil || !runPager(pager, file, text) {
		a.print(text)
	}
}

// pagerCommand returns the command of $PAGER, by default less, or nil.
func pagerCommand() []string {
	line, set := os.LookupEnv("PAGER")
	if !set {
		line = "less"
	}
	words, err := shellquote.Split(line)
	if err != nil || len(words) == 0 || words[0] == "cat" {
		return nil
	}
	return words
}

// runPager shows a text in a pager and waits for it. It reports whether the
// pager started.
func runPager(words []string, out *os.File, text string) bool {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), out, os.Stderr
	cmd.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // as git does: with colours, and without clearing the screen
	}
	defer supervise.Mark(cmd, supervise.InGateVariable)()
	signal.Ignore(os.Interrupt) // which the pager handles
	defer signal.Reset(os.Interrupt)
	if cmd.Start() != nil {
		return false
	}
	_ = cmd.Wait() // its exit code does not matter, because the user may quit it at any place
	return true
}
