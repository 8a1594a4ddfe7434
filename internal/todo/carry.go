package todo

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Carry reads a list that replaces a saved one and assigns to each of its items
// the id, the times and the details of the saved item that it continues.
// An item continues the saved one with its id, else the one with exactly its text, else, if it came without an id, the
// one in its place. An item of an agent never continues the one in its place if that is the user's, has a gate or is claimed,
// nor if it is older than since and their texts have little in common: a conversation that begins then makes plans of its own.
//
// The second result holds, for each item, the index of the saved item that it continues, or -1.
// If the writer could only report that an item is open (statusInferred),
// a saved in_progress or blocked is kept.
func Carry(saved, list []Item, statusInferred bool, since, now Time) ([]Item, []int) {
	out := slices.Clone(list)
	dropDoubleIDs(out)
	from := match(saved, out, since)
	gen := newIDs(saved, now)
	for i := range out {
		if out[i].ID != "" {
			gen.taken[out[i].ID] = true
		}
	}
	for i := range out {
		it := &out[i]
		it.Status = cmp.Or(it.Status, Pending)
		if from[i] >= 0 {
			it.inheritFrom(&saved[from[i]], statusInferred, now)
		} else {
			it.Gate, it.NeedsProof = nil, false // only a person sets them
		}
		it.normalize(now)
		if it.ID == "" {
			it.ID = gen.next(it.Content)
		}
	}
	// The items keep their ids; a subtask may have brought, or kept, one that is in use now.
	assignIDs(newIDs(nil, now), out)
	return out, from
}

// normalize sets the times that every item has, and closes the open subtasks of a closed item.
func (it *Item) normalize(now Time) {
	if it.CreatedAt == 0 {
		it.CreatedAt = now
	}
	if it.UpdatedAt == 0 {
		it.UpdatedAt = now
	}
	if it.Status != Completed {
		it.CompletedAt = 0
	} else if it.CompletedAt == 0 {
		it.CompletedAt = now
	}
	if !it.Status.Open() {
		it.Claim = nil
		it.closeSubtasks()
	}
}

// dropDoubleIDs removes the id of an item if an earlier one has it,
// since some agents assign one twice, and ids are unique in a list.
func dropDoubleIDs(items []Item) {
	seen := make(map[string]bool, len(items))
	for i := range items {
		if seen[items[i].ID] {
			items[i].ID = ""
		}
		seen[items[i].ID] = true
	}
}

// match pairs each item of list with an index into saved, or -1.
func match(saved, list []Item, since Time) []int {
	from := make([]int, len(list))
	used := make([]bool, len(saved))
	ids := make(map[string]int, len(saved))
	for i := range saved {
		ids[saved[i].ID] = i
	}
	matchRenamed(saved, list, ids, from, used)
	for i := range list {
		if at, ok := ids[list[i].ID]; from[i] < 0 && ok && list[i].ID != "" && !used[at] {
			from[i], used[at] = at, true
		}
	}
	texts := make(map[string][]int, len(saved))
	for i := range saved {
		if !used[i] {
			texts[saved[i].Content] = append(texts[saved[i].Content], i)
		}
	}
	for i := range list {
		if same := texts[list[i].Content]; from[i] < 0 && len(same) > 0 {
			from[i], used[same[0]] = same[0], true
			texts[list[i].Content] = same[1:]
		}
	}
	for i := range list {
		if from[i] < 0 && list[i].ID == "" && i < len(saved) && !used[i] && (list[i].By != "" || mayBecome(&saved[i], &list[i], since)) {
			from[i], used[i] = i, true
		}
	}
	return from
}

// mayBecome reports whether a saved item may have been given another text by an agent.
func mayBecome(saved, it *Item, since Time) bool {
	return saved.By == "" && !saved.isChecked() && saved.Claim == nil && (saved.CreatedAt >= since || areAlike(saved.Content, it.Content))
}

// areAlike reports whether two texts may be about the same thing: half of the words of the one with fewer are in the other.
// Words of one or two letters are not counted, and of the others the case is not.
func areAlike(a, b string) bool {
	few, many := longWords(a), longWords(b)
	if len(few) > len(many) {
		few, many = many, few
	}
	same := 0
	for word := range few {
		if many[word] {
			same++
		}
	}
	return same > 0 && 2*same >= len(few)
}

// longWords returns the words of a text that say what it is about.
func longWords(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) > 2 && word != "the" && word != "and" && word != "for" {
			words[word] = true
		}
	}
	return words
}

// matchRenamed pairs the saved items that had to change their id because a new item has it now. They are recognised by
// their time of creation, which an item that an agent wrote does not have.
func matchRenamed(saved, list []Item, ids map[string]int, from []int, used []bool) {
	type origin struct {
		content   string
		createdAt Time
	}
	var origins map[origin]int
	for i := range list {
		from[i] = -1
		if _, known := ids[list[i].ID]; known || list[i].ID == "" || list[i].CreatedAt == 0 {
			continue
		}
		if origins == nil {
			origins = make(map[origin]int, len(saved))
			for at := range saved {
				origins[origin{saved[at].Content, saved[at].CreatedAt}] = at
			}
		}
		if at, ok := origins[origin{list[i].Content, list[i].CreatedAt}]; ok && !used[at] {
			from[i], used[at] = at, true
		}
	}
}

