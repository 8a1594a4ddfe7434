// Package paired compares commands with a Go hello world.
//
// Each run of a command is paired with a run of the hello world, and the result is the median
// of the ratios of their whole-process times: seconds drift with the machine, ratios do not.
package paired

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bench is onward and what it is compared with, built, and a store of their own.
type Bench struct {
	Store string
	dir   string
}

// The programs of a benchmark.
const (
	onward = "onward"
	hello  = "onward/test/bench/hello"
	saves  = "onward/test/bench/saves"
)

// program returns where a program was built.
func (b *Bench) program(source string) string { return filepath.Join(b.dir, path.Base(source)) }

// Command is a command line with its budget, which is a multiple of the time of the hello world.
type Command struct {
	Name   string
	Args   []string
	Stdin  string   // standard input; ROUND in it is replaced by the number of the round, so that each input is different
	Before []string // arguments of a run of onward before each measured run, which is not timed; nil for none
	Budget float64  // 0 if there is no budget
	Code   int      // an exit code that is accepted besides those that are answers

	program string // onward where empty
	ratios  []float64
}

// Saves is a hello world that saves a file as durably as a commit, in the same file system.
func (b *Bench) Saves() *Command {
	return &Command{Name: "a hello world that saves a file", program: saves, Args: []string{filepath.Join(b.Store, "saved")}}
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

// open builds the programs in a temporary folder, all the same way. close removes it.
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
	for _, source := range []string{onward, hello, saves} {
		linked := b.program(source) + ".linked"
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, source)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w: %s", source, err, out)
		}
		// People run a copy: a file as the linker leaves it in memory starts up to a third slower.
		if err := install(linked, b.program(source)); err != nil {
			return err
		}
	}
	return nil
}

// install copies a program.
func install(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// Onward runs onward once, without timing it.
func (b *Bench) Onward(stdin io.Reader, args ...string) error {
	c := b.command(onward, args)
	c.Stdin = stdin
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("onward %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Run measures the commands in turn, so that a disturbance affects all of them, and prints a table of the medians.
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
		if m.Budget == 0 {
			fmt.Printf("%-40s  %6.2f\n", m.Name, ratio)
			continue
		}
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
	start := func(source string, args []string) (time.Duration, error) {
		in, err := os.Open(input)
		if err != nil {
			return 0, err
		}
		defer in.Close()
		c := b.command(source, args)
		c.Stdin = in
		return timed(c, m.Code)
	}
	base, err := start(hello, nil)
	if err != nil {
		return 0, err
	}
	took, err := start(cmp.Or(m.program, onward), m.Args)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", m.Name, err)
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

func (b *Bench) command(source string, args []string) *exec.Cmd {
	c := exec.Command(b.program(source), args...)
	c.Env = append(os.Environ(), "ONWARD_STORE="+b.Store, "XDG_CONFIG_HOME="+filepath.Join(b.dir, "config"), "NO_COLOR=1")
	return c
}

// timed runs a command without a terminal. Exit codes that are answers do not count as failures.
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
