package render

import "strings"

// Wrap breaks a text into lines of at most so many columns, between words. A command in backquotes stays whole if it
// fits into a line. A longer word is broken after a slash or a comma, since it is mostly a path or a list, or where it must be.
func Wrap(text string, width int) []string {
	var lines []string
	for {
		end := fitting(text, width)
		if end == len(text) {
			return append(lines, text)
		}
		if whole := wholeWords(text, width); whole > 0 {
			end = whole
		} else if joint := strings.LastIndexAny(text[:end], "/,") + 1; joint > 1 {
			end = joint
		}
		lines = append(lines, strings.TrimRight(text[:end], " "))
		text = beginning(strings.TrimLeft(text[end:], " "))
	}
}

// wholeWords returns how many bytes the words at the beginning of a text have that fit into a number of columns together.
func wholeWords(text string, width int) (end int) {
	for room := width; end < len(text); {
		word := unbroken(text[end:], width)
		bare := columns(strings.TrimRight(word, " "))
		if bare > room {
			return end
		}
		room -= bare + len(word) - len(strings.TrimRight(word, " "))
		end += len(word)
	}
	return end
}

// beginning makes a text safe at the beginning of a line that was broken there, as Text does at the first one: a
// terminal may be recorded as the log of a CI system.
func beginning(text string) string {
	if strings.HasPrefix(text, "::") {
		return `\u003a` + text[1:]
	}
	return text
}

// fitting returns how many bytes of a text fit into a number of columns: at least one cluster, so
// that wrapping terminates.
func fitting(text string, width int) int {
	n, end := 0, 0
	for g := clusters(text); g.Next(); {
		n += clusterColumns(g.Value(), g.Width())
		if n > width && end > 0 {
			return end
		}
		end += len(g.Value())
	}
	return end
}

// WriteHanging writes a text after a head of so many columns, with the following lines aligned to the text's beginning.
// On a screen too narrow for that, the text is below the head. If there is no screen, it is one line.
func (s Style) WriteHanging(b *strings.Builder, head string, at int, text string) {
	const below = 3 // columns
	if s.Width == 0 {
		b.WriteString(strings.TrimRight(head+text, " ") + "\n")
		return
	}
	if s.Width-at < leastText && at >= below {
		if head = strings.TrimRight(head, " "); head != "" {
			b.WriteString(head + "\n")
		}
		head, at = strings.Repeat(" ", below), below
	}
	for _, line := range Wrap(text, max(s.Width-at, 1)) {
		b.WriteString(strings.TrimRight(head+line, " ") + "\n")
		head = strings.Repeat(" ", at)
	}
}

// longestCommand is how many lines a command fills at most that a message keeps whole. What is longer was hardly meant as one.
const longestCommand = 5

// WrapMessage breaks a message into lines for a terminal of that width, between words.
// A command in backquotes, and a word that is longer than a line, stays whole: the terminal
// breaks it, and it can still be copied. Without a width there is one line.
func WrapMessage(text string, width int) string {
	if width == 0 {
		return text
	}
	var lines []string
	line := ""
	for text != "" {
		word := unbroken(text, longestCommand*width)
		text = text[len(word):]
		if line != "" && columns(line)+columns(strings.TrimRight(word, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, word = "", beginning(word)
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// unbroken returns the next word with the spaces after it; a command in
// backquotes is one word, where it fits into so many columns.
func unbroken(text string, width int) string {
	word, rest, _ := strings.Cut(text, " ")
	if from := strings.IndexByte(word, '`'); from >= 0 {
		if command, _, closed := strings.Cut(text[from+1:], "`"); closed && columns(command)+from+2 <= width {
			_, rest, _ = strings.Cut(text[from+1+len(command)+1:], " ")
		}
	}
	return text[:len(text)-len(strings.TrimLeft(rest, " "))]
}
