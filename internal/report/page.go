package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

//go:embed page.html
var frame string // the page around the sessions

//go:embed style.css
var style string

// styleHash lets the page's own style through its Content-Security-Policy, and no other.
const styleHash = "sha256-byOQy0TGEVXNUEzIKeVoQitqxaWfEL7nWqKpG/H2LFc="

// page is an HTML document while it is being written: so far, its sessions.
type page struct {
	strings.Builder
	zone *time.Location
}

// markup is HTML that is written as it is.
type markup string

// put writes HTML. This is where all text is escaped: every argument that is neither markup nor a number.
func (p *page) put(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case markup, int:
		case string:
			args[i] = render.Markup(a)
		default:
			args[i] = render.Markup(fmt.Sprint(a))
		}
	}
	fmt.Fprintf(&p.Builder, format, args...)
}

// lines is a text of several lines, which keeps its line breaks.
func lines(s string) markup { return markup(render.MarkupLines(s)) }

// HTML shows a report as one page that loads no other file. Times are those of the zone.
func HTML(r Report, zone *time.Location) []byte {
	p := &page{zone: zone}
	if len(r.Sessions) > 1 {
		p.overview(r)
	}
	for i := range r.Sessions {
		p.session(&r.Sessions[i], i+1)
	}
	whole := strings.NewReplacer(
		"{style-hash}", styleHash,
		"{style}", style,
		"{title}", render.Markup(r.title()),
		"{time}", render.Markup(r.At.Time().In(zone).Format("2 Jan 2006 15:04 MST")),
		"{sessions}", p.String())
	return []byte(whole.Replace(frame))
}

// title names the report in a browser's tab.
func (r *Report) title() string {
	if len(r.Sessions) == 1 {
		return r.Sessions[0].title() + " · onward report"
	}
	return todo.Plural(len(r.Sessions), "session") + " · onward report"
}

// title names a session by the project's folder, or by its own name.
func (s *Session) title() string {
	return cmp.Or(session.FolderName(s.Project), s.name())
}

// name is the session's own, with the sub-agent's.
func (s *Session) name() string {
	if s.Agent == "primary" {
		return s.Session
	}
	return s.Session + "+" + s.Agent
}

// overview is a table with a link to each session.
func (p *page) overview(r Report) {
	p.put("<table class=\"overview\">\n<thead><tr><th>Session<th>State<th>Done<th>Time<th>Continued</tr></thead>\n<tbody>\n")
	for i := range r.Sessions {
		s := &r.Sessions[i]
		p.put("<tr><td><a href=\"#s%d\">%s</a> <small>%s</small><td>%s<td>%s<td>%s<td>%d</tr>\n",
			i+1, s.title(), s.name(), p.pill(s), s.done(), s.duration(), s.Totals.Continuations)
	}
	p.put("</tbody>\n</table>\n")
}

// done reports how many items are done: `2 of 5`.
func (s *Session) done() string {
	done, of := s.Counts.Progress()
	return fmt.Sprintf("%d of %d", done, of)
}

func (s *Session) duration() string {
	if s.Totals.Duration == 0 {
		return "–"
	}
	return todo.SpanText(time.Duration(s.Totals.Duration) * time.Millisecond)
}

// pill shows the state of a session in a coloured label.
func (p *page) pill(s *Session) markup {
	return markup(`<span class="pill ` + s.tone() + `">` + render.Markup(s.state()) + `</span>`)
}

// state is the state of a session in words.
func (s *Session) state() string { return s.State.Words() }

// tone is the class of what a session needs: good, bad, or neither.
func (s *Session) tone() string {
	switch {
	case s.State == continuation.IsDone:
		return "ok"
	case s.State == continuation.HasFailed:
		return "bad"
	case s.State == continuation.NeedsYou, s.State == continuation.AtLimit, s.Attention == continuation.AttentionStalled:
		return "warn"
	case s.Attention == continuation.AttentionContinuing:
		return "now"
	}
	return "none"
}

// session is the part of the page about one list.
func (p *page) session(s *Session, n int) {
	p.put("<section class=\"session\" id=\"s%d\">\n<h1>%s %s</h1>\n", n, s.title(), p.pill(s))
	if s.Message != "" {
		p.put("<p class=\"verdict\">%s</p>\n", sentence(s.Message))
	}
	p.put("<p class=\"meta\">session <code>%s</code>", s.name())
	if s.Owner != nil {
		p.put(" · %s <code>%s</code>", s.Owner.Agent, s.Owner.Session)
	}
	if s.From != 0 {
		p.put(" · %s", p.period(s))
	}
	p.put("</p>\n")
	if len(s.Items) == 0 && len(s.Events) == 0 {
		p.put("<p class=\"empty\">No list was saved, and nothing happened yet.<br><code>onward todo add</code>, <code>onward ingest --save</code> and the hooks save one.</p>\n</section>\n")
		return
	}
	p.run(s)
	p.progress(s)
	p.tiles(s)
	p.workers(s)
	sc := scaleOf(s, p.zone)
	p.timeline(s, sc, n)
	p.log(s, sc)
	p.put("</section>\n")
}

