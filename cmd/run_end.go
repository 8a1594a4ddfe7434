package cmd

import (
	"fmt"
	"time"

	"onward/internal/session"
)

// longWait is the least length of a wait that the user is notified of.
const longWait = 10 * time.Minute

// notify runs the user's command with the state of the session, as `watch` does.
func (r *runner) notify() {
	if r.Notify == nil {
		return
	}
	if row, _ := r.t.standing(session.Saved{Name: r.t.name, Current: true}, readConfigFile()); row != nil {
		r.news.enqueue(notification{row.Name, standingLine(row)})
	}
}

// ended runs the user's command at the end of the run, and writes the report. Their failures do not change how the run
// ended.
func (r *runner) ended(err error) error {
	r.notify()
	r.news.close()
	select {
	case problem := <-r.news.problems:
		r.a.printNote(problem)
	default:
	}
	if r.Report == "" {
		return err
	}
	failed := r.report()
	if err == nil {
		return failed
	}
	r.a.fail(failed)
	return err
}

// report writes the report on the session, as `onward report` does.
func (r *runner) report() error {
	names, err := r.t.store.Named([]string{r.t.name.String()})
	if err != nil {
		return err
	}
	data, err := r.t.report(names, r.reports)
	if err == nil {
		err = writeFile(r.Report, data, true)
	}
	if err == nil {
		r.note(fmt.Sprintf("wrote the report to %q", r.Report))
	}
	return err
}
