package agent

import (
	"slices"
	"strings"

	continuation "onward/internal/continue"
)

// Program is how an agent's own program is started to work unattended: it takes one prompt, prints JSON lines, and ends.
type Program struct {
	Name    string         // of the agent, which the registry sets
	Command []string       // the program and the arguments of every turn
	Resume  []string       // the arguments that follow, to continue a conversation, whose id is added
	Begins  []string       // the arguments that follow, to begin a conversation with an id that is added, a UUID; nil if the program chooses it
	Ends    []string       // the last arguments, before a prompt that no flag is joined to
	Prompt  string         // the flag that is joined to the prompt, or Placeholder where that is the last argument; empty if it is standard input
	Env     []string       // switches the agent's todo tool on, or its log
	Waits   string         // what a line of its log, standard error, contains where it waits itself until its host answers; empty if it does not wait silently
	Costs   bool           // its output names the money spent
	Tokens  UsageReporting // when it tells the tokens of a turn
	Money   UsageReporting // when its output names the money, if it does
	Spend   *UsageFile     // a file with what a conversation has used, if the output says so only at the end of a turn; nil if there is none
	Install string         // how the program is had
	Rights  string         // how the user lets it change files without being asked
	Allows  string         // how the user lets it call certain tools, instead of Tools; empty if that is Rights

	SubAgents *SubAgentUsage // how it is asked what sub-agents have used, if its output leaves that out; nil if it cannot be asked
}

// UsageFile is a file that an agent keeps of a conversation, which tells what that has used so far: as a total, or in parts.
type UsageFile struct {
	Variable, Folder string // the variable with the agent's folder, and that folder's name below the user's home
	// Paths are patterns of the file's path below the agent's folder, in which {id} is the conversation's id, and {id8} its first eight
	// characters. If the file has parts, several files can match: those of sub-agents count too.
	Paths []string
	// Later is a pattern of files below the folder that may be sub-agents', and Within reports by the first bytes of one, UsageFileHead of
	// them, whether it is, of this conversation. No folder of such a file comes before that of the conversation's own in their order.
	Later  string
	Within func(head []byte, conversation string) bool
	// Total reads the tokens so far from the end of the file, at most UsageFileTail bytes, which may begin and end within a line.
	Total func(tail []byte, conversation string) (total continuation.Usage, known bool)
	// Part reads the tokens of one request from a line that contains Mark. A request that has an id may have several lines, and counts
	// once. It is nil if the file has a total.
	Part func(line []byte) (request string, used continuation.Usage, known bool)
	Mark string
	// InTurn tells that the file counts only while a turn is open, or if it is cut off: the output tells more at a turn's end.
	InTurn bool
}

// Patterns returns the patterns of the paths of a conversation's files; none if the conversation's id cannot be a part of a path.
func (f *UsageFile) Patterns(conversation string) (out []string) {
	if conversation == "" || strings.ContainsAny(conversation, `*?[\/`) {
		return nil
	}
	for _, path := range f.Paths {
		out = append(out, strings.NewReplacer("{id}", conversation, "{id8}", conversation[:min(8, len(conversation))]).Replace(path))
	}
	return out
}

// UsageFileTail is how much of the end of such a file is read at most: other lines can be long. UsageFileHead is how much of its beginning is.
const (
	UsageFileTail = 4 << 20
	UsageFileHead = 1 << 10
)

// SubAgentUsage is how a program is asked what all sub-agents of a conversation have used so far.
type SubAgentUsage struct {
	Ask  func(conversation string) (args []string)
	Read func(printed []byte, conversation string) (total continuation.Usage, err error) // the total has its Thread; the error says why the output is not an answer
}

// UsageReporting is when an agent tells what a turn has used.
type UsageReporting int

// When that is.
const (
	UsageInTurn UsageReporting = iota
	UsageAtEnd                 // of the turn, so that no budget can end it before
	Never
)

// PromptPlaceholder is replaced by the prompt in the command of a generic program.
const PromptPlaceholder = "{prompt}"

// ToolsPlaceholder is replaced by the names of tools in the flag that allows them.
const ToolsPlaceholder = "{tools}"

// AllowFlags returns the flags by which the user lets the program call tools that were denied; empty if none is known.
func (p *Program) AllowFlags(tools []string) string {
	names := make([]string, 0, len(tools))
	for _, tool := range tools {
		if strings.Trim(tool, nameLetters+"._-") == "" && tool != "" { // the name comes from a model's program
			names = append(names, tool)
		}
	}
	if p.Allows == "" || len(names) == 0 {
		return p.Rights
	}
	return strings.ReplaceAll(p.Allows, ToolsPlaceholder, strings.Join(names, ","))
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// GenericProgram is a program that is started with the same words for every turn.
func GenericProgram(words []string) Program {
	return Program{Name: "generic", Command: words, Tokens: Never}
}

// ShowsCalls reports whether its output shows the tool calls of the agent.
func (p *Program) ShowsCalls() bool { return p.Name != "generic" }

// Resumes reports whether the program can continue a conversation.
func (p *Program) Resumes() bool { return p.Resume != nil }

// CanResume reports whether the id of a conversation may be an argument of the program. It comes from a model's
// program, and must not be taken for a flag.
func (p *Program) CanResume(id string) bool {
	return p.Resumes() && id != "" && len(id) <= 128 && strings.Contains(nameLetters, id[:1]) && strings.Trim(id, nameLetters+"._-") == ""
}

// AskSubAgents returns the command line that asks what the sub-agents of a conversation have used; nil if that cannot be asked.
func (p *Program) AskSubAgents(conversation string) (argv []string) {
	if p.SubAgents == nil || !p.CanResume(conversation) {
		return nil
	}
	return append(p.Command[:1:1], p.SubAgents.Ask(conversation)...)
}

// TakesConversationID reports whether a conversation that begins gets an id from whoever starts the program: it takes one, and the words of the user
// neither give one nor continue another conversation.
func (p *Program) TakesConversationID(words []string) bool {
	return p.Begins != nil && !slices.ContainsFunc(words, func(word string) bool {
		flag, _, _ := strings.Cut(word, "=")
		return flag == p.Begins[0] || flag == p.Resume[0] || flag == "-r" || flag == "--continue" || flag == "--connect"
	})
}

// TurnArgs returns the arguments and the standard input of a turn. The words of the user are passed on unchanged;
// an empty conversation begins one.
func (p *Program) TurnArgs(words []string, conversation, prompt string) (argv []string, input string) {
	if p.Name == "generic" {
		return p.generic(prompt)
	}
	argv = slices.Concat(p.Command, words)
	if conversation != "" && p.Resumes() {
		argv = append(append(argv, p.Resume...), conversation)
	}
	switch p.Prompt {
	case "":
		return append(argv, p.Ends...), prompt
	case PromptPlaceholder:
		return append(append(argv, p.Ends...), prompt), ""
	}
	return append(argv, p.Prompt+"="+prompt), ""
}

func (p *Program) generic(prompt string) (argv []string, input string) {
	argv, input = slices.Clone(p.Command), prompt
	for i, word := range argv {
		if i > 0 && strings.Contains(word, PromptPlaceholder) {
			argv[i], input = strings.ReplaceAll(word, PromptPlaceholder, prompt), ""
		}
	}
	return argv, input
}
