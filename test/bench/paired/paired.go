// Package paired measures commands against a Go hello world that runs beside them.
//
// Each run of a command is paired with a run of the hello world, and the result is the median
// of the ratios of their whole-process times: seconds drift with the machine, ratios do not.
package paired

import (
	"errors"
	"flag"
	"fmt"
	"io"
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

// Bench is a pair of built programs and a store of their own.
type Bench struct {
	Store  string
	dir    string
	onward string
	greet  string
}

// Command is one command line and what it may cost, in hello worlds.
type Command struct {
	Name   string
	Args   []string
	Stdin  string   // what it reads; ROUND in it is the number of the round, so that no two are the same
	Before []string // run before each measured run, not timed; none where nil
	Budget float64
	Code   int // an exit code that it may end with, beside those that are answers
	ratios []float64
}

// Main is the main function of a benchmark: it reads the flags, builds both programs, and measures.
// Name precedes errors; runs is the number of runs without -n.
func Main(name string, runs int, measure func(b *Bench, runs int) (over bool, err error)) {
	n := flag.Int("n", runs, "counted runs of each command")
	gate := flag.Bool("gate", false, "exit 1 where a median is over its budget")
	flag.Parse()
	over, err := run(*n, measure)
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(2)
	}
	if *gate && over {
		os.Exit(1)
	}
}

func run(runs int, measure func(b *Bench, runs int) (bool, error)) (over bool, err error) {
	b, err := open()
	if err != nil {
		return false, err
	}
	defer b.close()
	return measure(b, runs)
}

// open builds onward and the hello world in a temporary folder, both the same way. close removes it.
func open() (*Bench, error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	b := &Bench{Store: filepath.Join(dir, "store"), dir: dir}
	if err := b.build(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// close removes what open made.
func (b *Bench) close() { os.RemoveAll(b.dir) }

func (b *Bench) build() error {
	source := filepath.Join(b.dir, "hello.go")
	if err := os.WriteFile(source, []byte(hello), 0o600); err != nil {
		return err
	}
	b.onward, b.greet = filepath.Join(b.dir, "onward"), filepath.Join(b.dir, "hello")
	for target, from := range map[string]string{b.onward: "onward", b.greet: source} {
		linked := target + ".linked"
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, from)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w: %s", from, err, out)
		}
		// People run a copy: a file as the linker leaves it in memory starts a tenth slower.
		if err := install(linked, target); err != nil {
			return err
		}
	}
	return nil
}

// install copies a program to its place.
func install(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// Onward runs onward once, not timed.
func (b *Bench) Onward(stdin io.Reader, args ...string) error {
	c := b.command(b.onward, args)
	c.Stdin = stdin
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("onward %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Run measures the commands in turn, so that what disturbs one disturbs all, and prints their table.
// It reports whether a median is over its budget.
func (b *Bench) Run(runs int, table []*Command) (over bool, err error) {
	const warmUp = 3 // rounds that fill the caches and do not count
	for round := range runs + warmUp {
		for _, m := range table {
			ratio, err := b.pair(m, round)
			if err != nil {
				return false, err
			}
			if round >= warmUp {
				m.ratios = append(m.ratios, ratio)
			}
		}
	}
	fmt.Printf("%-40s  %6s  %6s  %s\n", "command", "ratio", "budget", "")
	for _, m := range table {
		ratio, verdict := median(m.ratios), "ok"
		if ratio > m.Budget {
			verdict, over = "over", true
		}
		fmt.Printf("%-40s  %6.2f  %6.1f  %s\n", m.Name, ratio, m.Budget, verdict)
	}
	fmt.Printf("median of %d paired runs; 1.00 is a Go hello world in the same run\n", runs)
	return over, nil
}

func (b *Bench) pair(m *Command, round int) (float64, error) {
	if m.Before != nil {
		if err := b.Onward(nil, m.Before...); err != nil {
			return 0, err
		}
	}
	// Both get the same input, and from a file: what is at the other end of a pipe would be measured too.
	input := filepath.Join(b.dir, "input")
	if err := save(input, strings.ReplaceAll(m.Stdin, "ROUND", fmt.Sprint(round))); err != nil {
		return 0, err
	}
	start := func(program string, args []string) (time.Duration, error) {
		in, err := os.Open(input)
		if err != nil {
			return 0, err
		}
		defer in.Close()
		c := b.command(program, args)
		c.Stdin = in
		return timed(c, m.Code)
	}
	base, err := start(b.greet, nil)
	if err != nil {
		return 0, err
	}
	took, err := start(b.onward, m.Args)
	if err != nil {
		return 0, fmt.Errorf("onward %s: %w", strings.Join(m.Args, " "), err)
	}
	return float64(took) / float64(base), nil
}

// save writes a file and waits until the disk has it: the sync of a command would write it too, and be measured with it.
func save(path, text string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Sync()
}

func (b *Bench) command(name string, args []string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "ONWARD_STORE="+b.Store, "XDG_CONFIG_HOME="+filepath.Join(b.dir, "config"), "NO_COLOR=1")
	return c
}

// timed runs a command with nothing attached. Exit codes that are answers are no failure.
func timed(c *exec.Cmd, code int) (time.Duration, error) {
	start := time.Now()
	err := c.Run()
	took := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() >= 10 && exit.ExitCode() <= 15 || exit.ExitCode() == code) {
		err = nil
	}
	return took, err
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
