//go:build unix

package screen

import (
	"os"
	"os/signal"
	"syscall"
)

// signals are the system's signals to a program with a terminal.
type signals struct {
	resized  chan os.Signal
	stopping chan os.Signal // the user suspends the program
	resumed  chan os.Signal
	ending   chan os.Signal
}

// watchSignals begins to watch; those that end the process are of interest to a whole screen alone.
func watchSignals(full bool) *signals {
	s := &signals{
		resized: make(chan os.Signal, 1), stopping: make(chan os.Signal, 1),
		resumed: make(chan os.Signal, 1), ending: make(chan os.Signal, 1),
	}
	signal.Notify(s.resized, syscall.SIGWINCH)
	signal.Notify(s.stopping, syscall.SIGTSTP)
	signal.Notify(s.resumed, syscall.SIGCONT)
	if full {
		signal.Notify(s.ending, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	}
	return s
}

func (s *signals) stop() {
	for _, c := range []chan os.Signal{s.resized, s.stopping, s.resumed, s.ending} {
		signal.Stop(c)
	}
}

// suspend stops the process until it is signalled to continue.
func suspend() { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

// die ends the process as the signal would have.
func die(sig os.Signal) {
	signal.Reset(sig)
	if number, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), number)
	}
}

// prepare has nothing to do: a Unix terminal understands escape sequences.
func prepare(*os.File) {}
