package stream

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
)

// Problem is what a program wrote to standard error about a turn that failed.
type Problem struct {
	Class continuation.ErrorClass // empty if no line shows it
	Reset continuation.Reset
	Line  string // the line that tells it to a reader; empty if none does
	Usage bool   // the program does not accept its command line, and shows how it is called
}

// problemLines is how many lines at the end are read: what came before is about work that went on.
const problemLines = 50

// ProblemIn reads the end of a program's standard error. The last line with a class counts, since an agent gets over many an
// error. That a connection failed counts only if nothing else is told: connections end for any reason.
func (a AllFailureTexts) ProblemIn(text string) Problem {
	patterns.once.Do(compile)
	all := strings.Split(strings.TrimSpace(patterns.colors.ReplaceAllString(strings.ToValidUTF8(text, ""), "")), "\n")
	lines := all[max(0, len(all)-problemLines):]
	// A description of many flags may follow what was not accepted.
	p := Problem{Usage: slices.ContainsFunc(all, func(line string) bool { return refuses(line) || tellsUsage(line) })}
	for _, line := range slices.Backward(lines) {
		class := a.Class(FailureOf("", line, nil))
		if class == continuation.ErrorUnknown || class == continuation.ErrorServer && p.Class != "" {
			continue
		}
		if p.Class = class; line[0] != ' ' && line[0] != '\t' { // else it is a member of what an earlier line begins
			p.Line = FailureSentence(line)
		}
		if p.Reset = a.Reset(line); class != continuation.ErrorServer {
			break
		}
	}
	if p.Class == continuation.ErrorRateLimit && p.Reset.IsZero() {
		p.Reset = a.Reset(strings.Join(lines, "\n"))
	}
	if p.Class != continuation.ErrorRateLimit && p.Class != continuation.ErrorServer {
		p.Reset = continuation.Reset{}
	}
	if p.Line == "" && p.Usage {
		p.Line = refusedBy(all)
	}
	if p.Line == "" {
		p.Line = FailureSentence(strings.Join(lines, "\n"))
	}
	return p
}

// patterns are compiled when an error is read first: nothing may allocate before main.
var patterns struct {
	once sync.Once

	refuses *regexp.Regexp // the words of programs that do not accept their command line
	usage   *regexp.Regexp // lines that tell how a program is called
	noise   *regexp.Regexp // lines that tell a reader nothing: the place in a source file, and what runtimes print around an error
	names   *regexp.Regexp // words by which a line of many names an error
	logged  *regexp.Regexp // the error in a line of a log
	colors  *regexp.Regexp // what colours a terminal
}

func compile() {
	patterns.refuses = regexp.MustCompile(`(?i)\bun(known|expected|recognized|recognised) (option|argument|flag)|\binvalid option\b|` +
		`flag provided but not defined|cannot be used with root`)
	patterns.usage = regexp.MustCompile(`(?i)^\s*usage( of .*)?:(\s|$)|\b(try|see|run)\b.*--help\b|^(positionals|options):\s*$`)
	patterns.noise = regexp.MustCompile(`^\s+at |^\s+File "|^\S+:\d+(:\d+)?$|^Node\.js v|^Traceback \(|^goroutine \d+ |^note: run with `)
	patterns.logged = regexp.MustCompile(`^timestamp=\S+ level=.* error(?:\.error)?="(?:\w+: )?(.*)"$`)
	patterns.colors = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	patterns.names = regexp.MustCompile(`(?i)error|fatal|panic|exception`)
}

// refuses reports whether a line says that the command line is not accepted.
func refuses(line string) bool {
	patterns.once.Do(compile)
	return patterns.refuses.MatchString(line)
}

// tellsUsage reports whether a line tells how the program is called.
func tellsUsage(line string) bool {
	patterns.once.Do(compile)
	return patterns.usage.MatchString(line)
}

// refusedBy returns the line in which a program that shows how it is called says what it does not accept: the first with such words,
// else the first that neither tells that nor belongs to the description of its flags; empty if there is none.
func refusedBy(lines []string) string {
	if at := slices.IndexFunc(lines, refuses); at >= 0 {
		return strings.TrimSpace(lines[at])
	}
	return failureLine(strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		line = strings.TrimRight(line, " \t\r")
		return tellsUsage(line) || strings.HasSuffix(line, ":") || line != strings.TrimLeft(line, " \t-")
	}), "\n"))
}

// FailureSentence returns the line of an error's text that tells a reader what happened: the first one that names an error, else the
// first one that says something. A message within JSON, as hosts answer, stands for it.
func FailureSentence(text string) string {
	text = text[:min(len(text), maxText)]
	if at := strings.IndexByte(text, '{'); at >= 0 {
		if message := jsonMessage(text[at:]); message != "" {
			before, says := strings.TrimRight(failureLine(text[:at]), ": "), FailureSentence(message)
			if before == "" || says == "" {
				return before + says
			}
			return before + ": " + says
		}
	}
	return failureLine(text)
}

// failureLine returns the first line that names an error, else the first one that says something.
func failureLine(text string) (first string) {
	patterns.once.Do(compile)
	for line := range strings.Lines(text) {
		indented, line := line[0] == ' ' || line[0] == '\t', strings.TrimRight(line, " \t\r\n")
		switch {
		case patterns.noise.MatchString(line), !strings.ContainsFunc(line, unicode.IsLetter):
			continue
		case !indented && patterns.names.MatchString(line):
			if logged := patterns.logged.FindStringSubmatch(line); logged != nil {
				return logged[1]
			}
			return line
		case first == "" || first[0] == ' ' || first[0] == '\t':
			if first == "" || !indented {
				first = line
			}
		}
	}
	return strings.TrimSpace(first)
}

// jsonMessage returns the message of the JSON object that a text begins with; empty if there is none.
func jsonMessage(text string) string {
	raw, err := jsontext.NewDecoder(strings.NewReader(text)).ReadValue()
	if err != nil {
		return ""
	}
	var answer struct {
		Message string         `json:"message"`
		Error   jsontext.Value `json:"error"`
	}
	if json.Unmarshal(raw, &answer) != nil || answer.Message != "" || len(answer.Error) == 0 {
		return answer.Message
	}
	if answer.Error.Kind() == '{' {
		return jsonMessage(string(answer.Error))
	}
	_ = json.Unmarshal(answer.Error, &answer.Message) // the error may be the message itself
	return answer.Message
}
