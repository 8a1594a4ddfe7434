package process

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"onward/internal/cli"
)

// waits is the context of calls of a store past this machine; stop cancels it, until a command handles signals itself.
var (
	waits context.Context
	stop  chan os.Signal
)

// unwinding is how long a command may take to end after its call of the store was cancelled. After that, for example if
// it waits for input, the process is ended.
const unwinding = 500 * time.Millisecond

// InterruptContext returns the context of all calls of a store past this machine: the first signal ends the one that waits.
// A process with a store in files needs no such context, because the signal just ends it.
func InterruptContext() context.Context {
	if waits != nil {
		return waits
	}
	if waits = context.Background(); signal.Ignored(os.Interrupt) { // as the signals of a script's background process are
		return waits
	}
	ctx, cancel := context.WithCancel(waits)
	waits = ctx
	stop = make(chan os.Signal, 1)
	listen(stop)
	go func() {
		<-stop
		cancel()
		time.Sleep(unwinding)
		os.Exit(cli.ExitInterrupted)
	}()
	return waits
}

// Interrupts returns the signals for a command that handles them itself. They do not cancel its calls of the store.
func Interrupts() chan os.Signal {
	OwnSignals()
	signals := make(chan os.Signal, 4)
	listen(signals)
	return signals
}

// OwnSignals keeps signals from ending calls of the store.
func OwnSignals() {
	if stop != nil {
		signal.Stop(stop)
	}
}

// listen subscribes to the signals that end a command. The signal of a closed terminal is one of them, unless it is
// ignored, as under nohup.
func listen(signals chan os.Signal) {
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}

// NewMark returns a value that identifies the run: no other run has it.
func NewMark() string {
	start, _ := StartTime(os.Getpid())
	return strconv.Itoa(os.Getpid()) + "." + start + "." + strconv.FormatInt(time.Now().UnixNano(), 10)
}
