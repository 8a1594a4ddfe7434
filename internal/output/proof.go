package output

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// ProofJSON is onward/proof/v1: the receipt of a session's last run that has ended, and how the files differ now, unless that is nil.
// Later is whether another run has begun since, and has not ended.
func ProofJSON(name session.Name, r *session.Receipt, now *run.PresentFiles, later bool) []byte {
	w := BeginDocument("onward/proof/v1", name, session.MaxReceipt)
	w.Members(r)
	if later {
		w.Bool("later_run", true)
	}
	if now != nil && r.End.Tree != "" {
		since := now.Changed
		since.Files = since.Files[:min(len(since.Files), 10)]
		if since.Unknown == "" && now.Tree == "" {
			since.Unknown = now.NoTree
		}
		w.Name("since")
		w.Open('{')
		w.Bool("same", r.End.Tree == now.Tree)
		w.Members(&since)
		w.Close('}')
	}
	w.Close('}')
	return EndDocument(w)
}

// ProofText shows the receipt of a session's last run that has ended; since is what has changed since its end, and later whether another
// run has begun since, and has not ended.
func ProofText(name session.Name, r *session.Receipt, since string, later bool, style render.Style, now time.Time) string {
	rows := [][]string{{"session", name.String()}}
	row := func(key, text string) {
		if text != "" {
			rows = append(rows, []string{key, text})
		}
	}
	row("task", r.Task)
	row("item", r.Item)
	row("ended", strings.ReplaceAll(r.Outcome, "_", " ")+", "+render.Age(r.Ended, now))
	row("proof", strings.TrimPrefix(r.Grade+": "+r.Message, ": "))
	row("gate", r.Gate)
	if r.Passed != nil {
		row("passed", filesText(*r.Passed))
	}
	row("before", filesText(r.Start))
	row("after", filesText(r.End))
	if r.NoTree != r.Changed.Unknown {
		row("no tree", r.NoTree)
	}
	for i, is := range r.Results {
		if i == 1 && r.Older > 0 {
			row("result", todo.Plural(r.Older, "result")+" left out")
		}
		row("result", resultText(is, now))
	}
	row("changed", changedText(r.Changed))
	for _, f := range r.Changed.Files {
		lines := fmt.Sprintf("+%d -%d", f.Added, f.Removed)
		if f.Binary {
			lines = "binary"
		}
		rows = append(rows, []string{"", f.Path + "  " + lines})
	}
	row("checks", strings.Join(r.Checks, ", "))
	row("list", render.Totals(r.Counts))
	row("agent", strings.Join(r.Agents, ", "))
	row("spent", r.Spent())
	for _, of := range r.Relay {
		rows = append(rows, []string{"", of.Spent()})
	}
	row("onward", r.Version)
	if since == "" && r.End.Tree != "" {
		since = "the files are the same"
	}
	row("now", since)
	if later {
		row("later", "a run that has not ended: `onward report` shows it")
	}
	return style.Paragraphs(rows)
}

func filesText(f session.Files) string {
	switch {
	case f.Tree == "":
		return ""
	case f.Commit == "":
		return "tree " + f.Tree
	}
	return "tree " + f.Tree + ", of commit " + f.Commit
}

func resultText(is session.ProofResult, now time.Time) string {
	text := fmt.Sprintf("exit code %d", is.Code)
	if is.Code < 0 {
		text = "no exit code"
	}
	return text + " after " + todo.SpanText(time.Duration(is.Took)*time.Millisecond) + ", " + render.Age(is.At, now)
}

func changedText(c session.Changed) string {
	if c.Unknown != "" {
		return "unknown: " + c.Unknown
	}
	return fmt.Sprintf("%s, +%d -%d", todo.Plural(c.Count, "file"), c.Added, c.Removed)
}
