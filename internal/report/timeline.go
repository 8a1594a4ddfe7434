package report

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/session"
	"onward/internal/todo"
)

// The pictures have no fixed width: everything in them is placed in percent of the width that the screen has,
// so that their text has the same size on every screen.

// kind describes how events of a type are shown.
type kind struct {
	lane   string // the row of the timeline that they are in; empty if none
	symbol string
	class  string
}

// eventKind returns how an event is shown.
func eventKind(e *Event) kind {
	k := kind{symbol: "other", class: "dim"}
	switch e.Type {
	case "user-prompt":
		k = kind{"Prompts", "prompt", "now"}
	case "turn-end":
		k = kind{"Turns", "turn", "dim"}
	case session.Continued:
		k = kind{"Continuations", "continue", "violet"}
		if e.Tier != "" && e.Tier != "normal" {
			k.class = "warn"
		}
	case session.Answered:
		k = kind{"", "held", "dim"}
		if e.Status == "done" {
			k = kind{"", "other", "ok"}
		}
	case "pause", "stop", "abort", "question-asked":
		k = kind{"Held up", "held", "warn"}
	case "error":
		k = kind{"Errors", "error", "bad"}
	case session.Gated:
		k = kind{"Gate", "gate", "ok"}
	case EventToolCalled:
		k = kind{"Tool calls", "tool", "now"}
	case session.Ran:
		k.class = "ok"
	case session.CutOff, session.Relayed:
		k = kind{"Held up", "held", "warn"}
	case EventListChanged, session.ItemChanged:
		k = kind{"", "list", "dim"}
	}
	if e.failed() {
		k.class = "bad"
	}
	return k
}

// lastGate is the last run of the gate; nil if there was none.
func (s *Session) lastGate() *Event {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if e := &s.Events[i]; e.Type == session.Gated && e.Item == "" && (s.gate == nil || s.gate.At <= e.At) {
			return e
		}
	}
	return s.gate
}

// timeline is a panel of rows on one scale: how many items were open, what happened, and a bar for each item.
func (p *page) timeline(s *Session, sc scale, n int) {
	p.put("<h2>Timeline</h2>\n<div class=\"panel\">\n<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><symbol id=\"grid%d\">", n)
	ticks := sc.ticks()
	for _, t := range ticks {
		p.put(`<line class="grid" x1="%s" x2="%s" y1="0" y2="100%%"/>`, sc.x(t.at), sc.x(t.at))
	}
	p.put("</symbol></svg>\n<div class=\"row axis\"><div class=\"label\"></div><svg class=\"lane\" height=\"20\" aria-hidden=\"true\">")
	for _, t := range ticks {
		anchor := "middle"
		if share := sc.share(t.at); share < 0.04 {
			anchor = "start"
		} else if share > 0.96 {
			anchor = "end"
		}
		p.put(`<text x="%s" y="14" text-anchor="%s">%s</text>`, sc.x(t.at), anchor, t.label)
	}
	p.put("</svg></div>\n")
	p.openItemsChart(s, sc, n)
	p.lanes(s, sc, n)
	p.items(s, sc, n)
	p.put("</div>\n")
}

// chartHeight is that of the chart, in pixels.
const chartHeight = 96

// openItemsChart shows how many items were open over time, below how many there were.
func (p *page) openItemsChart(s *Session, sc scale, n int) {
	most := 0
	for _, pt := range s.Open {
		most = max(most, pt.Total)
	}
	if most == 0 {
		return
	}
	p.put("<div class=\"row chart\"><div class=\"label\"><span class=\"key open\"></span>open <span class=\"key closed\"></span>done<span class=\"count\">of %d</span></div>", most)
	p.put("<svg class=\"lane\" height=\"%d\" role=\"img\" aria-label=\"open items over time\"><use href=\"#grid%d\" width=\"100%%\" height=\"100%%\"/>", chartHeight, n)
	high := func(n int) int { return (chartHeight*n + most - 1) / most } // a single item is visible among many
	for i, pt := range s.Open {
		to := sc.to
		if i+1 < len(s.Open) {
			to = s.Open[i+1].At
		}
		x, width := sc.x(pt.At), percent(sc.share(to)-sc.share(pt.At))
		p.put(`<g><title>%s: %d open of %d</title><rect class="closed" x="%s" width="%s" y="%d" height="%d"/><rect class="open" x="%s" width="%s" y="%d" height="%d"/></g>`,
			sc.clock(pt.At), pt.Open, pt.Total, x, width, chartHeight-high(pt.Total), high(pt.Total)-high(pt.Open), x, width, chartHeight-high(pt.Open), high(pt.Open))
	}
	p.put("</svg></div>\n")
}

