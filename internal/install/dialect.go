package install

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// dialect is what an agent reads in its JSON beside the standard.
type dialect struct {
	comments bool
	commas   bool // after the last member or element
	mark     bool // a byte order mark
}

// refuse returns what an agent does not read in a file that parses, and where it is.
func (reads dialect) refuse(data []byte) error {
	text, marked := bytes.CutPrefix(data, []byte(bom))
	if marked && !reads.mark {
		return fmt.Errorf("%w: it begins with a byte order mark, which the agent does not read", ErrParse)
	}
	// The standard form has spaces in the place of comments and commas.
	standard, err := hujson.Standardize(slices.Clone(text))
	if err != nil {
		return nil // the parser's message is more precise
	}
	for i := 0; i < len(text); i++ {
		end, what, allowed := "", "a comment", reads.comments
		switch {
		case text[i] == standard[i]:
			continue
		case text[i] == ',':
			what, allowed = "a comma after the last member", reads.commas
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
