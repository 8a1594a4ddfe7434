package continuation

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kballard/go-shellquote"

	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/unicodesafe"
)

// tag begins every prompt of onward, so that it is never mistaken for a user's prompt.
const tag = "[SYSTEM REMINDER - TODO CONTINUATION]"

// Limits of a prompt.
const (
	maxPrompt     = 2048 // bytes
	maxListed     = 10   // open items
	maxItem       = 200  // characters of an item
	cutWordBeyond = 160  // an item is cut at a word boundary after this position
)

// hasTag reports whether a text is, or quotes, one of our prompts.
func hasTag(text string) bool { return strings.Contains(text, tag) }

// PauseLine begins the last line of a message with which an agent
// that cannot run onward pauses itself.
const PauseLine = "ONWARD-PAUSE:"

// Prompt writes the text that sends the agent back to work. The document is the one that was decided on.
// It is never stored. At most 2 KB long, it drops items of the list first, and then shortens the task.
// A template replaces the text, but not the first line, by which the prompt is recognised.
//
// The user's own message is the whole prompt; one that an agent left is at the head of it.
func Prompt(doc *session.Document, d Decision, set Settings) string {
	if d.Reason == ReasonMessageSent {
		return JoinMessages(d.Messages)
	}
	return repeated(doc, withAgentMessages(ownPrompt(doc, d, set), d.Messages))
}

// repeated tells the agent, at the head of a prompt, which call it repeated until its last turn ended.
func repeated(doc *session.Document, prompt string) string {
	r := doc.Ledger().Repeated
	if r == nil {
		return prompt
	}
	return atHead(prompt, "Your last turn called "+QuoteLine(r.Call)+" "+strconv.Itoa(r.Count)+
		" times in a row with the same result: do not call it again; try a different approach.")
}

// atHead inserts a paragraph below the first line of a prompt of onward. The user's own words stay as they are.
func atHead(prompt, text string) string {
	at := strings.Index(prompt, tag)
	if at < 0 {
		return prompt
	}
	first, rest, _ := strings.Cut(prompt[at:], "\n\n")
	return prompt[:at] + first + "\n\n" + text + "\n\n" + rest
}

// How the last turn of a run ended, for the next prompt in its conversation.
const (
	BackgroundEnded        = "What you started in the background ended with your last turn: run it in the foreground."
	EarlierBackgroundEnded = "What the earlier conversation started in the background ended with its last turn."
	TurnLimitMet           = "Your last turn was ended: the user allows %s in a turn. Go on where it ended."
)

// WithTurnEnd tells the agent in a prompt of onward how its last turn ended; the text may be empty. It reports whether the prompt is one.
func WithTurnEnd(prompt, text string) (string, bool) {
	if text == "" || !hasTag(prompt) {
		return prompt, false
	}
	return atHead(prompt, text), true
}

// ownPrompt is Prompt without messages.
func ownPrompt(doc *session.Document, d Decision, set Settings) string {
	switch d.Tier {
	case TierGate:
		task := quote("make this command pass: "+d.Gate.Command, '\'')
		if d.Gate.Command == unnamedGate {
			task = "make the gate pass"
		}
		return composePrompt(doc, d, set, task, "") + "\n" + frameGateResult(d.Gate)
	case TierDropped:
		return promptDropped(doc, d, set)
	}
	task := "the next open item"
	if d.Next >= 0 {
		task = quote(doc.Todos.Items[d.Next].Content, '\'')
	}
	items, total := openItemLines(doc, d.Next)
	text, output := "", itemGateOutput(doc, d)
	for n := len(items); n >= 0; n-- {
		if text = composePrompt(doc, d, set, task, listed(items[:n], total-n)); len(text) <= maxPrompt {
			return text + output
		}
	}
	// With the longest ids and the widest characters the task itself is cut.
	for {
		room := max(0, len(task)-(len(text)-maxPrompt)-len("..."))
		task = strings.ToValidUTF8(task[:room], "")
		if text = composePrompt(doc, d, set, task+"...", listed(nil, total)); len(text) <= maxPrompt || room == 0 {
			return text + output
		}
	}
}