// lanes are a row of marks for each kind of event that there was.
func (p *page) lanes(s *Session, sc scale, n int) {
	for _, lane := range []string{"Prompts", "Turns", "Continuations", "Held up", "Errors", "Gate", "Tool calls"} {
		var in []*Event
		for i := range s.Events {
			if eventKind(&s.Events[i]).lane == lane {
				in = append(in, &s.Events[i])
			}
		}
		if len(in) == 0 {
			continue
		}
		p.put("<div class=\"row\"><div class=\"label\">%s<span class=\"count\">%d</span></div><svg class=\"lane\" height=\"24\"><use href=\"#grid%d\" width=\"100%%\" height=\"100%%\"/>", lane, len(in), n)
		for _, e := range in {
			p.mark(e, sc)
		}
		p.put("</svg></div>\n")
	}
}

// shortBar is the share of the width below which an event is drawn as a point, regardless of the time it took.
const shortBar = 0.01

// mark is an event in its lane: a bar if it took time, else a point.
func (p *page) mark(e *Event, sc scale) {
	k := eventKind(e)
	p.put(`<g class="%s"><title>%s</title>`, k.class, short(sc.clock(e.At)+" "+e.line(), 200))
	if end := e.At + todo.Time(e.Took); sc.share(end)-sc.share(e.At) > shortBar {
		p.put(`<line class="bar" x1="%s" x2="%s" y1="12" y2="12"/>`, sc.x(e.At), sc.x(end))
	} else {
		p.put(`<svg x="%s" y="12" overflow="visible"><use href="#m-%s" x="-6" y="-6" width="12" height="12"/></svg>`, sc.x(e.At), markup(k.symbol))
	}
	p.put("</g>")
}

// short cuts a text to a number of characters, between two words.
func short(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return session.CutWords(s, len(string([]rune(s)[:limit-1])))
}

// items shows a row for each item.
func (p *page) items(s *Session, sc scale, n int) {
	if len(s.Items) == 0 {
		return
	}
	p.put("<ol class=\"items\">\n")
	gone := false
	mixed := slices.ContainsFunc(s.Items, func(it Item) bool { return it.By == "" })
	for i := range s.Items {
		it := &s.Items[i]
		if it.Position == "" && !gone {
			gone = true
			p.put("</ol>\n<h3>No longer on the list</h3>\n<ol class=\"items gone\">\n")
		}
		p.put("<li class=\"row\"><div class=\"label\">%s<span class=\"position\">%s</span><div class=\"text\">", glyph(it.Status), it.Position)
		p.text(it.Content)
		if it.By != "" && mixed {
			p.put(" <small class=\"chip\">%s</small>", it.By)
		}
		if it.Reason != "" {
			p.put("<p class=\"reason\">%s</p>", it.Reason)
		}
		p.subtasks(it)
		p.put("</div>")
		if it.Spent != nil {
			p.put("<span class=\"count\">%s</span>", spent(it))
		}
		p.put("</div><svg class=\"lane\" height=\"24\"><use href=\"#grid%d\" width=\"100%%\" height=\"100%%\"/>", n)
		p.bar(it, sc)
		p.put("</svg></li>\n")
	}
	p.put("</ol>\n")
}

func spent(it *Item) string { return todo.SpanText(time.Duration(*it.Spent) * time.Millisecond) }

// longText is the number of characters from which on a text is folded.
const longText = 240

// text writes the text of an item, which may have several lines.
func (p *page) text(s string) {
	if cut := short(s, longText); cut != s {
		p.put("<details><summary>%s</summary><div class=\"lines\">%s</div></details>", cut, lines(s))
		return
	}
	p.put("<span class=\"lines\">%s</span>", lines(s))
}

// subtasks are listed, or folded where they are many.
func (p *page) subtasks(it *Item) {
	if len(it.Subtasks) == 0 {
		return
	}
	done := 0
	for _, sub := range it.Subtasks {
		if !sub.Status.Open() {
			done++
		}
	}
	p.put("<details%s><summary>%d of %s done</summary><ul>", open(len(it.Subtasks) <= 5), done, todo.Plural(len(it.Subtasks), "subtask"))
	for _, sub := range it.Subtasks {
		p.put("<li>%s%s", glyph(sub.Status), short(sub.Content, longText))
		if sub.Reason != "" {
			p.put("<p class=\"reason\">%s</p>", sub.Reason)
		}
	}
	p.put("</ul></details>")
}

