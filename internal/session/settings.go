package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Set saves a user's setting for this session, and reports whether it changed.
func (d *Document) Set(key, value string) bool { return set(&d.Settings, key, value) }

// Unset forgets a choice, and reports whether there was one.
func (d *Document) Unset(key string) bool { return unset(d.Settings, key) }

// Settable is a document of settings.
type Settable interface {
	Set(key, value string) bool
	Unset(key string) bool
	ChooseGate(gate string, now todo.Time) bool
}

// SetByPerson saves what a person sets, and reports whether it changed. Of a gate it is recorded too that a person chose it.
func SetByPerson(s Settable, key, value string, now todo.Time) bool {
	changed := s.Set(key, value)
	return key == "gate" && s.ChooseGate(value, now) || changed
}

// UnsetByPerson forgets what a person has set, and reports whether there was something.
func UnsetByPerson(s Settable, key string, now todo.Time) bool {
	changed := s.Unset(key)
	if changed && key == "gate" {
		s.ChooseGate("", now)
	}
	return changed
}

func set(settings *map[string]string, key, value string) bool {
	if (*settings)[key] == value {
		return false
	}
	if *settings == nil {
		*settings = map[string]string{}
	}
	(*settings)[key] = value
	return true
}

func unset(settings map[string]string, key string) bool {
	_, was := settings[key]
	delete(settings, key)
	return was
}

// ChosenGate is what a person last chose as the gate, with `onward set gate` or `onward unset gate`: an agent may do neither. A run
// obeys such a choice, and no other change of its gate.
type ChosenGate struct {
	Gate    string // as it was typed; empty is unset
	At      todo.Time
	Unknown jsontext.Value
}

// Fields lists the members of a choice.
func (c *ChosenGate) Fields(f *object.Fields) {
	object.Text(f, "gate", &c.Gate)
	object.Time(f, "at", &c.At)
	f.Unknown(&c.Unknown)
}

// ChosenGates returns what a person last chose as the gate of lists and of their project. Each of the documents may be nil.
func ChosenGates(project *ProjectSettings, lists ...*Document) (chosen []*ChosenGate) {
	for _, doc := range lists {
		if doc != nil && doc.ChosenGate != nil {
			chosen = append(chosen, doc.ChosenGate)
		}
	}
	if project != nil && project.ChosenGate != nil {
		chosen = append(chosen, project.ChosenGate)
	}
	return chosen
}

// ChooseGate records that a person chose this session's gate, and reports whether that is news.
func (d *Document) ChooseGate(gate string, now todo.Time) bool {
	return choose(&d.ChosenGate, gate, now)
}

// ChooseGate records that a person chose the project's gate, and reports whether that is news.
func (p *ProjectSettings) ChooseGate(gate string, now todo.Time) bool {
	return choose(&p.ChosenGate, gate, now)
}

func choose(last **ChosenGate, gate string, now todo.Time) bool {
	if c := *last; c != nil && c.Gate == gate {
		c.At = now // in case the setting itself changed, which is saved
		return false
	}
	*last = &ChosenGate{Gate: gate, At: now}
	return true
}