// composePrompt joins the parts of a prompt in order.
func composePrompt(doc *session.Document, d Decision, set Settings, task, list string) string {
	exits := waysOut(doc, set.Style, d.Counts.Open == 0)
	instructions := instructions
	switch {
	case d.Tier == TierDropped:
		instructions = droppedInstructions
	case d.Tier == TierGate && d.Counts.Total == 0:
		instructions = onlyGateInstructions
	case d.Tier == TierGate:
		instructions = gateInstructions
	}
	closing := exits.lines()
	if list != "" {
		closing = list + "\n" + closing
	}
	// Cancelled items do not remain to be done, so they are not in the total.
	done, of := d.Counts.Progress()
	status := "[Status: " + strconv.Itoa(done) + "/" + strconv.Itoa(of) + " completed, " +
		strconv.Itoa(d.Counts.Open) + " remaining]"
	if d.Counts.Total == 0 {
		status = "[Status: no list]"
	}
	text := userFirst + instructions + "\n\n" + openingSentence(task, d.Tier, set, exits) + onlyItemLeftText(doc, d) + itemGateFailed(doc, d) + "\n\n" + status + "\n\n" + closing
	if set.Template.parts != nil {
		text = set.Template.fill(map[string]string{"task": task, "status": status, "list": strings.TrimSuffix(list, "\n"), "prompt": strings.TrimSuffix(text, "\n")})
	}
	return tag + " onward:" + promptMark(doc) + "\n\n" + text
}

// waysToStop names the ways in which the agent may stop, in the words of a style.
type waysToStop struct {
	sentence string // its beginning, that says how to pause
	pause    string // inside a sentence
	block    string // what else there is
	last     string // a line for an agent that runs no commands
}

// waysOut returns the exits. Every command spells the session out,
// because the agent's shell may be in another folder.
// If nothing is open, there is no item to mark as blocked.
func waysOut(doc *session.Document, style string, nothingOpen bool) waysToStop {
	e := waysToStop{sentence: "Call todo_pause('reason')", pause: "call todo_pause with the reason", block: ", or mark the item as blocked"}
	if style != "tool" {
		session := " --session " + doc.Session
		if doc.Agent != "" && doc.Agent != "primary" {
			session += " --agent " + doc.Agent
		}
		command := "`onward pause" + session + " 'reason'`"
		e.sentence, e.pause = "Run "+command, "run "+command
		e.block = ", or `onward todo block" + session + " --reason 'why' N` for item N"
		e.last = "If you cannot run commands, end your message with the line: " + PauseLine + " reason\n"
	}
	if nothingOpen {
		e.block = ""
	}
	return e
}

// lines returns the closing lines of a prompt that has named the way to pause. It is not repeated: ids cost the user tokens.
func (e waysToStop) lines() string { return e.closing("pause as above") }

// inFull returns the closing lines of a prompt that has not named it.
func (e waysToStop) inFull() string { return e.closing(e.pause) }

func (e waysToStop) closing(pause string) string {
	return "If you cannot continue: " + pause + e.block + ".\n" + e.last
}

// openingSentence is the task sentence, with the stronger ending in yolo mode and what the tier adds.
func openingSentence(task string, tier Tier, set Settings, e waysToStop) string {
	s := "You have an active task: '" + task + "'. Continue working on this task. " +
		e.sentence + " ONLY if there's an error preventing you from continuing."
	if set.Yolo {
		s += " You MUST continue unless there is an error preventing you from proceeding."
	}
	switch tier {
	case TierEscalated:
		s += "\nNo item has moved since the last reminder. Take the next concrete step now, and update the list when it is done; do not only describe it."
	case TierLast:
		s += "\nThis is the last reminder. Work on the item now, or say what prevents you."
	case TierBackground:
		s += "\nA sub-agent that you started is still working. Wait for it and use its result before you end your turn: what still runs then is lost."
	case TierCheckIn:
		s += "\nBackground work has been running for a long time. Check whether it still makes progress, and continue with what does not depend on it."
	}
	return s
}

// userFirst begins every prompt: where the user only asked something, nothing tells onward so.
const userFirst = "If the user's last message asks you to stop, to wait or only to answer, pause instead.\n\n"

// instructions are the same in every prompt.
const instructions = "Incomplete tasks remain in your todo list. Continue working on the next pending task.\n\n" +
	"- Proceed without asking for permission\n" +
	"- Mark each task complete when finished\n" +
	"- Do not stop until all tasks are done"

// listed joins lines of open items, and how many more there are.
// The texts are external data, so they are labelled as such.
func listed(lines []string, more int) string {
	text := "Open items, as data of the list:\n" + strings.Join(lines, "")
	if more > 0 {
		text += "+" + strconv.Itoa(more) + " more\n"
	}
	return text
}

// onlyItemLeftText tells the agent that only the item itself is left to close; empty if a subtask is open, or there are none.
func onlyItemLeftText(doc *session.Document, d Decision) string {
	if d.Tier == TierGate || d.Next < 0 {
		return ""
	}
	parts := doc.Todos.Items[d.Next].Subtasks
	if len(parts) == 0 || slices.ContainsFunc(parts, todo.Subtask.Open) {
		return ""
	}
	return "\nAll its subtasks are closed; only the task itself is left to close."
}

