package screen

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// signals are the system's signals to a program with a terminal. Windows does not signal a new size, so it is polled.
type signals struct {
	resized                   <-chan time.Time
	stopping, resumed, ending <-chan os.Signal
	ticker                    *time.Ticker
}

func watchSignals(bool) *signals {
	t := time.NewTicker(time.Second / 2)
	return &signals{resized: t.C, ticker: t}
}

func (s *signals) stop() { s.ticker.Stop() }

func suspend() {}

func die(os.Signal) {}

// prepare has the console understand escape sequences; an old one that cannot shows them.
func prepare(file *os.File) {
	var mode uint32
	handle := windows.Handle(file.Fd())
	if windows.GetConsoleMode(handle, &mode) == nil {
		_ = windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	}
}
