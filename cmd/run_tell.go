package cmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"onward/internal/agents/stream"
	"onward/internal/board"
	"onward/internal/cli"
	"onward/internal/night"
	"onward/internal/overview"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// runTeller tells the user of a run what happens.
type runTeller struct{ *runner }

// Tell reports an event: as a line of JSON on standard output, or as a line of text on standard error.
func (r runTeller) Tell(e night.Event, text string) {
	switch {
	case r.a.JSON:
		r.out.Write(render.EncodeJSON(e))
		r.logNote("onward: " + text)
	case r.a.Quiet && e.Type == "ended": // --quiet leaves out all other lines
		r.a.printError(r.logNote("onward: " + text))
	default:
		r.a.printNote(text)
		r.a.hint(e.Hint)
	}
}

func (r runTeller) Note(text string) { r.note(text) }

func (r runTeller) Hint(text string) {
	if !r.a.JSON {
		r.a.hint(text)
	}
}

func (r runTeller) RunBegan(record *session.Run, now todo.Time) {
	r.news = board.NewNotifier(r.Notify, nil)
	r.shown = r.openView(record, now)
}

func (r runTeller) RunEnded(err error) error {
	defer r.shown.End()
	return r.afterRun(err)
}

func (r runTeller) ShowActivity(record *session.Run, now todo.Time, doing string, left time.Duration) {
	r.shown.ShowActivity(record, now, doing, left)
}

func (r runTeller) ShowTalk(is stream.Talk) {
	r.shown.ShowTalk(is.Said, is.Call)
	if !r.Verbose || r.a.JSON || r.a.Quiet {
		return
	}
	for line := range strings.Lines(is.Said + is.Call) {
		if line = strings.TrimSpace(line); line != "" {
			r.a.printError(r.withTime("onward:   " + line)) // the log has it as the agent printed it
		}
	}
}

func (r runTeller) ShowTurnEnding(how string) { r.shown.ShowTurnEnding(how) }

func (r runTeller) CloseView() { r.shown.End() }

func (r runTeller) NoteLongWait() { r.notify() }

func (r runTeller) Problem(err error) { r.a.fail(err) }

func (r runTeller) AbandonOutput() { r.unread() }

// note writes a line for the user that is not one of the events.
func (r *runner) note(text string) {
	if r.a.JSON {
		r.logNote("onward: " + text)
	} else {
		r.a.printNote(text)
	}
}

// logNote adds a line for the user to the log, and returns it as the user sees it.
func (r *runner) logNote(line string) string {
	r.log.WriteLine(r.clock() + line)
	return r.withTime(line)
}

// withTime returns a line that begins with the time, unless its user sees it as it comes.
func (r *runner) withTime(line string) string {
	if r.onTerminal {
		return line
	}
	return r.clock() + line
}

// clock returns the time for the beginning of a line.
func (r *runner) clock() string {
	now, err := r.a.Clock()
	if err != nil { // which the next change reports
		return ""
	}
	return now.Time().Local().Format("15:04 ")
}

// waitUntilPrinted waits until the events are read, or until a signal comes.
func (r *runner) waitUntilPrinted() {
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-over:
		case <-r.signals:
			r.unread()
		}
	}()
	if r.out.Finish() {
		r.a.printNote("the last events were not taken by who reads them")
	}
}

// notify runs the user's command with the state of the session, as `watch` does.
func (r *runner) notify() {
	if r.Notify == nil {
		return
	}
	if row, _ := r.store.Row(); row != nil {
		r.news.Send(row)
	}
}

// afterRun runs the user's command at the end of the run, and writes the report and the receipt. Their failures do not change how the run
// ended.
func (r *runner) afterRun(err error) error {
	r.notify()
	patience := 2 * board.NotifyTimeout // for the command that runs, and the one about the end
	if code := cli.ExitCode(0); errors.As(err, &code) && (int(code) == cli.ExitInterrupted || int(code) == cli.ExitTerminated) {
		patience = board.FinalNotifyTimeout
	}
	r.news.Close(patience)
	select {
	case problem := <-r.news.Problems:
		r.a.printNote(problem)
	default:
	}
	for _, write := range []func() error{r.writeReport, r.writeReceipt} {
		failed := write()
		if err == nil {
			err = failed
		} else if failed != nil {
			r.a.fail(failed)
		}
	}
	return err
}

// writeReport writes the report on the session, as `onward report` does.
func (r *runner) writeReport() error {
	if r.Report == "" {
		return nil
	}
	names, err := r.t.Store.ListsNamed([]string{r.t.Name.String()})
	if err != nil {
		return err
	}
	data, err := overview.Report(r.t, names, r.reports)
	if err == nil {
		err = writeFile(r.Report, data, true)
	}
	if err == nil {
		r.note(fmt.Sprintf("wrote the report to %q", r.Report))
	}
	return err
}

// openView takes over standard error if that is a terminal on which lists can be drawn; otherwise it returns nil, which shows nothing.
func (r *runner) openView(record *session.Run, now todo.Time) *board.RunView {
	file, ok := canvas(r.a.err)
	if r.a.JSON || r.a.Quiet || !ok {
		return nil
	}
	p, err := liveFlags{}.painter(r.a, r.a.err)
	if err != nil {
		return nil
	}
	drawn, closeScreen := r.a.openScreen(file)
	return board.NewRunView(r.t, p, drawn, closeScreen, record, now)
}
