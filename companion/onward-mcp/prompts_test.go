package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (b *bench) prompt(name string, args map[string]string) (string, error) {
	b.t.Helper()
	r, err := b.client.GetPrompt(b.t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	if len(r.Messages) != 1 || r.Messages[0].Role != "user" {
		b.t.Fatalf("%s: %+v", name, r.Messages)
	}
	return r.Messages[0].Content.(*mcp.TextContent).Text, nil
}

func TestPrompts(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		list, err := b.client.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range list.Prompts {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != "add clear continue list show" {
			t.Errorf("the prompts are %s", got)
		}
		for _, c := range []struct {
			name string
			args map[string]string
			want string // a part of the text, or of the error if it starts with an exclamation mark
		}{
			{"show", nil, "no list"},
			{"continue", nil, "no list"},
			{"add", nil, "!text is empty"},
			{"add", map[string]string{"text": " "}, "!text is empty"},
			{"add", map[string]string{"text": "-q don't \"stop\" \\ here"}, `-q don't "stop" \ here`},
			{"add", map[string]string{"text": "2 fix"}, "2 fix"},
			{"show", nil, `1  ⭕  -q don't "stop" \ here`},
			{"list", nil, "2 pending"},
			{"continue", nil, "TODO CONTINUATION"},
			{"clear", nil, "!confirm"},
			{"clear", map[string]string{"confirm": "no"}, "!confirm"},
			{"clear", map[string]string{"confirm": "Yes"}, "cleared the list"},
			{"clear", nil, "nothing changed"},
			{"approve", nil, "!unknown prompt"},
			{"show; rm -rf /", nil, "!unknown prompt"},
		} {
			text, err := b.prompt(c.name, c.args)
			if want, fails := strings.CutPrefix(c.want, "!"); fails {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s %v: %q, %v", c.name, c.args, text, err)
				}
			} else if err != nil || !strings.Contains(text, c.want) {
				t.Errorf("%s %v: %q, %v", c.name, c.args, text, err)
			}
		}
	})
}

// An item that the user adds through a prompt belongs to the user: it stays when the agent writes its own list.
func TestPromptedItemsBelongToUser(t *testing.T) {
	b := open(t, setting{})
	b.does(writeTool, todos("one"))
	if _, err := b.prompt("add", map[string]string{"text": "what I want"}); err != nil {
		t.Fatal(err)
	}
	if text := b.does(writeTool, todos("two")); !strings.Contains(text, "what I want") {
		t.Errorf("the list is\n%s", text)
	}
}
