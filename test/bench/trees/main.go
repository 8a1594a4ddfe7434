// Command trees measures what it costs to read the state of a checkout, as a multiple of `git status` in the same run.
//
//	go run ./test/bench/trees [-n 20] [-gate]
//
// With -gate, it exits with code 1 if a median is over its limit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/tree"
)

// checkout is a kind of checkout.
type checkout struct {
	name      string
	committed int
	untracked int    // new files
	folder    string // that they are in; next to the committed ones if it is empty
	limit     float64
}

func main() {
	runs := flag.Int("n", 20, "counted readings of each checkout")
	gate := flag.Bool("gate", false, "exit 1 where a median is over its limit")
	flag.Parse()
	over := false
	fmt.Printf("%-44s  %6s  %6s  %6s  %s\n", "checkout", "first", "again", "limit", "")
	for _, c := range []checkout{
		{name: "50,000 clean files", committed: 50_000, limit: 1.5},
		{name: "20,000 untracked files beside 400 others", committed: 400, untracked: 20_000, limit: 2.5},
		{name: "20,000 untracked files in new folders", committed: 400, untracked: 20_000, folder: "new", limit: 2.5},
	} {
		first, again, err := c.measure(*runs)
		if err != nil {
			fmt.Fprintln(os.Stderr, "trees:", err)
			os.Exit(2)
		}
		verdict := "ok"
		if again > c.limit {
			verdict, over = "over", true
		}
		fmt.Printf("%-44s  %6.2f  %6.2f  %6.1f  %s\n", c.name, first, again, c.limit, verdict)
	}
	fmt.Printf("medians of %d readings; 1.00 is `git status --untracked-files=all` right before\n", *runs)
	if *gate && over {
		os.Exit(1)
	}
}

// measure returns what the first reading of a checkout costs, and the median of what each further one does.
func (c *checkout) measure(runs int) (first, again float64, err error) {
	dir, err := os.MkdirTemp("", "trees-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	top := filepath.Join(dir, "checkout")
	if err := errors.Join(write(top, "old", c.committed), commit(top), write(filepath.Join(top, c.folder), "new", c.untracked)); err != nil {
		return 0, 0, err
	}
	time.Sleep(2 * time.Second) // git reads a file again that is as old as its index
	if err := git(top, "status"); err != nil {
		return 0, 0, err
	}
	reader := tree.Reader{Folder: filepath.Join(dir, "trees")}
	var ratios []float64
	for range runs + 1 {
		began := time.Now()
		if err := git(top, "status", "--untracked-files=all"); err != nil {
			return 0, 0, err
		}
		status := time.Since(began)
		began = time.Now()
		if _, err := reader.Read(context.Background(), top); err != nil {
			return 0, 0, err
		}
		ratios = append(ratios, float64(time.Since(began))/float64(status))
	}
	first, ratios = ratios[0], ratios[1:]
	slices.Sort(ratios)
	return first, ratios[len(ratios)/2], nil
}

// write writes files into two hundred folders.
func write(top, name string, count int) error {
	for i := range count {
		folder := filepath.Join(top, fmt.Sprint("folder", i%200))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(name, i)), []byte(strings.Repeat(fmt.Sprintln(name, i), 5)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func commit(top string) error {
	return errors.Join(git(top, "init", "--quiet"), git(top, "add", "--all"),
		git(top, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=files"))
}

func git(dir string, args ...string) error {
	c := exec.Command("git", append([]string{"-c", "gc.auto=0"}, args...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}