// open is the attribute of an HTML details element that is unfolded.
func open(unfolded bool) markup {
	if unfolded {
		return " open"
	}
	return ""
}

// bar is the life of an item: a line from its creation to its end, and thick where it was in progress.
func (p *page) bar(it *Item, sc scale) {
	to := it.EndedAt
	if to == 0 {
		to = sc.to
	}
	words := []string{"created " + sc.clock(it.CreatedAt)}
	if it.StartedAt != 0 {
		words = append(words, "started "+sc.clock(it.StartedAt))
	}
	switch {
	case it.EndedAt != 0 && it.Status.Open():
		words = append(words, "removed "+sc.clock(it.EndedAt))
	case it.EndedAt != 0:
		words = append(words, todo.WordsFor(it.Status, it.Reason)+" "+sc.clock(it.EndedAt))
	}
	if it.Spent != nil {
		words = append(words, "in progress for "+spent(it))
	}
	p.put(`<g class="%s"><title>%s</title><line class="life" x1="%s" x2="%s" y1="12" y2="12"/>`, toneOf(it.Status), strings.Join(words, ", "), sc.x(it.CreatedAt), sc.x(to))
	for _, span := range it.Spans {
		p.put(`<line class="bar" x1="%s" x2="%s" y1="12" y2="12"/>`, sc.x(span.From), sc.x(span.To))
	}
	if it.EndedAt != 0 {
		p.put(`<circle cx="%s" cy="12" r="4"/>`, sc.x(it.EndedAt))
	}
	p.put("</g>")
}

// shortLog is the number of events up to which the log is unfolded.
const shortLog = 100

// log lists everything that happened.
func (p *page) log(s *Session, sc scale) {
	if len(s.Events) == 0 {
		return
	}
	p.put("<details class=\"log\"%s><summary><h2>What happened</h2> <span class=\"count\">%s</span></summary>\n<ol>\n", open(len(s.Events) <= shortLog), todo.Plural(len(s.Events), "event"))
	for i := range s.Events {
		e := &s.Events[i]
		k := eventKind(e)
		said, own := e.sentence()
		p.put("<li class=\"%s\"><time>%s</time><svg class=\"glyph\" width=\"12\" height=\"12\" aria-hidden=\"true\"><use href=\"#m-%s\"/></svg><div><b>%s</b>", k.class, sc.clock(e.At), markup(k.symbol), said)
		if own != "" {
			p.put(" ")
			p.text(own)
		}
		if facts := e.facts(); facts != "" {
			p.put(" <small>%s</small>", facts)
		}
		if made := e.made(); len(made) > 0 {
			p.put("<details><summary>%s</summary><pre>%s</pre></details>", todo.Plural(len(made), map[bool]string{true: "change", false: "call"}[len(e.Since) > 0]), lines(strings.Join(made, "\n")))
		}
		if e.Output != "" {
			p.put("<details%s><summary>output</summary><pre>%s</pre></details>", open(e.failed()), lines(e.Output))
		}
		p.put("</div>\n")
	}
	p.put("</ol>\n</details>\n")
}

// facts are the numbers of an event.
func (e *Event) facts() string {
	var words []string
	if e.Took > 0 {
		words = append(words, todo.SpanText(time.Duration(e.Took)*time.Millisecond))
	}
	if e.Calls > 0 {
		words = append(words, todo.Plural(e.Calls, "tool call"))
		if len(e.Called) > e.Calls {
			words[len(words)-1] += ", not counting its todo tool and sub-agents"
		}
	}
	if e.Tokens > 0 {
		words = append(words, todo.Plural(e.Tokens, "token"))
	}
	if e.Input+e.Written > 0 {
		words = append(words, grouped(e.Input)+" tokens in, "+grouped(e.Written)+" out")
	}
	if e.Cost > 0 {
		words = append(words, dollars(e.Cost))
	}
	if e.Commit != "" {
		words = append(words, "commit "+e.Commit[:min(12, len(e.Commit))])
	}
	return strings.Join(words, " · ")
}
