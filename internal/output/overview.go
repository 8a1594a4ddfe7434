package output

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// The widths of cells on a screen whose width is known.
const (
	placeColumn = 16
	nameColumn  = 24
	agentColumn = 10
	longBar     = 8
	shortBar    = 5
	wideScreen  = 110 // columns from which on the item and the reason have a column each
)

// OverviewText shows sessions: what each needs, its project, agent, progress and current item,
// since when it is in that state, and why it does not continue; below them the states of all sessions.
func OverviewText(rows, all []live.Row, style render.Style, now time.Time) string {
	var b strings.Builder
	if len(rows) == 0 {
		return OverviewTotals(rows) + "\n"
	}
	cells, always := OverviewCells(rows, -1, style, now)
	b.WriteString(style.Table(cells, always))
	style.WriteHanging(&b, "", 0, OverviewTotals(all))
	return b.String()
}

// OverviewHint names the command for the session that needs its user most, by its id, which the table may not have room for; empty if
// none needs them. The rows begin with that one.
func OverviewHint(rows []live.Row) string {
	if len(rows) == 0 || !rows[0].Standing.Attention.NeedsUser() {
		return ""
	}
	of := " --session " + rows[0].Name.Session
	switch s := rows[0].Standing; {
	case s.Reason == "damaged":
		return "`onward repair` shows what can be restored"
	case s.Reason == "approval":
		return "`onward schedule list" + of + " --status awaiting_approval` shows what the first one would do"
	case s.State == continuation.NeedsYou && s.Reason == "paused":
		return "`onward reply" + of + " 'ANSWER'` answers the first one"
	case s.State == continuation.IsCutOff:
		return "`onward run" + of + "` picks the first one up"
	case s.Reason == continuation.ReasonMessageSent:
		return "`onward run" + of + "` goes on in the first one, with your message"
	}
	return "`onward report" + of + "` shows what happened in the first one"
}

// OverviewCells returns the cells of sessions for the width of the screen, and how many of them always stay in columns.
// If there is little room, the reason and the item share a column; then the agent is dropped, then the bar.
// The selected one has a mark, and no colours of its own.
func OverviewCells(rows []live.Row, selected int, style render.Style, now time.Time) ([][]string, int) {
	layouts := []struct {
		cells  func(*live.Row, render.Style) []string
		always int
	}{
		{func(r *live.Row, style render.Style) []string {
			project, name := r.Location()
			return []string{
				stateCell(r, style), style.Cut(render.Text(project), placeColumn), style.Cut(render.Text(name), nameColumn), style.Cut(render.Text(r.Agent()), agentColumn),
				progressCell(r, longBar, style), style.Cut(render.Text(r.CurrentText()), style.Width/4), sinceCell(r, now), render.Text(WhyText(r.Standing)),
			}
		}, 7},
		{func(r *live.Row, style render.Style) []string {
			return []string{
				stateCell(r, style), style.Cut(placeCell(r), placeColumn), style.Cut(render.Text(r.Agent()), agentColumn),
				progressCell(r, shortBar, style), sinceCell(r, now), whyCell(r),
			}
		}, 5},
		{func(r *live.Row, style render.Style) []string {
			return []string{stateCell(r, style), style.Cut(placeCell(r), placeColumn), progressCell(r, shortBar, style), sinceCell(r, now), whyCell(r)}
		}, 4},
		{func(r *live.Row, style render.Style) []string {
			item := ""
			if r.Standing.Why != "" {
				item = render.Text(r.CurrentText())
			}
			return []string{stateCell(r, style), style.Cut(placeCell(r), max(style.Width/3, 8)), progressCell(r, 0, style), sinceCell(r, now), whyCell(r), item}
		}, 4},
	}
	for i, layout := range layouts {
		if i == 0 && 0 < style.Width && style.Width < wideScreen {
			continue
		}
		cells := make([][]string, len(rows))
		for i := range rows {
			own := style
			own.Color = style.Color && i != selected
			cells[i] = layout.cells(&rows[i], own)
			if i == selected {
				cells[i][0] = style.Symbol("›", ">") + cells[i][0][1:]
			}
		}
		if i == len(layouts)-1 || style.HasRoom(cells, layout.always) {
			return cells, layout.always
		}
	}
	return nil, 0
}

