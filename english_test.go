package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// habits are turns of phrase that read as translated, with what to write instead.
var habits = []struct{ pattern, instead string }{
	{`\b(is|are|be|been|being|was|were) (not |never |also )?continued\b`, `an agent continues or carries on; onward keeps it going or sends it back to work`},
	{`\bcontinues? (an|the|its|this) agents?\b`, `onward keeps the agent going, or sends it back to work`},
	{`\bsigns? of life\b`, `activity`},
	{`\bin the midst of\b`, `in the middle of, or during`},
	{`\bwho needs you\b`, `those that need you`},
	{`\b(which|what) (is|are|was) no ([a-km-z]|l[a-np-z])`, `"that is not a …"`},
	{`[^e] is no (file|folder|session|list|item|setting|call|rule|number|position|command|tool|agent|program|object|array|name|path|id|whole|absolute|valid|regular|boolean|text|document)\b`, `"is not a …"`},
	{`\bas without\b`, `say what would happen: "as it would without the hook"`},
	{`\b(as|was|were|is|are) told\b`, `reported, said or given`},
	{`\bis sound\b`, `is intact`},
	{`\bupside down\b`, `"runs backwards"`},
	{`\b(start|begin)s? afresh\b|[a-z,] anew\b`, `"are reset", "again" or "from the beginning"`},
	{`\bbeside (the|it|its|an?|them|this|onward|main|config)\b|\b(stands?|found|looked for|program|file|folder) beside\b`, `"next to"`},
	{`\bnot told\b|\btells? (a |the )?\w+ of (it|them|this)\b|\bnothing tells\b`, `"not reported", "says", "shows"`},
	{`\bthe one of\b|\bthose of --|\bthe one that is of\b`, `"the one that … names", or repeat the noun`},
	{`\b(agent's )?shell (it|that) is \d\d\b`, `"ends with 77"`},
	{`\bhost (refuse[sd]|limits the rate)\b`, `"the agent could not log in", "is rate-limited"`},
	{`\bvouch(es)? for\b`, `say what the user trusts`},
	{`\bfor a piece of\b|\bnor (is|are|one) `, `the rule first, then the exception in a sentence of its own`},
	{`\bof whom\b|\bwhereof\b|\btherein\b|\bthereof\b|\bhence\b`, `a sentence of its own`},
	{`\b(make|has|have) no right\b|\bgives? (it|them|you) no right\b`, `"grants nothing"`},
	{`\bhold(s|ing)? (\w+ ){0,2}against\b`, `"compare", "check", "validate"`},
	{`\bis to stand\b|\bas it stands\b|\bstand(s)? (twice|in the way of being)\b`, `"as it is"`},
	{`\ban answer of yes\b`, `what was answered: "continue"`},
	{`\bbegins? (a (new )?(list|run|turn)|again)\b`, `"start"`},
	{`\bor was faster\b`, `"got there first"`},
	{`[^e] (is|are|was|were) no (argument|arguments|change|colour|duration|error|fact|JSON|object|objects|reason|sign|state)\b`, `"is not a …"`},
	{`\b(again|returns?|judged|ends (it|them|this)) at once\b`, `"immediately", or "now"`},
	{`\bstands? (behind|before|between|under)\b|\bstood deeper\b`, `"follows", "comes before", "is between"`},
	{`\bAI paused\b`, `"paused: REASON"`},
	{`\bbrings the good state\b|\bno message waits\b|\bno such change\b`, `"restores it", "the queue is empty", "nothing to undo"`},
	{`\bgate (of item \S+ )?(that )?proves nothing\b|\bno result tells\b`, `"the gate has no result", "does not show its result"`},
	{`\bwhile something is open\b`, `"while an item is open"`},
	{`\bneeds? beside\b|\bFacts that only the caller knows\b`, `"besides"; "what only the caller can know"`},
}

// The documentation, the help, the messages, and the comments of exported names are plain English.
func TestEnglish(t *testing.T) {
	texts := prose(t)
	for _, h := range habits {
		pattern := regexp.MustCompile(`(?i)` + h.pattern)
		for file, text := range texts {
			for _, at := range pattern.FindAllStringIndex(text, -1) {
				from, to := max(0, at[0]-40), min(len(text), at[1]+40)
				t.Errorf("%s: %q: write %s", file, strings.Join(strings.Fields(text[from:to]), " "), h.instead)
			}
		}
	}
}

// prose returns the text of each file that people or models read.
func prose(t *testing.T) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name == "testdata" || path == "test" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".md") && name != "CHANGELOG.md":
			text, err := os.ReadFile(path)
			out[path] = string(text)
			return err
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			text, err := read(path)
			out[path] = text
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// read returns the texts of a Go file, and the comments of its exported names.
func read(path string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				b.WriteString(n.Value + "\n")
			}
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				b.WriteString(n.Doc.Text())
			}
		case *ast.GenDecl:
			for _, s := range n.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					b.WriteString(n.Doc.Text() + s.Doc.Text())
				}
			}
		}
		return true
	})
	return b.String(), nil
}
