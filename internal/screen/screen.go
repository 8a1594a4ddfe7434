package screen

import (
	"bytes"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// frameTime is the shortest time between two drawings; of frames that come faster, the last is drawn.
const frameTime = time.Second / 30

// Frame returns the lines for a screen of a number of columns and rows; there are at most as many lines as rows.
type Frame func(width, height int) []string

// Screen is a terminal on which a frame is kept up to date, also when its size changes.
// Until Close, everything else for the terminal goes through Over.
type Screen struct {
	file *os.File

	mu      sync.Mutex
	painter painter
	frame   Frame
	away    bool     // the terminal is given back, since the process is stopped
	in      *os.File // the terminal whose keys are read; nil if none are
	restore func()   // stops reading keys

	changed chan struct{}
	done    chan struct{}
	stopped chan struct{}
}

// Open takes over a terminal: the whole screen, or only the rows from the cursor on.
// It restores the terminal when the process is stopped. So it does with a whole screen when a signal ends the process,
// except the interrupt, which is the caller's; rows need no restoring.
func Open(file *os.File, full bool) *Screen {
	s := &Screen{
		file: file, painter: painter{full: full},
		changed: make(chan struct{}, 1), done: make(chan struct{}), stopped: make(chan struct{}),
	}
	prepare(file)
	s.enter()
	go s.run()
	return s
}

// Show replaces the frame. It does not wait until it is drawn.
func (s *Screen) Show(f Frame) {
	s.mu.Lock()
	s.frame = f
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // it is going to be drawn anyway
	}
}

// Close restores the terminal. The last frame stays on it.
func (s *Screen) Close() {
	close(s.done)
	<-s.stopped
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.away {
		s.draw()
		s.reset()
		s.redrawLast()
	}
}

// redrawLast writes the last frame again if the screen that showed it is gone.
func (s *Screen) redrawLast() {
	width, height := s.size()
	if !s.painter.full || s.frame == nil || height < 2 {
		return
	}
	for _, line := range s.frame(width, height-1) {
		s.write(line + "\r\n")
	}
}

// run draws when the frame or the size of the terminal changes.
func (s *Screen) run() {
	defer close(s.stopped)
	signals := watchSignals(s.painter.full)
	defer signals.stop()
	for {
		select {
		case <-s.done:
			return
		case <-s.changed:
		case <-signals.resized:
		case sig := <-signals.ending:
			s.release()
			die(sig)
			return
		case <-signals.stopping:
			s.release()
			suspend()
			continue
		case <-signals.resumed:
		}
		s.mu.Lock()
		if s.away {
			s.enter()
			s.away = false
		}
		s.draw()
		s.mu.Unlock()
		select {
		case <-s.done:
			return
		case <-time.After(frameTime):
		}
	}
}

// release leaves the terminal to others until the next drawing.
func (s *Screen) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reset()
	s.away = true
}

// size returns the columns and rows of the terminal.
func (s *Screen) size() (width, height int) {
	width, height, err := term.GetSize(int(s.file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	return width, height
}

func (s *Screen) draw() {
	if s.frame == nil || s.away {
		return
	}
	width, height := s.size()
	room := height
	if !s.painter.full {
		room-- // below the frame is the row of the cursor
	}
	var lines []string
	if room > 0 {
		lines = s.frame(width, room)
	}
	s.write(s.painter.draw(lines, width, height))
}

func (s *Screen) enter() {
	if s.painter.full {
		s.write(enterFull + hideCursor)
	}
	s.readKeys()
}

func (s *Screen) reset() {
	s.painter = painter{full: s.painter.full}
	if s.painter.full {
		s.write(leaveFull + showCursor)
	}
	if s.restore != nil {
		s.restore()
		s.restore = nil
	}
}

// write ignores errors: if the terminal is gone, there is nowhere left to report them.
func (s *Screen) write(text string) { _, _ = io.WriteString(s.file, text) }

// WriterAbove returns a writer whose lines appear above the frame. A line is held back until its end is there;
// the rest is written by Flush.
func (s *Screen) WriterAbove(w io.Writer) *Above { return &Above{screen: s, w: w} }

// Above is a writer to the same terminal as a Screen's.
type Above struct {
	screen *Screen
	w      io.Writer
	part   []byte // the beginning of an incomplete line
}

// Underlying returns the writer to the terminal.
func (a *Above) Underlying() io.Writer { return a.w }

// Write writes the lines that are complete.
func (a *Above) Write(data []byte) (int, error) {
	a.part = append(a.part, data...)
	end := bytes.LastIndexByte(a.part, '\n') + 1
	if end == 0 {
		return len(data), nil
	}
	lines := a.part[:end]
	a.part = bytes.Clone(a.part[end:])
	s := a.screen
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away || len(s.painter.lines) == 0 {
		_, err := a.w.Write(lines)
		return len(data), err
	}
	// It clears row by row: of a screen that is cleared at once, some terminals keep a copy to scroll back to.
	width, height := s.size()
	s.write(s.painter.draw(nil, width, height))
	_, err := a.w.Write(lines)
	s.draw()
	return len(data), err
}

// Flush writes what is left of a line that never ended.
func (a *Above) Flush() error {
	if len(a.part) == 0 {
		return nil
	}
	_, err := a.Write([]byte{'\n'})
	return err
}
