package session

import (
	"fmt"
	"strings"

	"onward/internal/store"
	"onward/internal/todo"
)

const (
	maxSession = 128
	maxAgent   = 64

	alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" // an id begins with one
	inside       = alphanumeric + "._-"
)

// CheckName refuses ids that could leave the store or collide in it.
func CheckName(n Name) error {
	if err := checkID("session", n.Session, maxSession); err != nil {
		return err
	}
	if n.Agent == "" {
		return nil
	}
	return checkID("agent", n.Agent, maxAgent)
}

// ParseName parses the output of String: a session, or a session and a sub-agent with a plus between.
func ParseName(text string) (Name, error) {
	var n Name
	var sub bool
	n.Session, n.Agent, sub = strings.Cut(text, "+")
	if sub && n.Agent == "" {
		return n, fmt.Errorf("%w: agent %q is empty", store.ErrInvalidName, text)
	}
	return n, CheckName(n)
}

func checkID(what, id string, limit int) error {
	bad := func(why string) error {
		return fmt.Errorf("%w: %w", store.ErrInvalidName, &todo.UnknownWordError{Text: fmt.Sprintf("%s %q %s", what, id, why), Word: id, Known: []string{cleanID(id, limit)}})
	}
	switch {
	case id == "":
		return bad("is empty")
	case len(id) > limit:
		return bad(fmt.Sprintf("has %d characters, at most %d are allowed", len(id), limit))
	case strings.HasSuffix(id, "."):
		return bad("ends with a dot")
	case strings.Trim(id, inside) != "" || !strings.Contains(alphanumeric, id[:1]):
		return bad("contains something other than letters, digits, dot, underscore and dash, or does not begin with a letter or digit")
	case deviceName(id):
		return bad("is a device name on Windows")
	}
	return nil
}

// cleanID makes an id from any text: characters that an id may not contain become dashes.
func cleanID(s string, limit int) string {
	b := []byte(s)
	for i, c := range b {
		if strings.IndexByte(inside, c) < 0 {
			b[i] = '-'
		}
	}
	id := strings.TrimLeft(string(b), "._-")
	if len(id) > limit {
		id = id[:limit]
	}
	id = strings.TrimRight(id, ".-")
	if id == "" {
		return "x"
	}
	if deviceName(id) {
		id = strings.TrimRight(("x-" + id)[:min(limit, len(id)+2)], ".-")
	}
	return id
}

// deviceName reports the names that Windows reserves for devices, with any ending.
func deviceName(id string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(id), ".")
	switch base {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "COM") || strings.HasPrefix(base, "LPT")) && '0' <= base[3] && base[3] <= '9'
}