// run tells what was asked of the last run, and how that ended. A long text is folded.
func (p *page) run(s *Session) {
	if s.Run == nil {
		return
	}
	for _, row := range s.Run.rows() {
		p.put("<p class=\"meta\"><b>%s</b> ", row.name)
		p.text(row.value)
		p.put("</p>\n")
	}
}

// sentence makes a message of the program a sentence.
func sentence(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	rest := message[size:]
	if !strings.HasSuffix(rest, "?") && !strings.HasSuffix(rest, "!") {
		rest = strings.TrimSuffix(rest, ".") + "."
	}
	return string(unicode.ToUpper(first)) + rest
}

// period returns the time span of the report.
func (p *page) period(s *Session) string {
	from, to := s.From.Time().In(p.zone), s.To.Time().In(p.zone)
	last := to.Format("15:04 MST")
	if to.Sub(from) < time.Minute {
		return from.Format("2 Jan 2006 15:04:05 MST")
	}
	if from.Format(time.DateOnly) != to.Format(time.DateOnly) {
		last = to.Format("2 Jan 15:04 MST")
	}
	return from.Format("2 Jan 2006 15:04") + " – " + last
}

// progress is a bar of the items by their status, with a legend.
func (p *page) progress(s *Session) {
	if s.Counts.Total == 0 {
		return
	}
	order := todo.Statuses()
	slices.SortStableFunc(order, func(a, b todo.Status) int { return b.Rank() - a.Rank() })
	p.put("<svg class=\"progress\" height=\"10\" role=\"img\" aria-label=\"%s done\">", s.done())
	at := 0.0
	_, of := s.Counts.Progress()
	for _, status := range order {
		if status == todo.Cancelled {
			continue // it is neither done nor left to do
		}
		share := float64(s.Counts.Of(status)) / float64(max(of, 1))
		if share > 0 {
			p.put(`<rect class="%s" x="%s" width="%s" height="10"><title>%d %s</title></rect>`, toneOf(status), percent(at), percent(share), s.Counts.Of(status), status.Words())
		}
		at += share
	}
	p.put("</svg>\n<ul class=\"legend\">")
	for _, status := range order {
		n := s.Counts.Of(status)
		if status == todo.Cancelled {
			n -= s.Counts.Lost
		}
		if n > 0 {
			p.put("<li>%s%d %s", glyph(status), n, status.Words())
		}
	}
	if s.Counts.Lost > 0 {
		p.put("<li>%s%d lost", glyph(todo.Cancelled), s.Counts.Lost)
	}
	p.put("</ul>\n")
}

// tones are the classes of statuses.
var tones = [todo.Tones]string{todo.Idle: "s-idle", todo.Active: "s-active", todo.Good: "s-good", todo.Off: "s-off", todo.Bad: "s-bad"}

func toneOf(s todo.Status) string { return tones[s.Meaning().Tone] }

// glyph is the sign of a status. It is drawn, because the reader's browser may have no font for the sign of a terminal.
func glyph(status todo.Status) markup {
	tone := toneOf(status)
	return markup(fmt.Sprintf(`<svg class="glyph %s" width="12" height="12" role="img" aria-label="%s"><use href="#%[1]s"/></svg>`, tone, render.Markup(status.Words())))
}

// figure is a total with its name.
type figure struct{ name, value string }

// figuresNote says what the figures are about where they are about more than the last run, whose own are told before.
func (s *Session) figuresNote() string {
	if s.Run == nil || s.Totals.Turns <= s.Run.Turns {
		return ""
	}
	return "The whole history of the session, with what came before the last run:"
}

// figures are the totals that are not zero.
func (s *Session) figures() []figure {
	t := &s.Totals
	out := []figure{{"Done", s.done()}, {"Time", s.duration()}}
	count := func(name string, n int) {
		if n > 0 {
			out = append(out, figure{name, grouped(n)})
		}
	}
	count("Deleted by the agent", s.Deleted)
	count("Prompts", t.Prompts)
	count("Turns", t.Turns)
	count("Continuations", t.Continuations)
	count("Tool calls", t.ToolCalls)
	count("Pauses", t.Pauses)
	count("Errors", t.Errors)
	count("Tokens in", t.TokensIn)
	count("From a cache", t.TokensCached)
	count("Tokens out", t.TokensOut)
	if t.CostMicros > 0 {
		out = append(out, figure{"Cost", dollars(t.CostMicros)})
	}
	if g := s.lastGate(); g != nil {
		out = append(out, figure{"Gate", short(g.gated(), 60)})
	}
	return out
}

// tiles show the totals, with a note on what they leave out.
func (p *page) tiles(s *Session) {
	if note := s.figuresNote(); note != "" {
		p.put("<p class=\"note\">%s</p>\n", note)
	}
	p.put("<dl class=\"tiles\">\n")
	for _, f := range s.figures() {
		p.put("<div><dt>%s<dd>%s</div>\n", f.name, f.value)
	}
	p.put("</dl>\n")
	if s.Partial {
		p.put("<p class=\"note\">The history has only the last changes to this list; what came before is not shown.</p>\n")
	}
}

// grouped writes a number with its digits in groups of three.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// dollars writes an amount of money, small ones with more digits.
func dollars(micros int) string {
	if micros < 1_000_000 {
		return fmt.Sprintf("$%.4f", float64(micros)/1e6)
	}
	return fmt.Sprintf("$%.2f", float64(micros)/1e6)
}
