package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Many processes read the queue while others write to it. Each message is printed once, by one of them.
func TestMessageGoesToOneProcess(t *testing.T) {
	const writers, each, readers = 3, 8, 5
	dir := t.TempDir()
	run := func(args ...string) (code int, out string) {
		c := exec.Command("onward", args...)
		var text, errs bytes.Buffer
		c.Dir, c.Stdout, c.Stderr = dir, &text, &errs
		c.Env = append(os.Environ(), "ONWARD_STORE="+dir, "ONWARD_SESSION=demo", "ONWARD_LOCK_TIMEOUT=2m")
		var exit *exec.ExitError
		if err := c.Run(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
			return -1, ""
		}
		if code = c.ProcessState.ExitCode(); code > 1 {
			t.Errorf("onward %v: exit %d: %s", args, code, errs.String())
		}
		return code, text.String()
	}
	var writing, reading sync.WaitGroup
	over := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				run("message", "push", "-q", fmt.Sprintf("message.%d.%d", w, n))
			}
		})
	}
	var mu sync.Mutex
	printed := map[string]int{}
	for range readers {
		reading.Go(func() {
			for code, ended := 0, false; code == 0 || !ended; {
				select {
				case <-over:
					ended = true
				default:
				}
				var out string
				if code, out = run("message", "pop"); code < 0 || code > 1 {
					return
				}
				mu.Lock()
				for word := range strings.FieldsSeq(out) {
					printed[word]++
				}
				mu.Unlock()
			}
		})
	}
	writing.Wait()
	close(over)
	reading.Wait()
	if len(printed) != writers*each {
		t.Errorf("%d messages were printed of %d", len(printed), writers*each)
	}
	for message, n := range printed {
		if n != 1 {
			t.Errorf("%s was printed %d times", message, n)
		}
	}
}
