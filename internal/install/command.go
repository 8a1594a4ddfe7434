package install

import (
	"path/filepath"
	"strconv"
	"strings"
)

// plain are the bytes that have no special meaning in any shell.
const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+:@%,="

// quote turns a text into one word for the shell by which agents run hooks.
func quote(word string, windows bool) string {
	if windows {
		// cmd and the bash of Git for Windows both take forward slashes and double quotes.
		word = strings.ReplaceAll(word, `\`, "/")
	}
	switch {
	case strings.Trim(word, plain) == "":
		return word
	case windows:
		return `"` + word + `"`
	}
	// Some agents expand $NAME in their settings, before any shell sees the quotes.
	return "'" + strings.NewReplacer("'", `'\''`, "$", "$''").Replace(word) + "'"
}

// What ends a command line in a Unix shell, so that an onward that is missing, not executable or crashing
// never blocks its agent: several agents read such a failure, or the 2 of a crash, as a refusal.
// For an agent that continues after code 2, onward exits with a code of its own, which the line turns into 2.
// No such line works in cmd, PowerShell 5.1 and the bash of Git alike, so on Windows there is none.
const (
	endingOfMost = " || :"
	endingOfCode = " --own-code; [ $? -ne 40 ] || exit "
)

// ending returns the text after the words of a command line.
func (o Options) ending(code int) string {
	switch {
	case o.Windows():
		return ""
	case code != 0:
		return endingOfCode + strconv.Itoa(code)
	}
	return endingOfMost
}

// command returns the command line of a hook, for a Unix shell and for PowerShell. The hook that starts a conversation may
// give context. The hook that runs the gate gets the time that the agent waits for it.
func (o Options) command(agent string, code int, starts bool, wait string) (sh, powershell string) {
	rest := " hook " + agent
	if wait != "" {
		rest += " --limit " + wait
	}
	if o.plugin {
		rest += " --plugin"
	}
	if o.Context && starts {
		rest += " --context"
	}
	return quote(o.Program, o.Windows()) + rest + o.ending(code), "& '" + strings.ReplaceAll(o.Program, "'", "''") + "'" + rest
}

// sameEnding reports whether two command lines of an agent are the same but for the program.
func sameEnding(a, b, agent string) bool {
	_, a, _ = strings.Cut(a, " hook "+agent)
	_, b, _ = strings.Cut(b, " hook "+agent)
	return strings.TrimPrefix(a, " --context") == strings.TrimPrefix(b, " --context")
}

// splitWords splits a command line as simply as our own commands allow: it reads quotes and backslashes, and expands nothing.
// It reports false for a line that is more than a list of words.
func splitWords(line string) (out []string, ok bool) {
	var word strings.Builder
	started, inSingle, inDouble := false, false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case inSingle:
			if inSingle = c != '\''; inSingle {
				word.WriteByte(c)
			}
		case inDouble && c == '"':
			inDouble = false
		case inDouble:
			if c == '\\' && i+1 < len(line) && strings.IndexByte(`"\$`, line[i+1]) >= 0 {
				i++
				c = line[i]
			}
			word.WriteByte(c)
		case c == '\'':
			inSingle, started = true, true
		case c == '"':
			inDouble, started = true, true
		case c == '\\' && i+1 < len(line) && strings.IndexByte(plain, line[i+1]) < 0:
			i++
			word.WriteByte(line[i])
			started = true
		case c == ' ' || c == '\t':
			if started {
				out = append(out, word.String())
				word.Reset()
				started = false
			}
		case strings.IndexByte("|&;<>()$`\n", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if inSingle || inDouble {
		return nil, false
	}
	if started {
		out = append(out, word.String())
	}
	return out, true
}

// programOf returns the program that a command line of ours names; ok is false if it is not ours.
// PowerShell's call operator before it does not count as a word.
func programOf(line, agent string) (program string, ok bool) {
	line = strings.TrimPrefix(line, "& ")
	line = strings.TrimSuffix(line, endingOfMost)
	if before, code, found := strings.Cut(line, endingOfCode); found && strings.Trim(code, "0123456789") == "" {
		line = before
	}
	list, ok := splitWords(line)
	if !ok || len(list) < 3 || list[1] != "hook" || list[2] != agent {
		return "", false
	}
	return list[0], ourName(list[0])
}

// ourName reports whether a program is called onward, or something with that in it: onward.exe, onward-dev.
// The name identifies a hook of onward, even if the program has been moved since.
func ourName(path string) bool {
	return strings.Contains(strings.ToLower(filepath.Base(strings.ReplaceAll(path, `\`, "/"))), "onward")
}