// openItemLines returns a line for each of the first open items, and how many there are; the open subtasks of the next item
// are below it, and count. In a list that an agent wrote, the items of the user come first and are named as such:
// the agent may not have them in its own. One that was claimed under a name is completed under that name only.
func openItemLines(doc *session.Document, next int) (lines []string, total int) {
	list := &doc.Todos
	items := list.Current()
	ours := func(it todo.Item) bool { return it.By == todo.ByUser && list.Source != "" && list.Source != "cli" }
	room := maxListed
	if next >= 0 {
		room-- // the place of the next item, wherever it is
	}
	for _, users := range []bool{true, false} {
		end := "\"\n"
		if users {
			end = "\" (added by the user)\n"
		}
		for i := range items {
			if !items[i].Status.Open() || ours(items[i]) != users {
				continue
			}
			total++
			if i != next {
				if room--; room < 0 {
					continue
				}
			}
			end := end
			switch c := items[i].Claim; {
			case items[i].ClaimedDone():
				end = "\" (claimed to be done; its gate has not passed)\n"
			case c != nil && !doc.Owner.Claims(c):
				end = fmt.Sprintf("\" (claimed under a name, so your todo tool leaves it: `onward todo done %d --as %s%s` completes it)\n",
					i+1, shellquote.Join(c.By), flagsOf(session.Name{Session: doc.Session, Agent: doc.Agent}))
			}
			lines = append(lines, strconv.Itoa(i+1)+". ["+string(items[i].Status)+"] \""+quote(items[i].Content, '"')+end)
			if i == next {
				parts, n := openSubtasks(i, items[i].Subtasks)
				lines, total = append(lines, parts...), total+n
			}
		}
	}
	return lines, total
}

// openSubtasks returns a line for each of the first open subtasks of an item, and how many there are.
func openSubtasks(item int, subtasks []todo.Subtask) (lines []string, total int) {
	for j, part := range subtasks {
		if !part.Open() {
			continue
		}
		if total++; total <= maxListed {
			place := todo.Ref{Item: item, Sub: j}
			lines = append(lines, "  "+place.Label()+" ["+string(part.StatusOrPending())+"] \""+quote(part.Content, '"')+"\"\n")
		}
	}
	return lines, total
}

// promptMark ties a prompt to its session and revision.
func promptMark(doc *session.Document) string {
	h := fnv.New32a()
	h.Write([]byte(doc.Session + "+" + doc.Agent + "@" + strconv.FormatUint(doc.Rev, 10)))
	return hex.EncodeToString(h.Sum(nil))
}

// isPlainASCII reports whether a text is short and has only ASCII words with single spaces, as most items do.
func isPlainASCII(s string, quote rune) bool {
	return len(s) <= maxItem && s == strings.TrimSpace(s) && !strings.Contains(s, "  ") &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return r < ' ' || r >= 0x7f || r == '#' || quote != 0 && (r == quote || r == '\\' || r == '<')
		})
}

// FoldLine turns an item's text into one line: it is data, and must neither forge nor hide a line.
// White space is folded, invisible characters are escaped, and more than 200 characters are cut at a word.
func FoldLine(s string) string { return quote(s, 0) }

// QuoteLine is Fold in double quotes, which the text cannot end.
func QuoteLine(s string) string { return `"` + quote(s, '"') + `"` }

// QuoteWhole is QuoteLine for a text that is short already: nothing of it is cut.
func QuoteWhole(s string) string {
	return `"` + escape(strings.Join(strings.Fields(s), " "), '"') + `"`
}

// quote folds a text that is to be in quotes: it can end neither them, nor a frame of tags around the prompt.
func quote(s string, mark rune) string {
	if isPlainASCII(s, mark) {
		return s
	}
	s = escape(beginning(strings.Join(strings.Fields(s), " "), 2*maxItem), mark)
	if utf8.RuneCountInString(s) <= maxItem {
		return s
	}
	runes := []rune(s)[:maxItem-3]
	for i := len(runes) - 1; i >= cutWordBeyond; i-- {
		if runes[i] == ' ' {
			runes = runes[:i]
			break
		}
	}
	return strings.TrimRight(string(runes), "\u200c\u200d") + "..."
}

// beginning returns the first characters of a text. What is behind them is not escaped, which takes long, to be cut off then.
func beginning(s string, characters int) string {
	n := 0
	for i := range s {
		if n == characters {
			return s[:i]
		}
		n++
	}
	return s
}

// escape makes invisible characters visible, and breaks what a CI system's log takes for a command. If the text has a mark around it,
// it can end neither that nor a frame of tags around the prompt.
func escape(s string, mark rune) string {
	return unicodesafe.Escape(s, func(before, r rune, _ string) string {
		if mark != 0 && (r == mark || r == '\\' || r == '/' && before == '<') {
			return `\` + string(r)
		}
		return ""
	})
}