// stateColor is the colour of a state; only broken ones are red.
func stateColor(s continuation.Standing) string {
	switch s.State {
	case continuation.NeedsYou:
		return render.Strong
	case continuation.AtLimit:
		return render.Magenta
	case continuation.HasFailed:
		return render.Red
	case continuation.IsDone:
		return render.Green
	case continuation.IsStopped, continuation.IsCleared, continuation.IsEmpty:
		return render.Dim
	}
	if s.Attention == continuation.AttentionStalled {
		return render.Magenta
	}
	return ""
}

func stateCell(r *live.Row, style render.Style) string {
	color := stateColor(r.Standing)
	if r.Err != nil {
		color = render.Red
	}
	return mark(r) + style.Paint(color, r.Standing.State.Words())
}

// placeCell names a session in one column: by its own name, else by its project.
func placeCell(r *live.Row) string {
	project, name := r.Location()
	switch _, derived := session.DerivedFrom(r.Name.Session); {
	case derived && r.Member != "":
		name = project + " " + name
	case derived && name != "":
		name = project + name
	}
	return render.Text(cmp.Or(name, project))
}

// progressCell shows how many items are completed, as a bar of so many columns and in numbers.
func progressCell(r *live.Row, bar int, style render.Style) string {
	if !r.Active || r.Counts.Total == 0 {
		return ""
	}
	done, of := r.Counts.Progress()
	text := fmt.Sprintf("%d/%d", done, of)
	if bar == 0 {
		return text
	}
	full := bar * done / max(of, 1)
	return strings.Repeat(style.Symbol("█", "#"), full) + style.Paint(render.Dim, strings.Repeat(style.Symbol("░", "-"), bar-full)) + " " + text
}

func sinceCell(r *live.Row, now time.Time) string {
	if r.Standing.Since == 0 {
		return ""
	}
	return render.ShortAge(r.Standing.Since, now)
}

// whyCell returns why a session does not continue, or else its current item.
func whyCell(r *live.Row) string {
	return render.Text(cmp.Or(WhyText(r.Standing), r.CurrentText()))
}

// WhyText returns why a session does not continue, and until when it waits.
func WhyText(s continuation.Standing) string {
	if s.Until == 0 || strings.Contains(s.Why, " until ") { // if the host named the time itself, the reason has it already
		return s.Why
	}
	return s.Why + ", until " + s.Until.Time().Local().Format("15:04:05")
}

// OverviewTotals counts sessions by their states: `5 sessions: 1 needs you, 3 open, 1 done`.
func OverviewTotals(rows []live.Row) string {
	if len(rows) == 0 {
		return "no sessions"
	}
	var parts []string
	for _, s := range continuation.States {
		n := 0
		for i := range rows {
			if rows[i].Standing.State == s {
				n++
			}
		}
		word := s.Words()
		if s == continuation.NeedsYou && n > 1 {
			word = "need you"
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return todo.Plural(len(rows), "session") + ": " + strings.Join(parts, ", ")
}

// StandingJSON returns a session with what it needs, and why, as JSON.
func StandingJSON(r *live.Row) Members {
	s := &r.Standing
	out := append(RowJSON(r), "attention", s.Attention, "reason", s.Reason).AddIfSet("since", s.Since).AddIfSet("until", s.Until).AddIfSet("why", s.Why)
	if r.Item.Position != "" {
		out = append(out, "item", Members{"position", r.Item.Position, "text", r.Item.Text})
	}
	if w := r.Work; w != nil {
		out = append(out, "work", Members{"queue", w.Queue, "item", w.Item, "content", w.Content, "worker", w.Worker})
	}
	return out
}
