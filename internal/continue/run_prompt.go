package continuation

import (
	"strconv"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// TaskPrompt writes the first prompt of a run: the user's task, and how to keep the list by which onward knows when it is done.
// The second part is left out if hooks or a todo tool of onward already tell the model. The words are what the user has queued
// before the run; they may be empty. Where only proven work is done, it proves, and no check may change. The items of the list that are
// open from before are named, so that the agent neither loses them nor adds them again.
func TaskPrompt(doc *session.Document, task, words string, knows, proves bool, set Settings) string {
	how, kept := "", ""
	if proves {
		kept = "- Leave all checks that are there as they are: tests, and what runs them. New ones are welcome\n"
	}
	if !knows {
		how = ": with your todo tool, or if you have none, with " + keepsList(session.Name{Session: doc.Session, Agent: doc.Agent})
	}
	task = strings.TrimRight(task, "\n") + "\n\n"
	before, first := "", "- Write a todo list first, one item for each step"
	if open := itemLines(doc.Todos.Current(), todo.Status.Open); open != "" {
		before = "These items of the todo list are open from before, as data:\n" + open + "\n" +
			"Continue those that belong to the task, and leave the others as they are. If you write a list with your own tool, keep all of them on it, with the same text.\n\n" + completionCommand(doc)
		first = "- Then add an item for each step that the list lacks"
	}
	return withWords(task, words) + before +
		"You work unattended, and nobody answers questions.\n\n" +
		first + how + "\n" +
		"- Mark each item complete when it is finished\n" +
		"- Do not stop until all items are done\n" + kept + "\n" + waysOut(doc, set.Style, true).inFull()
}

// withWords adds what the user has queued to a task.
func withWords(task, words string) string {
	if words != "" {
		task += "Also, from the user: " + strings.TrimRight(words, "\n") + "\n\n"
	}
	return task
}

// CheckPrompt writes the prompt of a turn for the check alone. Without a task, the list is the task.
func CheckPrompt(name session.Name, task, words, lacks string, set Settings) string {
	if task = strings.TrimRight(task, "\n"); task == "" {
		task = "The task is what is open on the todo list: `onward todo show" + flagsOf(name) + "` shows it."
	}
	return withWords(task+"\n\n", words) + CheckRequest(name, lacks, set)
}

// CheckRequest asks for the check alone. A turn before may have missed something, which lacks says.
func CheckRequest(name session.Name, lacks string, set Settings) string {
	doc := &session.Document{Session: name.Session, Agent: name.AgentID()}
	if lacks != "" {
		lacks = "It is not right yet: " + lacks + ".\n\n"
	}
	more := ""
	if set.CheckFiles != "" {
		more = ", and these: " + set.CheckFiles
	}
	return "Do not work on this task yet. This turn is for the check alone. This command passes now, so it does not show that the task is done:\n\n    " + set.Gate + "\n\n" + lacks +
		"- Write or change only checks, so that this command fails because the task is not done\n" +
		"- Checks are tests by their usual names, what tests compare with, and the files that the command names" + more + "\n" +
		"- Leave all other files as they are\n" +
		"- Then stop. You are asked for the work once the command fails\n\n" + waysOut(doc, set.Style, true).inFull()
}

// ItemTask is the task of a run on an item of a list that several share: its text, and its open subtasks.
func ItemTask(it *todo.Item) string {
	text, parts := it.Content, ""
	for _, part := range it.Subtasks {
		if part.Open() {
			parts += "\n- " + part.Content
		}
	}
	if parts != "" {
		text += "\n\nIts parts:\n" + parts
	}
	return text
}

// WithItem names the item that a run is about in a prompt of onward, below its first line. The list that the item is on is not
// in the prompt: its other items are the work of others. The user's own words stay as they are.
func WithItem(prompt, item string) string {
	return atHead(prompt, "All of this is about one item of a list that several agents share, as data: "+QuoteLine(item)+".")
}

func keepsList(name session.Name) string {
	return "`onward todo add" + flagsOf(name) + " 'text'`, and `onward todo start N` and `onward todo done N` with the same flag"
}

// flagsOf names a list on a command line, since the agent's shell may be in another folder.
func flagsOf(name session.Name) string {
	flags := " --session " + name.Session
	if !name.IsMain() {
		flags += " --agent " + name.Agent
	}
	return flags
}

// AskForListPrompt asks an agent without a list whether something is left to do.
func AskForListPrompt(doc *session.Document) string {
	name := session.Name{Session: doc.Session, Agent: doc.Agent}
	text := "There is no todo list, so it is not known whether the task is done.\n\n"
	switch {
	case doc.Ledger().Deleted != nil && len(doc.Current()) == 0:
		text = "The open items of the todo list were deleted, so it is not known whether the task is done.\n\n"
	case doc.Ledger().Cancelled != nil && todo.Count(doc.Current()).Of(todo.Completed) == 0:
		text = "All that is left of the todo list was cancelled, so it is not known whether the task is done.\n\n"
	case CountList(doc).Total > 0:
		text = "The todo list is from before the task, so it is not known whether the task is done.\n\n"
	}
	return repeated(doc, tag+" onward:"+promptMark(doc)+"\n\n"+text+
		"- If something is left to do, write a todo list now, with your todo tool or with "+keepsList(name)+", and work on it\n"+
		"- If nothing is left, write a todo list of what was done, with every item completed\n")
}

// RestorePrompt tells the agent that it has changed files that it must leave as they were before the task, or before the work on it
// if the check came first. Where the user has edited files since, between two runs, those edits stay.
func RestorePrompt(doc *session.Document, files string, checkFirst, edited bool) string {
	before := "before the task"
	if checkFirst {
		before = "when you had written the check, before the work"
	}
	if edited {
		before += ", with what the user has changed since"
	}
	return repeated(doc, tag+" onward:"+promptMark(doc)+"\n\nThe user wants these files, which are data, to stay as they were "+before+", and they are not: "+QuoteLine(files)+"\n\n"+
		"- Bring each of them back to its earlier contents, and remove those that were added\n"+
		"- Then make the work pass without changing these files\n")
}

// Handover is what a new conversation is told of the one whose work it continues. Each member may be empty.
type Handover struct {
	Task   string // of the user
	Read   string // the user's messages that it worked on
	Said   string // the end of the last message of the other conversation
	Asked  string // what the other conversation needed from the user
	Words  string // the user's own, since
	Prompt string // of onward, which the other conversation would have received
	Check  string // the request for the check alone, before the work
}

// HandoverPrompt writes the prompt of a new conversation that continues the work of another.
func HandoverPrompt(doc *session.Document, h Handover, set Settings) string {
	text := tag + " onward:" + promptMark(doc) + "\n\n" +
		"This conversation continues the work of an earlier one, whose messages are lost. First look at what is already done.\n\n"
	if h.Task != "" {
		text += "The user's task:\n\n" + strings.TrimRight(h.Task, "\n") + "\n\n"
	}
	if h.Read != "" {
		text += "What the user said during the work, and the earlier conversation has read:\n\n" + strings.TrimRight(h.Read, "\n") + "\n\n"
	}
	if h.Said != "" {
		text += "The end of the last message of the earlier conversation, as data: " + QuoteWhole(h.Said) + "\n\n"
	}
	if h.Words != "" {
		if h.Asked != "" {
			text += "What the earlier conversation needed, as data: " + QuoteLine(h.Asked) + "\n\n"
		}
		text += "The user's message since then:\n\n" + strings.TrimRight(h.Words, "\n") + "\n\n"
	}
	if h.Check != "" {
		return text + h.Check
	}
	_, prompt, own := strings.Cut(h.Prompt, tag)
	if own {
		_, prompt, _ = strings.Cut(prompt, "\n\n")
		return text + completionCommand(doc) + prompt
	}
	if d := doc.Continuation.Dropped; d != nil {
		n := min(maxListed, len(d.Items))
		text += "The list lost items that were open. Put them back, and complete or cancel each of them in the list. As data:\n" + lostLines(d.Items[:n], d.Count()-n) + "\n"
	}
	return text + itemStates(doc) + completionCommand(doc) + lastGate(doc) + waysOut(doc, set.Style, false).inFull()
}

// completionCommand names the command by which a conversation completes an item that its own todo tool does not have.
func completionCommand(doc *session.Document) string {
	name := session.Name{Session: doc.Session, Agent: doc.Agent}
	if len(doc.Current()) == 0 {
		return ""
	}
	return "If your todo tool does not have an item of the list, `onward todo done N" + flagsOf(name) + "` marks item N as complete.\n\n"
}

// lastGate tells how the gate ended the last time; it is empty if it never ran.
func lastGate(doc *session.Document) string {
	switch g := doc.Continuation.Gate; {
	case g == nil:
		return ""
	case g.Failed():
		return "The gate, which must pass in the end, failed the last time.\n\n" + frameGateResult(g) + "\n"
	case g.Passed():
		return "The gate, which must pass in the end, passed the last time: " + QuoteLine(g.Command) + "\n\n"
	}
	return ""
}

// itemStates lists the items with their states, the last ones if there are many.
func itemStates(doc *session.Document) string {
	items := doc.Todos.Current()
	if len(items) == 0 {
		return "There is no todo list yet: write one first, with your todo tool or with " + keepsList(session.Name{Session: doc.Session, Agent: doc.Agent}) + ".\n\n"
	}
	return "The todo list, as data:\n" + itemLines(items, func(todo.Status) bool { return true }) + "\n"
}

// itemLines lists items whose status is asked for, with their positions and states; the last ones if there are many.
func itemLines(items []todo.Item, asked func(todo.Status) bool) string {
	const most = 4 * maxListed
	var lines []string
	for i := range items {
		if asked(items[i].Status) {
			lines = append(lines, strconv.Itoa(i+1)+". ["+string(items[i].Status)+"] "+QuoteLine(items[i].Content)+"\n")
		}
	}
	earlier := ""
	if more := len(lines) - most; more > 0 {
		earlier, lines = "("+strconv.Itoa(more)+" earlier)\n", lines[more:]
	}
	return earlier + strings.Join(lines, "")
}
