package continuation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrSetting marks a setting that does not exist or has a value out of its range.
var ErrSetting = errors.New("bad setting")

// Settings are the knobs of a decision, resolved.
type Settings struct {
	Enabled       bool
	Yolo          bool
	MaxAttempts   int
	MaxStagnation int
	MaxTotal      int
	Countdown     time.Duration
	Grace         time.Duration
	Cooldown      time.Duration
	Subagents     bool
	PlanAgents    []string
	MaxDuration   time.Duration // 0 is no limit
	MaxUSD        float64       // 0 is no limit
	MaxTokens     int64         // 0 is no limit
	Style         string        // cli or tool
	TemplateFile  string        // of the prompt's text; empty is the built-in one
	Template      Template      // what the file contains, once it is read
	StaleAfter    time.Duration
	Gate          string // a shell command that must pass before a finished list is done; empty is none
	GateFrom      string // the place where it was found
	GateTimeout   time.Duration
	MaxGate       int
}

// Setting describes one key for `set`, `get` and the configuration file.
type Setting struct {
	Key     string
	Default string
	Allowed string // in words, for errors and help
	Help    string
	read    func(*Settings, string) bool // false: the value is out of range
}

// untouched returns the settings that nobody has changed: what the defaults of the table come to, without reading them.
func untouched() Settings {
	return Settings{
		Enabled: true, MaxAttempts: 3, MaxStagnation: 3, MaxTotal: 20,
		Countdown: Auto, Grace: 500 * time.Millisecond, Subagents: true,
		PlanAgents: []string{"plan", "planner", "prometheus", "compaction"}, Style: "cli", StaleAfter: 2 * time.Hour,
		GateTimeout: 10 * time.Minute, MaxGate: 3,
	}
}

// Table lists every setting. It is a function, so that nothing is built in a program that reads none.
func Table() []Setting {
	return []Setting{
		{"todo-continuation", "true", "true or false", "send the agent on at all", boolean(func(s *Settings) *bool { return &s.Enabled })},
		{"yolo", "false", "true or false", "the stronger wording of the prompt", boolean(func(s *Settings) *bool { return &s.Yolo })},
		{"max-attempts", "3", "1 to 100", "continuation prompts in a row without work", number(func(s *Settings) *int { return &s.MaxAttempts }, 1, 100)},
		{"max-stagnation", "3", "1 to 100", "continuations without a forward move of any item; 5 more while tools run", number(func(s *Settings) *int { return &s.MaxStagnation }, 1, 100)},
		{"max-total", "20", "1 to 1000", "continuations for one user prompt; five times as many for one list", number(func(s *Settings) *int { return &s.MaxTotal }, 1, 1000)},
		{"countdown", "auto", "auto, or 0s to 1h", "time to step in before a continuation; auto is 2s on a terminal, else 0s", countdown},
		{"grace", "500ms", "0s to 1m", "how long after its start a user's message does not cancel the countdown", span(func(s *Settings) *time.Duration { return &s.Grace }, time.Minute)},
		{"cooldown", "0s", "0s to 24h", "least time between two continuations", span(func(s *Settings) *time.Duration { return &s.Cooldown }, 24*time.Hour)},
		{"subagents", "true", "true or false", "send sub-agents on too", boolean(func(s *Settings) *bool { return &s.Subagents })},
		{"plan-agents", "plan,planner,prometheus,compaction", "names, separated by commas", "modes in which an agent is not to work", words(func(s *Settings) *[]string { return &s.PlanAgents })},
		{"max-duration", "0s", "0s (no limit) to 10000h", "time since the user's prompt", span(func(s *Settings) *time.Duration { return &s.MaxDuration }, 10000*time.Hour)},
		{"max-usd", "0", "0 (no limit) or more", "money spent, as the caller reports it", money(func(s *Settings) *float64 { return &s.MaxUSD })},
		{"max-tokens", "0", "0 (no limit) or more", "tokens spent, as the caller reports them", count(func(s *Settings) *int64 { return &s.MaxTokens })},
		{"prompt-style", "cli", "cli or tool", "how the prompt names the ways out: as commands, or as the todo_pause tool", style},
		{"prompt-template", "none", "none, or the path of a file", "the prompt's text, from a file with {task}, {status}, {list} or {prompt}", template},
		{"stale-after", "2h", "1m to 8760h", "how long a list or an owner counts as live without a sign", stale},
		{"gate", "none", "none, or a shell command on one line", "a command that must pass before a finished list counts as done", gateCommand},
		{"gate-timeout", "10m", "more than 0s, to 24h", "how long the gate may run", gateTimeout},
		{"max-gate", "3", "1 to 100", "failures of the gate in a row without work", number(func(s *Settings) *int { return &s.MaxGate }, 1, 100)},
	}
}

// Auto is the value of countdown that asks for the default of the place.
const Auto = time.Duration(-1)

