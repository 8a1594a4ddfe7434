package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// Worker sums up the runs of one worker on the items of a list.
type Worker struct {
	Name       string `json:"name"`
	Runs       int    `json:"runs"`
	Completed  int    `json:"completed"`
	Blocked    int    `json:"blocked"`
	GivenBack  int    `json:"given_back"`
	Turns      int    `json:"turns"`
	Tokens     int    `json:"tokens"`
	CostMicros int    `json:"cost_micros"`
	Spent      int64  `json:"spent_ms"`
	Commit     string `json:"commit,omitzero"` // the last one of its checkout
}

// addRun adds a run on an item to the row of its worker.
func (b *builder) addRun(ev *session.Event) {
	at := slices.IndexFunc(b.Workers, func(w Worker) bool { return w.Name == ev.Worker })
	if at < 0 {
		at = len(b.Workers)
		b.Workers = append(b.Workers, Worker{Name: ev.Worker})
	}
	w := &b.Workers[at]
	w.Runs++
	switch todo.Status(ev.Class) {
	case todo.Completed:
		w.Completed++
	case todo.Blocked:
		w.Blocked++
	default:
		w.GivenBack++
	}
	w.Turns += ev.Turns
	w.Tokens += ev.Tokens
	w.CostMicros += ev.Cost
	w.Spent += int64(ev.Took)
	if ev.Commit != "" {
		w.Commit = ev.Commit
	}
}

// ranWords says in a sentence how a run on an item ended.
func (e *Event) ranWords() string {
	did := "gave back"
	switch todo.Status(e.Class) {
	case todo.Completed:
		did = "completed"
	case todo.Blocked:
		did = "blocked"
	}
	text := fmt.Sprintf("%s %s an item after %s", e.Worker, did, todo.Plural(e.Turns, "turn"))
	if e.Problem != "" {
		text += " (" + short(e.Problem, 200) + ")"
	}
	return text
}

// workerColumns name the cells of a worker.
var workerColumns = []string{"Worker", "Completed", "Blocked", "Given back", "Time", "Turns", "Tokens", "Cost", "Last commit"}

// cells are the cells of a worker. What was not reported is empty.
func (w *Worker) cells() []string {
	out := []string{w.Name, fmt.Sprint(w.Completed), fmt.Sprint(w.Blocked), fmt.Sprint(w.GivenBack), todo.SpanText(time.Duration(w.Spent) * time.Millisecond), fmt.Sprint(w.Turns), "", "", w.Commit[:min(12, len(w.Commit))]}
	if w.Tokens > 0 {
		out[6] = grouped(w.Tokens)
	}
	if w.CostMicros > 0 {
		out[7] = dollars(w.CostMicros)
	}
	return out
}

// workers writes a table with a row for each worker.
func (b *writer) workers(s *Session) {
	if len(s.Workers) == 0 {
		return
	}
	fmt.Fprintf(&b.Builder, "\n| %s |\n|%s\n", strings.Join(workerColumns, " | "), strings.Repeat("---|", len(workerColumns)))
	for i := range s.Workers {
		for _, cell := range s.Workers[i].cells() {
			b.WriteString("| " + b.inert(cell) + " ")
		}
		b.WriteString("|\n")
	}
}

// workers is a table with a row for each worker.
func (p *page) workers(s *Session) {
	if len(s.Workers) == 0 {
		return
	}
	p.put("<h2>Workers</h2>\n<table class=\"overview\">\n<thead><tr>")
	for _, name := range workerColumns {
		p.put("<th>%s", name)
	}
	p.put("</tr></thead>\n<tbody>\n")
	for i := range s.Workers {
		p.put("<tr>")
		for _, cell := range s.Workers[i].cells() {
			p.put("<td>%s", cell)
		}
		p.put("</tr>\n")
	}
	p.put("</tbody>\n</table>\n")
}
