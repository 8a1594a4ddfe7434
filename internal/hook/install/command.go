package install

import (
	"path/filepath"
	"strings"
)

// plain are the bytes that no shell treats as its own.
const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+:@%,="

// quote makes one word of a text for the shell that the agents run hooks with.
func quote(word string, windows bool) string {
	if windows {
		// cmd and the bash of Git for Windows both take forward slashes and double quotes.
		word = strings.ReplaceAll(word, `\`, "/")
		if strings.Trim(word, plain) == "" {
			return word
		}
		return `"` + word + `"`
	}
	if strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// words splits a command line as far as our own commands need it: quotes and backslashes,
// no expansion. ok is false for what is more than a list of words.
func words(line string) (out []string, ok bool) {
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

// programOf gives the program that a command line of ours names; ok is false where it is not ours.
// PowerShell's call operator before it is none of the line's words.
func programOf(line, agent string) (program string, ok bool) {
	list, ok := words(strings.TrimPrefix(line, "& "))
	if !ok || len(list) < 3 || list[1] != "hook" || list[2] != agent {
		return "", false
	}
	return list[0], ourName(list[0])
}

// ourName reports whether a program is called onward, or something with that in it: onward.exe, onward-dev.
// By its name a hook is known for ours, whoever moved the program meanwhile.
func ourName(path string) bool {
	return strings.Contains(strings.ToLower(filepath.Base(strings.ReplaceAll(path, `\`, "/"))), "onward")
}