// inheritFrom fills in the members that the new form of an item leaves out, from the saved one. An item that is equal to the
// saved one keeps the time of its last change.
func (it *Item) inheritFrom(old *Item, statusInferred bool, now Time) {
	it.ID, it.Priority = cmp.Or(it.ID, old.ID), cmp.Or(it.Priority, old.Priority)
	if statusInferred && it.Status == Pending && old.Status.Open() {
		it.Status = old.Status
	}
	if it.Subtasks == nil {
		it.Subtasks = old.Subtasks
	} else {
		it.Subtasks = keepReasons(old.Subtasks, sameSubtasks(old.Subtasks, it.Subtasks, it.By))
	}
	if it.BlockedBy == nil {
		it.BlockedBy = old.BlockedBy
	}
	if it.Status.Waits() && it.Reason == "" {
		it.Reason = old.Reason
	}
	if it.Status.Open() {
		it.Claim = old.Claim
	}
	// An agent's tool that changes one item hands over the others as they are saved, with their gates. One that writes the
	// whole list says of each item whether it is done.
	if it.Gate != old.Gate && old.ClaimedDone() && it.Status != Completed && !statusInferred {
		it.Gate = old.Gate.fresh(false)
	} else {
		it.Gate = old.Gate
	}
	it.Claims, it.NeedsProof = old.Claims, old.NeedsProof
	if it.CreatedAt == 0 { // else it is the saved one, and its agent has assigned it to nobody
		it.Assignee = cmp.Or(it.Assignee, old.Assignee)
	}
	if it.ActiveForm == "" && it.Content == old.Content {
		it.ActiveForm = old.ActiveForm
	}
	if it.Unknown == nil {
		it.Unknown = old.Unknown
	}
	it.By, it.CreatedAt = old.By, old.CreatedAt
	if it.Status == Completed {
		it.CompletedAt = old.CompletedAt
	}
	it.UpdatedAt = old.UpdatedAt
	if !it.equal(old) {
		it.UpdatedAt = now
	}
}

// keepReasons copies the old reason to each subtask that is still blocked and came without a reason.
func keepReasons(old, subs []Subtask) []Subtask {
	for i := range subs {
		if subs[i].Reason != "" || !subs[i].Status.Waits() {
			continue
		}
		if at := slices.IndexFunc(old, func(t Subtask) bool { return t.ID == subs[i].ID }); at >= 0 {
			subs[i].Reason = old[at].Reason
		}
	}
	return subs
}

// FinishedBetween returns the saved items that were completed from a time on, and before another, and that a new list does not have.
func FinishedBetween(saved, list []Item, from, before Time) (out []Item) {
	has := make(map[string]bool, 2*len(list))
	for i := range list {
		has[list[i].ID], has[list[i].Content] = true, true
	}
	for i := range saved {
		it := &saved[i]
		if it.Status == Completed && from <= it.CompletedAt && it.CompletedAt < before && !has[it.ID] && !has[it.Content] {
			out = append(out, *it)
		}
	}
	return out
}

// KeepUserItems appends the saved items that an agent's list must not lose: the user's, those that have a subtask of the user,
// those that a worker holds, and those with a gate or that require proof, if they are open, and with closed also the finished ones. Completed
// ones with a gate or that require proof are always kept: whether they are done is asked again. They keep their order. From is the second
// result of Carry; it is returned with the indexes of the n items that were appended.
func KeepUserItems(saved, list []Item, from []int, closed bool) (out []Item, all []int, n int) {
	continued := make([]bool, len(saved))
	for _, at := range from {
		if at >= 0 {
			continued[at] = true
		}
	}
	lost := func(t Subtask) bool { return t.ofUser() && (closed || t.Open()) && findPart(t.ID, nil, list) == nil }
	for i := range saved {
		checked := saved[i].Status == Completed && saved[i].isChecked()
		if (closed || saved[i].Status.Open() || checked) && !continued[i] &&
			(saved[i].guarded() != "" || saved[i].Claim != nil || slices.ContainsFunc(saved[i].Subtasks, lost)) {
			list, from, n = append(list, saved[i]), append(from, i), n+1
		}
	}
	return list, from, n
}

func nameSubtasks(subs []Subtask, gen *ids) []Subtask {
	if !slices.ContainsFunc(subs, func(t Subtask) bool { return t.ID == "" || t.Status == "" || t.Reason != "" && !t.Status.Waits() }) {
		return subs
	}
	subs = slices.Clone(subs)
	for i := range subs {
		if subs[i].ID == "" {
			subs[i].ID = gen.next(subs[i].Content)
		}
		if subs[i].Status = subs[i].StatusOrPending(); !subs[i].Status.Waits() {
			subs[i].Reason = "" // nothing else has one
		}
	}
	return subs
}

// Merge completes a partial list: the saved items whose id or text it does not have come before its own.
func Merge(saved, list []Item) []Item {
	ids, texts := make(map[string]bool, len(list)), make(map[string]bool, len(list))
	for i := range list {
		ids[list[i].ID] = true
		if list[i].ID == "" {
			texts[list[i].Content] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(saved), func(it Item) bool { return ids[it.ID] || texts[it.Content] })
	return append(rest, list...)
}
