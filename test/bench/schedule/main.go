// Command schedule measures what running a tool call costs over running its program with xargs.
//
// It submits calls of `true`, runs them two at a time, and runs as many with `xargs -P2`, in turn.
// It prints the median ratio of the times: seconds drift with the machine, ratios do not.
//
//	go run ./test/bench/schedule [-calls 1000] [-n 5] [-gate]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// budget is the most time that a call may take, as a multiple of a run of its program by xargs.
const budget = 3.0

const tools = `{"schema":"onward/tools/v1","tools":[{"name":"true","command":["true"],"kind":"read"}]}`

func main() {
	calls := flag.Int("calls", 1000, "calls in one schedule")
	rounds := flag.Int("n", 5, "counted rounds")
	gate := flag.Bool("gate", false, "exit 1 where the median is over the budget")
	flag.Parse()
	ratio, err := measure(*calls, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "schedule:", err)
		os.Exit(2)
	}
	if *gate && ratio > budget {
		os.Exit(1)
	}
}

func measure(calls, rounds int) (float64, error) {
	dir, err := os.MkdirTemp("", "schedule-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	onward := filepath.Join(dir, "onward")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", onward, "onward")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build: %w: %s", err, out)
	}
	config := filepath.Join(dir, "config")
	if err := os.MkdirAll(filepath.Join(config, "onward"), 0o700); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(config, "onward", "tools.json"), []byte(tools), 0o600); err != nil {
		return 0, err
	}
	env := append(os.Environ(), "ONWARD_STORE="+filepath.Join(dir, "store"), "XDG_CONFIG_HOME="+config, "ONWARD_SESSION=", "ONWARD_APPROVAL_MODE=")
	var numbers strings.Builder
	for i := range calls {
		numbers.WriteString(strconv.Itoa(i) + "\n")
	}
	var ratios []float64
	var submits, runs, others []time.Duration
	for round := range rounds + 1 {
		session := "round" + strconv.Itoa(round)
		submit, err := timed(env, strings.Repeat(`{"tool":"true"}`+"\n", calls), onward, "schedule", "submit", "-", "--json", "--session", session)
		if err != nil {
			return 0, err
		}
		run, err := timed(env, "", onward, "schedule", "run", "--jobs", "2", "--json", "--session", session)
		if err != nil {
			return 0, err
		}
		other, err := timed(env, numbers.String(), "xargs", "-P2", "-n1", "true")
		if err != nil {
			return 0, err
		}
		if round == 0 { // the first round fills the caches
			continue
		}
		submits, runs, others = append(submits, submit), append(runs, run), append(others, other)
		ratios = append(ratios, float64(submit+run)/float64(other))
	}
	each := func(d []time.Duration) time.Duration {
		return (median(d) / time.Duration(calls)).Round(time.Microsecond)
	}
	fmt.Printf("%d calls of true, 2 at a time, median of %d rounds\n", calls, rounds)
	fmt.Printf("submit            %10v a call\n", each(submits))
	fmt.Printf("run               %10v a call\n", each(runs))
	fmt.Printf("xargs -P2         %10v a call\n", each(others))
	fmt.Printf("ratio             %10.2f   budget %.1f\n", median(ratios), budget)
	return median(ratios), nil
}

// timed runs a command without a terminal.
func timed(env []string, stdin, name string, args ...string) (time.Duration, error) {
	c := exec.Command(name, args...)
	c.Env, c.Stdin = env, strings.NewReader(stdin)
	start := time.Now()
	err := c.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w", c, err)
	}
	return time.Since(start), err
}

func median[T float64 | time.Duration](v []T) T {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}
