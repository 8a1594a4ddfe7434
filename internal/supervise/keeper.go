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
	"sync/atomic"
	"syscall"
	"time"

	"onward/internal/process"
)

// The orders to a keeper are single bytes. The end of the pipe is the order to kill.
const (
	orderInterrupt = 'i'
	orderTerminate = 't'
	orderKill      = 'k'
)

// RunKeeper runs a program, and ends it with every process that it started as soon as the pipe ends. The
// pipe also ends when the process at its other end is killed, so that no agent works on without its run.
// The pipe contains a line with the length of the program's input, then the input, then orders. Keep
// returns the program's exit code, or 127 if the program could not be started or the pipe ended first.
// It reports to StartKept whether the program left something at work.
func RunKeeper(pipe io.Reader, argv []string) (int, error) {
	// The system ends a tied process with the thread that started it, so the thread must stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The program receives these signals by orders. They are caught here, not ignored, because the
	// program would inherit that they are ignored.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	reportLeft := leftReporter()
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
	spared, end := process.Children(), endDescendants()
	defer end()
	g, err := start(cmd, true)
	if err != nil {
		return notFound, fmt.Errorf("start %q: %w", argv[0], err)
	}
	defer g.close()
	var ordered atomic.Bool
	go obey(in, g, &ordered)
	own := process.InputOf(cmd.Process.Pid)
	_ = cmd.Wait()
	if leftAtWork(spared, own, &ordered) {
		reportLeft()
	}
	g.kill() // the processes that the program left in its group
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

// How long processes that a program left may take to end by themselves, as the helpers of an agent do.
const (
	leftGrace = 500 * time.Millisecond
	leftLook  = 20 * time.Millisecond
)

// leftAtWork reports whether a program that has ended left processes that work on: more than helpers, which end by themselves or wait for
// what the program tells them. Its own input is not that of a helper. Where it was ordered to end, nothing is reported or waited for.
func leftAtWork(spared []int, own string, ordered *atomic.Bool) bool {
	for began := time.Now(); !ordered.Load() && process.WorksBelow(spared, own); time.Sleep(leftLook) {
		if time.Since(began) >= leftGrace {
			return true
		}
	}
	return false
}

// obey carries out orders until the pipe ends, and notes that there was one.
func obey(orders io.ByteReader, g group, ordered *atomic.Bool) {
	for {
		order, err := orders.ReadByte()
		ordered.Store(true)
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

// killed is the lowest exit code of a process that a signal ended.
const killed = 128

// KeeperProgram is a program that runs below a keeper.
type KeeperProgram struct {
	Output io.ReadCloser // of the program
	cmd    *exec.Cmd
	gone   chan struct{} // closed when the keeper and all processes of the program have ended
	mu     sync.Mutex
	orders io.WriteCloser
	begun  bool // Begin was called
	left   bool // processes of the program were ended that would have worked on
	ending *time.Timer
	last   *time.Timer // until the keeper itself is killed
}

// keeperPatience is how long a keeper may take to kill its program. One that is stopped, as by SIGSTOP, never does.
var keeperPatience = 10 * time.Second // the tests have less

// StartKept starts a keeper, which starts the program when Begin is called. The command line of the
// keeper is command, followed by argv, that of the program. If the keeper is killed, orphans is called
// to end what is left of the program.
func StartKept(command, argv, env []string, stderr io.Writer, orphans func()) (*KeeperProgram, error) {
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], argv...)...)
	cmd.Env, cmd.Stderr = env, stderr
	apart(cmd) // Ctrl-C at the terminal reaches onward alone
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, written, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.WaitDelay = written, afterExit
	left, err := listenForLeft(cmd)
	if err != nil {
		_, _ = output.Close(), written.Close()
		return nil, err
	}
	end, restore := endDescendants(), rename(TurnName) // of a keeper that is killed, this process inherits what it has started
	err = cmd.Start()
	_ = written.Close()
	if err != nil {
		restore()
		left()
		_ = output.Close()
		return nil, err
	}
	k := &KeeperProgram{Output: output, cmd: cmd, orders: orders, gone: make(chan struct{})}
	go func() {
		defer close(k.gone)
		defer restore()
		_ = cmd.Wait()
		k.left = left()
		if exitCode(cmd.ProcessState) >= killed {
			orphans() // they would keep the output open
			end()
			// An orphan that cannot be found, as on systems other than Linux, must not block this process forever.
			time.AfterFunc(keeperPatience, func() { _ = output.Close() })
		}
	}()
	return k, nil
}

// Begin lets the keeper start the program, with its input. The caller has saved the keeper's process id
// by then, so that the program is found even if this process is killed.
func (k *KeeperProgram) Begin(input string) {
	k.mu.Lock()
	k.begun = true
	go func() {
		defer k.mu.Unlock()
		_, _ = io.WriteString(k.orders, strconv.Itoa(len(input))+"\n"+input)
	}()
}

// Left reports, after Wait, whether the keeper ended processes that the program had left at work. Only Linux shows that.
func (k *KeeperProgram) Left() bool { return k.left }

// PID returns the keeper's process id.
func (k *KeeperProgram) PID() int { return k.cmd.Process.Pid }

// Interrupt interrupts the program, as Ctrl-C does, and kills it if it has not ended after a while.
func (k *KeeperProgram) Interrupt(patience time.Duration) { k.order(orderInterrupt, patience) }

// Terminate asks the program to end, and kills it if it has not ended after a while.
func (k *KeeperProgram) Terminate(patience time.Duration) { k.order(orderTerminate, patience) }

// Kill ends the program.
func (k *KeeperProgram) Kill() { k.order(orderKill, 0) }

func (k *KeeperProgram) order(what byte, patience time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if what == orderKill && k.last == nil {
		k.last = time.AfterFunc(keeperPatience, func() { _ = k.cmd.Process.Kill() })
	}
	if !k.begun {
		_ = k.orders.Close()
		return
	}
	_, _ = k.orders.Write([]byte{what})
	if patience > 0 && k.ending == nil {
		k.ending = time.AfterFunc(patience, k.Kill)
	}
}

// Wait waits for the end of the keeper, and returns the program's exit code. The caller has read the
// output to its end before.
func (k *KeeperProgram) Wait() int {
	<-k.gone
	_ = k.Output.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ending != nil {
		k.ending.Stop()
	}
	if k.last != nil {
		k.last.Stop()
	}
	_ = k.orders.Close()
	return exitCode(k.cmd.ProcessState)
}
