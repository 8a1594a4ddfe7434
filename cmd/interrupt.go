package cmd

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The calls of stores past this machine are bound to waits, which stop cancels, until a command handles signals itself.
var (
	waits context.Context
	stop  chan os.Signal
)

// unwinding is how long a command may take to end, once its call of the store has. One that waits for something else
// then, such as its input, is ended.
const unwinding = 500 * time.Millisecond

// interruptible returns the context of all calls of a store past this machine: the first signal ends the one that waits.
// A process that waits for files needs none, for it just ends.
func interruptible() context.Context {
	if waits != nil {
		return waits
	}
	if waits = context.Background(); signal.Ignored(os.Interrupt) { // as those of a script in the background
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
		os.Exit(exitInterrupted)
	}()
	return waits
}

// interrupts returns the signals that end a command which handles them itself: a store is asked to the end then.
func interrupts() chan os.Signal {
	ownSignals()
	signals := make(chan os.Signal, 4)
	listen(signals)
	return signals
}

// ownSignals keeps signals from ending calls of the store.
func ownSignals() {
	if stop != nil {
		signal.Stop(stop)
	}
}

// listen asks for the signals that end a command. A terminal that is closed is one of them, unless somebody has
// asked, as nohup does, that it be none.
func listen(signals chan os.Signal) {
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}