// Source looks a setting up in one place; where names the place, for errors.
type Source struct {
	Where string
	Get   func(key string) (string, bool)
	Name  func(key string) string // how the place spells a key; nil where its own name is enough
}

// Effective is a setting as it is in force.
type Effective struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Where string `json:"from"` // the place where it was found
}

// ResolveAll finds every setting in the first source that has it, else its default.
func ResolveAll(sources ...Source) ([]Effective, error) {
	var s Settings
	return resolve(&s, sources)
}

// Resolve reads every setting.
func Resolve(sources ...Source) (Settings, error) {
	var s Settings
	_, err := resolve(&s, sources)
	return s, err
}

func resolve(s *Settings, sources []Source) ([]Effective, error) {
	*s = untouched()
	table := Table()
	out := make([]Effective, len(table))
	for i, k := range table {
		out[i] = Effective{Key: k.Key, Value: k.Default, Where: "default"}
		for _, src := range sources {
			v, ok := src.Get(k.Key)
			if !ok {
				continue
			}
			if !k.read(s, v) {
				where := src.Where
				if src.Name != nil {
					where = src.Name(k.Key)
				}
				return nil, fmt.Errorf("%s: %w", where, k.refuse(v))
			}
			out[i].Value, out[i].Where = v, src.Where
			if k.Key == "gate" {
				s.GateFrom = src.Where
			}
			break
		}
	}
	return out, nil
}

// CheckSetting refuses a key that does not exist and a value that it cannot have.
func CheckSetting(key, value string) error {
	k, err := Find(key)
	if err != nil {
		return err
	}
	var s Settings
	if !k.read(&s, value) {
		return k.refuse(value)
	}
	return nil
}

// Find returns the setting of a key.
func Find(key string) (Setting, error) {
	for _, k := range Table() {
		if k.Key == key {
			return k, nil
		}
	}
	return Setting{}, fmt.Errorf("%w: unknown key %q", ErrSetting, key)
}

func (k Setting) refuse(value string) error {
	return fmt.Errorf("%w: %s cannot be %q: allowed is %s", ErrSetting, k.Key, value, k.Allowed)
}

// ParseDuration reads 90s, 5m, 1h30m or a plain number of seconds.
func ParseDuration(s string) (time.Duration, error) {
	unit := ""
	if strings.Trim(s, "0123456789") == "" {
		unit = "s"
	}
	d, err := time.ParseDuration(s + unit)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%w: %q is not a duration such as 90s, 5m, 1h30m or a number of seconds", ErrSetting, s)
	}
	return d, nil
}

func boolean(field func(*Settings) *bool) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		*field(s) = v == "true"
		return v == "true" || v == "false"
	}
}

func number(field func(*Settings) *int, low, high int) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		n, err := strconv.Atoi(v)
		*field(s) = n
		return err == nil && low <= n && n <= high
	}
}

func span(field func(*Settings) *time.Duration, high time.Duration) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		d, err := ParseDuration(v)
		*field(s) = d
		return err == nil && d <= high
	}
}

func countdown(s *Settings, v string) bool {
	if v == "auto" {
		s.Countdown = Auto
		return true
	}
	return span(func(s *Settings) *time.Duration { return &s.Countdown }, time.Hour)(s, v)
}

func stale(s *Settings, v string) bool {
	return span(func(s *Settings) *time.Duration { return &s.StaleAfter }, 8760*time.Hour)(s, v) && s.StaleAfter >= time.Minute
}

// maxGateCommand is how many bytes the command of a gate may have.
const maxGateCommand = 4096

func gateCommand(s *Settings, v string) bool {
	if s.Gate = strings.TrimSpace(v); s.Gate == "none" {
		s.Gate = ""
	}
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(v) && len(v) <= maxGateCommand && !strings.ContainsFunc(v, control)
}

func gateTimeout(s *Settings, v string) bool {
	return span(func(s *Settings) *time.Duration { return &s.GateTimeout }, 24*time.Hour)(s, v) && s.GateTimeout > 0
}

func words(field func(*Settings) *[]string) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		names := strings.Split(strings.ToLower(v), ",")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		*field(s) = names
		return utf8.ValidString(v) && len(v) <= maxName
	}
}

func money(field func(*Settings) *float64) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		n, err := strconv.ParseFloat(v, 64)
		*field(s) = n
		return err == nil && n >= 0 && n < 1e12
	}
}

func count(field func(*Settings) *int64) func(*Settings, string) bool {
	return func(s *Settings, v string) bool {
		n, err := strconv.ParseInt(v, 10, 64)
		*field(s) = n
		return err == nil && n >= 0
	}
}

func style(s *Settings, v string) bool {
	s.Style = v
	return v == "cli" || v == "tool"
}

func template(s *Settings, v string) bool {
	if s.TemplateFile = v; v == "none" {
		s.TemplateFile = ""
	}
	return v != "" && utf8.ValidString(v) && len(v) <= maxName
}
