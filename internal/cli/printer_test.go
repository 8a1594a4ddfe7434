package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

// stalling is a writer that blocks until it is opened.
type stalling struct {
	open  chan struct{}
	taken bytes.Buffer
}

func (s *stalling) Write(data []byte) (int, error) {
	<-s.open
	return s.taken.Write(data)
}

func TestPrinterWritesBeforeReturning(t *testing.T) {
	var taken bytes.Buffer
	p := NewPrinter(&taken)
	for _, line := range []string{"one\n", "two\n"} {
		p.Write([]byte(line))
		if !strings.HasSuffix(taken.String(), line) {
			t.Fatalf("%q is not out", line)
		}
	}
}

func TestPrinterContinuesPastStalledReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &stalling{open: make(chan struct{})}
		p := NewPrinter(to)
		want := ""
		for _, line := range []string{"one\n", "two\n", "three\n"} {
			p.Write([]byte(line))
			want += line
		}
		close(to.open)
		if p.Finish() || to.taken.String() != want {
			t.Errorf("the reader took %q, want %q", to.taken.String(), want)
		}
		// Writes wait for the reader again.
		p.Write([]byte("four\n"))
		if !strings.HasSuffix(to.taken.String(), "four\n") {
			t.Error("the next line is not out when it was written")
		}
	})
}

func TestPrinterBlocksWhenFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &stalling{open: make(chan struct{})}
		p := NewPrinter(to)
		p.Write([]byte("one\n"))
		written := false
		go func() {
			p.Write(make([]byte, maxWaiting+1))
			written = true
		}()
		synctest.Wait()
		if written {
			t.Error("more waits than may wait")
		}
		close(p.leave)
		synctest.Wait()
		if !written || !p.Finish() {
			t.Errorf("written %v: who leaves is not kept, and is told that something was not taken", written)
		}
		close(to.open)
	})
}

func TestPrinterDropsClosedReader(t *testing.T) {
	p := NewPrinter(broken{})
	p.Write([]byte("one\n"))
	p.Write([]byte("two\n"))
	if p.Finish() {
		t.Error("there is nobody to wait for")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
