package todo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// What a command takes as an argument, for the error about a malformed one.
const (
	positionGrammar = "a position is N, last, N.M, N.last or id:ID"
	rangeGrammar    = positionGrammar + "; a range is a position, N-M, N.M-N.K or all"
)

// last is the number of the word `last`. Numbers that a user writes begin at 1.
const last = -1

// Position names one place in a list as the user types it.
type Position struct {
	text string
	id   string // if it was written as id:ID; the numbers are not used then
	item int    // 1-based, or last
	sub  int    // 1-based, or last; 0 means the item itself
}

// String returns the position as it was written.
func (p Position) String() string { return p.text }

// Range names one or more places; `all` is every item.
type Range struct {
	from, to Position
	all      bool
}

// Ref is a resolved place: indexes from 0, with Sub -1 for the item itself.
type Ref struct{ Item, Sub int }

// Label returns the place as the user types it: 3 or 3.2.
func (r Ref) Label() string {
	if r.Sub < 0 {
		return fmt.Sprint(r.Item + 1)
	}
	return fmt.Sprintf("%d.%d", r.Item+1, r.Sub+1)
}

// Places returns every place of a list in its order.
func Places(items []Item) []Ref {
	var refs []Ref
	for i := range items {
		refs = append(refs, Ref{i, -1})
		for j := range items[i].Subtasks {
			refs = append(refs, Ref{i, j})
		}
	}
	return refs
}

// ParsePosition reads one position.
func ParsePosition(s string) (Position, error) {
	p, ok := parsePosition(s)
	if ok {
		return p, nil
	}
	if _, err := ParseRange(s); err == nil {
		return p, fmt.Errorf("%w: %q is a range, and one position is needed: %s", ErrPosition, s, positionGrammar)
	}
	return p, malformed(s, positionGrammar)
}

func parsePosition(s string) (p Position, ok bool) {
	p.text = s
	if id, isID := strings.CutPrefix(s, "id:"); isID && id != "" {
		p.id = id
		return p, true
	}
	item, sub, hasSub := strings.Cut(s, ".")
	p.item, ok = parseNumber(item)
	if ok && hasSub {
		p.sub, ok = parseNumber(sub)
		ok = ok && p.item != last
	}
	return p, ok
}

// ParseRange reads one range.
func ParseRange(s string) (Range, error) {
	if s == "all" {
		return Range{all: true}, nil
	}
	left, right, isRange := strings.Cut(s, "-")
	isRange = isRange && !strings.HasPrefix(s, "id:")
	if !isRange {
		left, right = s, s
	}
	from, ok := parsePosition(left)
	to, okTo := parsePosition(right)
	if strings.Contains(s, ",") && !strings.HasPrefix(s, "id:") {
		return Range{}, fmt.Errorf("%w: position %q: separate positions with spaces: %s", ErrSyntax, s, strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }), " "))
	}
	if !ok || !okTo || isRange && (from.item == last || from.sub == last) {
		return Range{}, malformed(s, rangeGrammar)
	}
	switch {
	case !isRange:
	case to.item == last && from.sub == 0, to.sub == last && from.item == to.item && from.sub != 0:
		// An existing place never follows the last one.
	case (from.sub == 0) != (to.sub == 0), from.sub != 0 && from.item != to.item:
		return Range{}, fmt.Errorf("%w: range %q: both ends must be items, or subtasks of one item", ErrSyntax, s)
	case from.item > to.item || from.sub > to.sub:
		from, to, _ := strings.Cut(s, "-")
		return Range{}, &UnknownWordError{Text: fmt.Sprintf("%v: range %q runs backwards", ErrSyntax, s), Word: s, Known: []string{to + "-" + from}}
	}
	from.text, to.text = s, s
	return Range{from: from, to: to}, nil
}

// looksLikePosition reports whether an argument is probably a position, which
// may be malformed: it starts with `id:`, or is made of numbers, `last` and dots.
func looksLikePosition(s string) bool {
	if strings.HasPrefix(s, "id:") {
		return true
	}
	begun := false
	for part := range strings.SplitSeq(s, ".") {
		if part != "last" && strings.Trim(part, "0123456789") != "" {
			return false
		}
		begun = begun || part != ""
	}
	return begun
}

// resolve finds the existing places that ranges name, each once, in list order.
func resolve(items []Item, ranges []Range) ([]Ref, error) {
	var refs []Ref
	for _, r := range ranges {
		if r.all {
			for i := range items {
				refs = append(refs, Ref{i, -1})
			}
			continue
		}
		from, err := Find(items, r.from)
		if err != nil {
			return nil, err
		}
		to, err := Find(items, r.to)
		if err != nil {
			return nil, err
		}
		for from != to {
			refs = append(refs, from)
			if from.Sub < 0 {
				from.Item++
			} else {
				from.Sub++
			}
		}
		refs = append(refs, to)
	}
	slices.SortFunc(refs, func(a, b Ref) int { return cmp.Or(a.Item-b.Item, a.Sub-b.Sub) })
	return slices.Compact(refs), nil
}

