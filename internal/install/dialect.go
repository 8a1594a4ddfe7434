package install

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"

	"onward/internal/agents/settings"
)

// checkDialect returns an error, with its place, for syntax that our parser accepts and the agent does not.
func checkDialect(reads settings.JSONDialect, data []byte) error {
	text, marked := bytes.CutPrefix(data, []byte(bom))
	if marked && !reads.Mark {
		return fmt.Errorf("%w: it begins with a byte order mark, which the agent does not read", ErrParse)
	}
	// In the standard form, spaces replace comments and commas.
	standard, err := hujson.Standardize(slices.Clone(text))
	if err != nil {
		return nil // the parser's message is more precise
	}
	for i := 0; i < len(text); i++ {
		end, what, allowed := "", "a comment", reads.Comments
		switch {
		case text[i] == standard[i]:
			continue
		case text[i] == ',':
			what, allowed = "a comma after the last member", reads.Commas
		case text[i+1] == '/':
			end = "\n"
		default:
			end = "*/"
		}
		if !allowed {
			return fmt.Errorf("%w: line %d has %s, which the agent does not read", ErrParse, bytes.Count(text[:i], []byte("\n"))+1, what)
		}
		if end != "" {
			_, rest, _ := bytes.Cut(text[i:], []byte(end))
			i = len(text) - len(rest) - 1
		}
	}
	return nil
}
