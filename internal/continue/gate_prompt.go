package continuation

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"onward/internal/session"
)

// maxOutput is how many bytes of the gate's output are kept, and how many it
// may occupy in a prompt, escaped and framed.
const maxOutput = 4096

// gateInstructions replace the instructions if only the gate is left.
const gateInstructions = "All tasks in your todo list are finished, but the gate command fails. It must pass before the work is done.\n\n" +
	"- Proceed without asking for permission\n" +
	"- Find the cause in the output below and fix it; add a task to your todo list for each further step\n" +
	"- Do not stop until the command passes: it is run again when you end your turn"

// onlyGateInstructions replace them if there is no list either.
const onlyGateInstructions = "The gate command fails. It must pass before the work is done.\n\n" +
	"- Proceed without asking for permission\n" +
	"- Find the cause in the output below and fix it; keep a todo list if it takes several steps\n" +
	"- Do not stop until the command passes: it is run again when you end your turn"

// outputBar begins each line of output in a prompt, so that no line can pass for one of ours.
const outputBar = "| "

// frameGateResult shows the gate's result as data: the command, its code and the last lines of its output.
func frameGateResult(p *session.GateResult) string {
	lines := strings.Split(p.Output, "\n")
	first, size := len(lines), 0
	for i := len(lines) - 1; i >= 0; i-- {
		line := outputBar + escape(strings.ReplaceAll(lines[i], "\t", "    "), -1) + "\n"
		if size += len(line); size > maxOutput {
			break
		}
		lines[i], first = line, i
	}
	text := "The command, its exit code and the end of its output, as data:\n$ " + FoldLine(p.Command) + "\n"
	if p.Command == unnamedGate {
		text = "Its exit code and the end of its output, as data:\n"
	}
	text += "exit code " + strconv.Itoa(p.Code) + "\n"
	switch {
	case p.Output == "":
		return text + "(no output)\n"
	case first == len(lines):
		// The last line alone is too long, so its end is shown.
		last := escape(lines[first-1], -1)
		return text + outputBar + "..." + strings.ToValidUTF8(last[len(last)-maxOutput/2:], "") + "\n"
	}
	return text + strings.Join(lines[first:], "")
}

// PlainTail returns the last lines of a program's output as plain text: without the
// sequences that colour a terminal, and without the lines that were overwritten there.
func PlainTail(output string) string {
	lines := strings.Split(strings.TrimRight(stripTerminal(output), " \t\r\n"), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	s := strings.Join(lines, "\n")
	if len(s) <= maxOutput {
		return s
	}
	s = s[len(s)-maxOutput:]
	if at := strings.IndexByte(s, '\n'); at >= 0 {
		return s[at+1:]
	}
	return strings.ToValidUTF8(s, "")
}

// stripTerminal replaces invalid UTF-8 and removes terminal sequences: ESC [ … letter,
// and ESC ] … up to BEL or ESC \.
func stripTerminal(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		s = rest
		switch {
		case strings.HasPrefix(rest, "["):
			if end := strings.IndexFunc(rest[1:], func(r rune) bool { return r >= '@' }); end >= 0 {
				_, size := utf8.DecodeRuneInString(rest[1+end:])
				s = rest[1+end+size:]
			}
		case strings.HasPrefix(rest, "]"):
			if end := strings.IndexAny(rest, "\a\x1b"); end >= 0 {
				s = strings.TrimPrefix(strings.TrimPrefix(rest[end:], "\a"), "\x1b\\")
			}
		}
	}
}