// Find resolves a position to an existing place.
func Find(items []Item, p Position) (Ref, error) { return find(items, p, 0) }

// gap resolves a position to a place where an item can be inserted. The place behind the last item is allowed, and
// `last` means that one.
func gap(items []Item, p Position) (Ref, error) { return find(items, p, 1) }

// find resolves a position among the existing places, and a number of places behind the last one.
func find(items []Item, p Position, behind int) (Ref, error) {
	if p.id != "" {
		return byID(items, p.id)
	}
	n := len(items)
	if p.sub == 0 {
		n += behind
	}
	if n == 0 {
		return Ref{}, fmt.Errorf("%w: position %s is out of range: the list is empty", ErrEmpty, p)
	}
	item, err := within(p, p.item, n, validItems(n, behind))
	if err != nil || p.sub == 0 {
		return Ref{item, -1}, err
	}
	n = len(items[item].Subtasks) + behind
	sub, err := within(p, p.sub, n, validSubtasks(item, n, behind))
	return Ref{item, sub}, err
}

func byID(items []Item, id string) (Ref, error) {
	for i := range items {
		if items[i].ID == id {
			return Ref{i, -1}, nil
		}
		for j := range items[i].Subtasks {
			if items[i].Subtasks[j].ID == id {
				return Ref{i, j}, nil
			}
		}
	}
	return Ref{}, fmt.Errorf("%w: id %q", ErrNotFound, id)
}

// within turns a 1-based number, or last, into an index below n.
func within(p Position, number, n int, valid string) (int, error) {
	if number == last {
		number = n
	}
	if number < 1 || number > n {
		return 0, fmt.Errorf("%w: position %s is out of range: %s", ErrNotFound, p, valid)
	}
	return number - 1, nil
}

// validItems lists the numbers up to n that a user can give; the last `behind` of them do not exist yet.
func validItems(n, behind int) string {
	switch {
	case n == 1 && behind == 1:
		return "it must be 1"
	case n == 1:
		return "there is only item 1"
	}
	return fmt.Sprintf("it must be 1-%d", n)
}

func validSubtasks(item, n, behind int) string {
	switch {
	case n == 0:
		return fmt.Sprintf("item %d has no subtasks", item+1)
	case n == 1 && behind == 1:
		return fmt.Sprintf("it must be %d.1", item+1)
	case n == 1:
		return fmt.Sprintf("item %d has only subtask %d.1", item+1, item+1)
	}
	return fmt.Sprintf("it must be %d.1-%d.%d", item+1, item+1, n)
}

// huge replaces every number that is far above the length of any list.
const huge = 100 * MaxItems

// parseNumber reads `last` or a strict positive decimal: digits only, no sign, no leading zero.
// A number that is too large for any list is well-formed here; the caller finds that it is out of range.
func parseNumber(s string) (int, bool) {
	switch {
	case s == "last":
		return last, true
	case s == "" || s[0] == '0':
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), huge)
	}
	return n, true
}

func malformed(s, grammar string) error {
	return fmt.Errorf("%w: position %q is malformed: %s", ErrPosition, s, grammar)
}

// ParseRanges reads several ranges.
func ParseRanges(args []string) ([]Range, error) {
	out := make([]Range, len(args))
	for i, s := range args {
		var err error
		if out[i], err = ParseRange(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EndPosition is the position after the last item.
func EndPosition() Position { return Position{text: "last", item: last} }

// ErrNoText means that a position was given without the text that belongs there.
var ErrNoText error = syntaxError("bad argument: the text is missing")

// SplitPosition separates the position from the text in the arguments of add:
// at, if it was given as such; else the first argument, if it looks like a
// position. The last `literal` arguments are text in any case.
func SplitPosition(at string, args []string, literal int) (Position, []string, error) {
	switch {
	case at != "":
		p, err := ParsePosition(at)
		return p, args, err
	case len(args) > literal && looksLikePosition(args[0]):
		p, err := ParsePosition(args[0])
		if err == nil && len(args) == 1 {
			err = ErrNoText
		}
		return p, args[1:], err
	}
	return EndPosition(), args, nil
}

// MeantRanges returns the ranges that somebody probably meant by a word that is none, such as "1,2", "#1" or "1..3"; the word itself if
// that is not known.
func MeantRanges(word string) []string {
	switch word {
	case "*":
		return []string{"all"}
	case "and":
		return nil
	}
	plain := strings.NewReplacer("..", "-", "…", "-", "–", "-", ":", "-", "#", " ", ",", " ", ";", " ", "&", " ").Replace(word)
	ranges := strings.Fields(plain)
	for i := range ranges {
		ranges[i] = strings.TrimRight(ranges[i], ".)")
		if _, err := ParseRange(ranges[i]); err != nil {
			return []string{word}
		}
	}
	return ranges
}
