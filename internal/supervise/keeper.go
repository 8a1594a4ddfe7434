package supervise

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// The orders to a keeper, a byte each. The end of the pipe is one too: to kill.
const (
	orderInterrupt = 'i'
	orderTerminate = 't'
	orderKill      = 'k'
)

// Keep runs a program, and ends it with all that it started as soon as the pipe ends: whoever holds the other end
// may be killed, and nothing of the program must be at work after that. The pipe brings the length of the
// program's input, a line of its own, then the input, then orders. It returns the program's exit code, 127 where it could
// not be started, or was not wanted any more.
func Keep(pipe io.Reader, argv []string) (int, error) {
	// What is tied to this process is tied to the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// They are for the program only, which receives them by an order. Ignored ones it would ignore as well.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	in := bufio.NewReader(pipe)
	input, err := readInput(in)
	if errors.Is(err, io.EOF) {
		return notFound, nil
	} else if err != nil {
		return notFound, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), os.Stdout, os.Stderr
	cmd.WaitDelay = afterExit
	end := endDescendants()
	defer end()
	g, err := start(cmd, true)
	if err != nil {
		return notFound, fmt.Errorf("start %q: %w", argv[0], err)
	}
	defer g.close()
	go obey(in, g)
	_ = cmd.Wait()
	g.kill() // what it left in its group
	return exitCode(cmd.ProcessState), nil
}

func readInput(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read the length of the input: %w", err)
	}
	n, err := strconv.Atoi(line[:len(line)-1])
	if err != nil || n < 0 {
		return nil, fmt.Errorf("read the length of the input: %q is not a number of bytes", line[:len(line)-1])
	}
	input := make([]byte, n)
	if _, err := io.ReadFull(in, input); err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	return input, nil
}

// obey carries out orders until the pipe ends.
func obey(orders io.ByteReader, g group) {
	for {
		order, err := orders.ReadByte()
		switch {
		case err != nil || order == orderKill:
			g.kill()
			return
		case order == orderInterrupt:
			g.interrupt()
		case order == orderTerminate:
			g.terminate()
		}
	}
}

// killed is the least exit code of a process that a signal ended.
const killed = 128

// Kept is a program that runs below a keeper.
type Kept struct {
	Output io.ReadCloser // of the program
	cmd    *exec.Cmd
	gone   chan struct{} // is closed when the keeper has ended, and nothing of the program is left
	mu     sync.Mutex
	orders io.WriteCloser
	begun  bool // the program was
	ending *time.Timer
}

// StartKept starts a keeper, which starts the program at Begin. Command is what starts a keeper, to which the program's
// arguments are added. Orphans ends what is left of the program where the keeper was killed.
func StartKept(command, argv, env []string, stderr io.Writer, orphans func()) (*Kept, error) {
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], argv...)...)
	cmd.Env, cmd.Stderr = env, stderr
	apart(cmd) // a Ctrl-C at our terminal is ours alone
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, written, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.WaitDelay = written, afterExit
	err = cmd.Start()
	_ = written.Close()
	if err != nil {
		_ = output.Close()
		return nil, err
	}
	k := &Kept{Output: output, cmd: cmd, orders: orders, gone: make(chan struct{})}
	go func() {
		defer close(k.gone)
		_ = cmd.Wait()
		if exitCode(cmd.ProcessState) >= killed {
			orphans() // else they hold the output open
		}
	}()
	return k, nil
}

// Begin has the keeper start the program, with its input. Whoever must know the keeper where this process is killed has
// written that down by now.
func (k *Kept) Begin(input string) {
	k.mu.Lock()
	k.begun = true
	go func() {
		defer k.mu.Unlock()
		_, _ = io.WriteString(k.orders, strconv.Itoa(len(input))+"\n"+input)
	}()
}

// PID returns the keeper's process id.
func (k *Kept) PID() int { return k.cmd.Process.Pid }

// Interrupt interrupts the program, as Ctrl-C does, and kills it if it has not ended after a while.
func (k *Kept) Interrupt(patience time.Duration) { k.order(orderInterrupt, patience) }

// Terminate asks the program to end, and kills it if it has not after a while.
func (k *Kept) Terminate(patience time.Duration) { k.order(orderTerminate, patience) }

// Kill ends the program.
func (k *Kept) Kill() { k.order(orderKill, 0) }

func (k *Kept) order(what byte, patience time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.begun {
		_ = k.orders.Close()
		return
	}
	_, _ = k.orders.Write([]byte{what})
	if patience > 0 && k.ending == nil {
		k.ending = time.AfterFunc(patience, k.Kill)
	}
}

// Wait waits for the keeper's end once the output was read to its end, and returns the program's exit code.
func (k *Kept) Wait() int {
	<-k.gone
	_ = k.Output.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ending != nil {
		k.ending.Stop()
	}
	_ = k.orders.Close()
	return exitCode(k.cmd.ProcessState)
}
