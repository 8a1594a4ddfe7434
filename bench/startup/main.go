// Command startup measures what a start of onward costs.
//
// It builds onward and a Go hello world, runs them in turn, and prints for each command
// the median time of the whole process as a ratio to the hello world of the same run:
// seconds drift with the machine, ratios do not.
//
//	go run ./bench/startup [-n 50] [-gate]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const hello = `package main

import "fmt"

func main() { fmt.Println("hello, world") }
`

// measured is one command line and what it may cost.
type measured struct {
	name   string
	args   []string
	before []string // run before each measured run, not timed
	budget float64
	ratios []float64
}

func main() {
	runs := flag.Int("n", 50, "counted runs of each command")
	gate := flag.Bool("gate", false, "exit 1 where a median is over its budget")
	flag.Parse()
	over, err := measure(*runs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(2)
	}
	if *gate && over {
		os.Exit(1)
	}
}

func measure(runs int) (over bool, err error) {
	dir, err := os.MkdirTemp("", "startup-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	onward, greet, err := build(dir)
	if err != nil {
		return false, err
	}
	env := append(os.Environ(), "ONWARD_STORE="+filepath.Join(dir, "store"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "NO_COLOR=1")
	for _, setup := range [][]string{
		{"todo", "add", "-", "--session", "bench"},
		{"todo", "add", "only item", "--session", "paused"},
		{"pause", "waits for a key", "--session", "paused"},
	} {
		c := command(env, onward, setup)
		c.Stdin = strings.NewReader(strings.Repeat("an item of a list of twenty\n", 20))
		if out, err := c.CombinedOutput(); err != nil {
			return false, fmt.Errorf("%v: %w: %s", setup, err, out)
		}
	}
	table := []*measured{
		{name: "check-continue (no commit)", args: []string{"check-continue", "--session", "paused"}, budget: 1.5},
		{name: "check-continue --dry-run, 20 items", args: []string{"check-continue", "--dry-run", "--session", "bench"}, budget: 1.5},
		{
			name: "check-continue, 20 items, commits", args: []string{"check-continue", "--session", "bench"}, budget: 2.2,
			before: []string{"event", "user-prompt", "--session", "bench"},
		},
		{name: "todo show --json, 20 items", args: []string{"todo", "show", "--json", "--session", "bench"}, budget: 2.0},
		{name: "todo show, 20 items", args: []string{"todo", "show", "--session", "bench"}, budget: 2.0},
		{name: "todo add", args: []string{"todo", "add", "one more", "--session", "grows"}, budget: 2.5},
	}
	for round := range runs + 3 {
		for _, m := range table {
			if m.before != nil {
				if err := command(env, onward, m.before).Run(); err != nil {
					return false, err
				}
			}
			base, err := timed(command(env, greet, nil))
			if err != nil {
				return false, err
			}
			took, err := timed(command(env, onward, m.args))
			if err != nil {
				return false, err
			}
			if round >= 3 { // the first rounds warm the caches
				m.ratios = append(m.ratios, float64(took)/float64(base))
			}
		}
	}
	fmt.Printf("%-36s  %6s  %6s  %s\n", "command", "ratio", "budget", "")
	for _, m := range table {
		ratio, verdict := median(m.ratios), "ok"
		if ratio > m.budget {
			verdict, over = "over", true
		}
		fmt.Printf("%-36s  %6.2f  %6.1f  %s\n", m.name, ratio, m.budget, verdict)
	}
	fmt.Printf("median of %d paired runs; 1.00 is a Go hello world in the same run\n", runs)
	return over, nil
}

// build makes both programs the same way.
func build(dir string) (onward, greet string, err error) {
	source := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte(hello), 0o600); err != nil {
		return "", "", err
	}
	onward, greet = filepath.Join(dir, "onward"), filepath.Join(dir, "hello")
	for target, from := range map[string]string{onward: "onward", greet: source} {
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", target, from)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("build %s: %w: %s", from, err, out)
		}
	}
	return onward, greet, nil
}

func command(env []string, name string, args []string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = env
	return c
}

// timed runs a command with nothing attached. Exit codes that are answers are no failure.
func timed(c *exec.Cmd) (time.Duration, error) {
	start := time.Now()
	err := c.Run()
	took := time.Since(start)
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() >= 10 && exit.ExitCode() <= 15 {
		err = nil
	}
	return took, err
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
