package continuation

import (
	"fmt"
	"strings"

	"onward/internal/session"
)

// droppedItems stops if the list is gone, or if the agent's own list lost open items, and the agent was asked after them without effect.
// No gate decides instead: one that passes says nothing about work that nobody knows about any more.
func droppedItems(q *question) *Decision {
	if q.facts.Removed {
		return because(NeedsHuman, ReasonRemoved, "the list was removed from the store").withHint(ListRemovedHint)
	}
	d := q.led.Dropped
	if q.counts.Open > 0 || d == nil || !d.Told {
		return nil
	}
	return because(NeedsHuman, "dropped", "the agent's list lost %s, and the agent did not put %s back: %s", lost(d), plural(d.Count(), "it", "them"), namesOfLost(d, maxNamed)).
		withHint(ItemsLostHint)
}

// ListRemovedHint is the next step after a list was removed.
const ListRemovedHint = "look at what the agent did; `onward todo add TEXT` starts a new list"

// ItemsLostHint is the next step after a list lost open items.
const ItemsLostHint = "`onward todo undo` returns to the list before, and `onward todo clear` ends the list"

// LostText names the open items that a list lost; empty if there are none.
func LostText(d *session.Dropped) string {
	if d == nil {
		return ""
	}
	return "the agent's list lost " + lost(d) + ": " + namesOfLost(d, maxNamed)
}

// maxNamed limits the lost items that a message names.
const maxNamed = 5

func lost(d *session.Dropped) string {
	return items(d.Count()) + " that " + plural(d.Count(), "was", "were") + " open"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// namesOfLost names the first lost items, and how many more there are.
func namesOfLost(d *session.Dropped, most int) string {
	var texts []string
	for _, it := range d.Items[:min(most, len(d.Items))] {
		texts = append(texts, QuoteLine(it.Content))
	}
	text := strings.Join(texts, ", ")
	if more := d.Count() - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// droppedInstructions replace the instructions if nothing is open because open items are missing.
const droppedInstructions = "Tasks that were open are missing from your todo list, and nothing shows that they are done.\n\n" +
	"- Proceed without asking for permission\n" +
	"- Put them back, and complete or cancel each of them in the list\n" +
	"- Do not stop until all tasks are done"

// lostItems returns the first items that a list lost.
func lostItems(led *session.Ledger) []session.LostItem {
	if led.Dropped == nil {
		return nil
	}
	return led.Dropped.Items
}

// lostLines returns a line for each of some lost items, and one for how many more there are.
func lostLines(lost []session.LostItem, more int) (text string) {
	for _, it := range lost {
		text += "- " + QuoteLine(it.Content) + "\n"
	}
	if more > 0 {
		text += fmt.Sprintf("+%d more\n", more)
	}
	return text
}

// WithLost names the items that the list lost below the words of the user, which may be about them; it changes no words where the
// list lost none.
func WithLost(words string, lost []session.LostItem) string {
	if len(lost) == 0 {
		return words
	}
	more := len(lost) - maxListed
	lost = lost[:min(maxListed, len(lost))]
	return words + "\nItems that your list lost, as data:\n" + lostLines(lost, more) + "Unless the user's message says otherwise, put them back, and complete or cancel each of them in the list.\n"
}

// promptDropped writes the prompt that asks after what a list lost.
func promptDropped(doc *session.Document, d Decision, set Settings) string {
	const task = "your list lost open items; put them back, or complete or cancel them"
	was := doc.Continuation.Dropped
	for n := min(maxListed, len(was.Items)); ; n-- {
		list := "Items that your list lost, as data:\n" + lostLines(was.Items[:n], was.Count()-n)
		if text := composePrompt(doc, d, set, task, list); len(text) <= maxPrompt || n == 0 {
			return text
		}
	}
}
