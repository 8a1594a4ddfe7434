package continuation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/todo"
	"onward/internal/truth"
)

// ErrSetting marks a setting that does not exist or has a value out of its range.
var ErrSetting = errors.New("bad setting")

// Settings are the knobs of a decision, resolved.
type Settings struct {
	Enabled       bool
	Yolo          bool
	YoloSet       bool // Yolo was set, so the mode of the agent's host does not decide it
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
	MaxTurn       TurnLimit
	Style         string   // cli or tool
	TemplateFile  string   // of the prompt's text; empty is the built-in one
	Template      Template // the content of the file, once it is read
	StaleAfter    time.Duration
	Gate          string // a shell command that must pass before a finished list is done; empty means no gate
	GateFrom      string // the place where it was found
	GateDir       string // the checkout in which it runs
	GateItem      string // the id of the item whose gate it is; empty is the list's
	GateKnown     bool   // a failure on the same files counts instead of another run, as a success does
	GateElsewhere string // the only place where it may run, if that is not here: a folder, or a repository
	GateTimeout   time.Duration
	MaxGate       int
	CheckFiles    string        // pathspecs of further files that decide whether the gate passes, separated by commas; empty is none
	ProtectFiles  string        // pathspecs of files that the agent of a run must not change, separated by commas; empty is none
	FirstGate     bool          // a run asks its gate before its first turn
	TreeTimeout   time.Duration // of git, for the state of a checkout
	HookTimeout   time.Duration // of a store past this machine, in a hook
	ClaimLease    time.Duration
	From          []Effective // every setting as text, with the place where it was found
}

// TurnLimit is a limit on one turn of a run, by its tool calls or by its time; its zero value is none.
type TurnLimit struct {
	Calls int
	Time  time.Duration
}

// String says what a turn may have.
func (l TurnLimit) String() string {
	if l.Time > 0 {
		return todo.SpanText(l.Time)
	}
	return todo.Plural(l.Calls, "tool call")
}

// Budgets says what a run may spend; it is empty if nothing limits it.
func (s *Settings) Budgets() (out []string) {
	if s.MaxUSD > 0 {
		out = append(out, fmt.Sprintf("$%g", s.MaxUSD))
	}
	if s.MaxTokens > 0 {
		out = append(out, todo.Plural(int(s.MaxTokens), "token"))
	}
	if s.MaxDuration > 0 {
		out = append(out, todo.SpanText(s.MaxDuration))
	}
	if s.MaxTurn != (TurnLimit{}) {
		out = append(out, s.MaxTurn.String()+" in a turn")
	}
	return out
}

// Setting describes one key for `set`, `get` and the configuration file.
type Setting struct {
	Key       string
	Default   string
	Allowed   string // in words, for errors and help
	Help      string
	field     func(*Settings) any // the field to set; its type determines how the value is parsed
	low, high int64               // of a number, or of a duration in nanoseconds
}

// table lists every setting.
var table = [...]Setting{
	{"todo-continuation", "true", "true or false", "whether to keep the agent going", func(s *Settings) any { return &s.Enabled }, 0, 0},
	{"yolo", "false", "true or false", "whether the prompt is worded more firmly; if not set, the agent's mode decides", func(s *Settings) any { return &s.Yolo }, 0, 0},
	{"max-attempts", "3", "1 to 100", "limit on continuations in a row without work", func(s *Settings) any { return &s.MaxAttempts }, 1, 100},
	{"max-stagnation", "3", "1 to 100", "limit on continuations without progress on any item; 5 more while tools run", func(s *Settings) any { return &s.MaxStagnation }, 1, 100},
	{"max-total", "20", "1 to 1000", "limit on continuations for one user prompt; five times as many for one list", func(s *Settings) any { return &s.MaxTotal }, 1, 1000},
	{"countdown", "auto", "auto, or 0s to 1h", "time for the user to step in before a continuation; auto is 2s for check-continue on a terminal and for a plugin that shows it, else 0s", func(s *Settings) any { return &s.Countdown }, 0, int64(time.Hour)},
	{"grace", "500ms", "0s to 1m", "time at the start of the countdown in which a user message does not cancel it", func(s *Settings) any { return &s.Grace }, 0, int64(time.Minute)},
	{"cooldown", "0s", "0s to 24h", "minimum time between two continuations", func(s *Settings) any { return &s.Cooldown }, 0, int64(24 * time.Hour)},
	{"subagents", "true", "true or false", "whether to keep sub-agents going too", func(s *Settings) any { return &s.Subagents }, 0, 0},
	{"plan-agents", "plan,planner,prometheus,compaction", "names, separated by commas", "modes in which an agent is not sent back to work", func(s *Settings) any { return &s.PlanAgents }, 0, 0},
	{"max-duration", "0s", "0s (no limit) to 10000h", "limit on the time since the user's prompt", func(s *Settings) any { return &s.MaxDuration }, 0, int64(10000 * time.Hour)},
	{"max-usd", "0", "0 (no limit) or more", "limit on the money spent, as the agent or the caller reports it", func(s *Settings) any { return &s.MaxUSD }, 0, 0},
	{"max-tokens", "0", "0 (no limit) or more", "limit on the tokens spent, as the agent or the caller reports them", func(s *Settings) any { return &s.MaxTokens }, 0, math.MaxInt64},
	{"max-turn", "0", "0 (no limit), 1 to 100000 tool calls, or a duration up to 1000h", "limit on the tool calls or the time of one turn of `onward run`", func(s *Settings) any { return &s.MaxTurn }, 1, 100_000},
	{"prompt-style", "cli", "cli or tool", "how the prompt tells the agent to pause: with commands, or with the todo_pause tool", func(s *Settings) any { return &s.Style }, 0, 0},
	{"prompt-template", "none", "none, or the path of a file", "a file with the prompt's text, which may use {task}, {status}, {list} and {prompt}", func(s *Settings) any { return &s.TemplateFile }, 0, 0},
	{"stale-after", "2h", "1m to 8760h", "how long an agent may be silent before its list is free for others", func(s *Settings) any { return &s.StaleAfter }, int64(time.Minute), int64(8760 * time.Hour)},
	{"claim-lease", "30m", "1s to 168h", "how long a worker holds an item that it claimed, unless it renews the claim", func(s *Settings) any { return &s.ClaimLease }, int64(time.Second), int64(168 * time.Hour)},
	{"gate", "none", "none, or a shell command on one line, of at most 4096 bytes", "a command that must pass before a finished list counts as done", func(s *Settings) any { return &s.Gate }, 0, 0},
	{"gate-timeout", "10m", "more than 0s, to 24h", "how long the gate may run", func(s *Settings) any { return &s.GateTimeout }, 1, int64(24 * time.Hour)},
	{"max-gate", "3", "1 to 100", "limit on failures of the gate in a row without work", func(s *Settings) any { return &s.MaxGate }, 1, 100},
	{"first-gate", "true", "true or false", "whether to run the gate before the first turn of `onward run` too", func(s *Settings) any { return &s.FirstGate }, 0, 0},
	{"check-files", "none", "none, or git pathspecs from the top of the checkout, separated by commas", "more files that count as checks, besides those with the usual names of tests; a run names the ones its agent changed", func(s *Settings) any { return &s.CheckFiles }, 0, 0},
	{"protect-files", "none", "none, or git pathspecs from the top of the checkout, separated by commas", "files that the agent of `onward run` must not change", func(s *Settings) any { return &s.ProtectFiles }, 0, 0},
	{"tree-timeout", "5s", "100ms to 10m", "how long git may take to read the state of a checkout; if it takes longer, earlier gate results are not used", func(s *Settings) any { return &s.TreeTimeout }, int64(100 * time.Millisecond), int64(10 * time.Minute)},
	{"hook-timeout", "3s", "100ms to 1m", "how long a hook waits for a shared store; cannot be set for a session", func(s *Settings) any { return &s.HookTimeout }, int64(100 * time.Millisecond), int64(time.Minute)},
}

// maxPromptTree is how long git may take for the state of a checkout where a user waits for the agent to begin, or for a run to end. Who
// lets git take long elsewhere has a slow disk, and lets it take a twentieth of that here.
const maxPromptTree = 300 * time.Millisecond

// WithShortTreeTimeout returns the settings for a question to git that somebody waits for.
func (s Settings) WithShortTreeTimeout() Settings {
	s.TreeTimeout = min(s.TreeTimeout, max(maxPromptTree, s.TreeTimeout/20))
	return s
}

// OfStore reports whether a setting is about the store itself, so that no session and no project can have it.
func (s *Setting) OfStore() bool { return s.Key == "hook-timeout" }

// AllSettings lists every setting.
func AllSettings() []Setting { return slices.Clone(table[:]) }

// auto is the value of countdown that asks for the default of the place.
const auto = time.Duration(-1)

// CountdownFor returns the countdown in a place where a user sees it, or not.
func (s *Settings) CountdownFor(user bool) time.Duration {
	switch {
	case s.Countdown != auto:
		return s.Countdown
	case user:
		return 2 * time.Second
	}
	return 0
}

// The places of settings that outlive no command: the command line of the one that asks, and its environment.
const (
	FromFlag        = "flag"
	FromEnvironment = "environment"
)

// The places of settings that are kept in the store. A gate from there is a command that somebody else may have written.
const (
	FromSession = "session"
	FromProject = "project"
	FromItem    = "item"
)

// Source looks up a setting in one place; where names the place, for errors.
type Source struct {
	Where string
	Get   func(key string) (string, bool)
	Name  func(key string) string // how the place spells a key; nil if errors and hints name the place only
}

// Effective is a setting as it is in force.
type Effective struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Where string `json:"from"` // the place where it was found
	Name  string `json:"-"`    // how that place spells the key; empty is the key itself
}

// Resolve finds every setting in the first source that has it, else its default.
// It returns them as they are read, and as text.
func Resolve(sources ...Source) (s Settings, all []Effective, err error) {
	all = make([]Effective, len(table))
	for i := range table {
		k := &table[i]
		all[i] = Effective{Key: k.Key, Value: k.Default, Where: "default"}
		k.parse(&s, k.Default)
		for _, src := range sources {
			v, ok := src.Get(k.Key)
			if !ok {
				continue
			}
			if src.Name != nil {
				all[i].Name = src.Name(k.Key)
			}
			if src.Where != FromSession && src.Where != FromProject { // older versions kept durations without a unit
				if err := k.checkTyped(v); err != nil {
					return s, nil, fmt.Errorf("%s: %w", cmp.Or(all[i].Name, src.Where), err)
				}
			}
			if !k.parse(&s, v) {
				return s, nil, fmt.Errorf("%s: %w", cmp.Or(all[i].Name, src.Where), k.refuse(v))
			}
			all[i].Value, all[i].Where = k.written(v), src.Where
			switch k.Key {
			case "gate":
				s.GateFrom = src.Where
			case "yolo":
				s.YoloSet = true
			}
			break
		}
	}
	s.From = all
	return s, all, nil
}

// CheckSetting refuses a key that does not exist and a value that it cannot have, and returns the value as it is kept.
func CheckSetting(key, value string) (string, error) {
	k, err := FindSetting(key)
	if err != nil {
		return "", err
	}
	var s Settings
	if err := k.checkTyped(value); err != nil {
		return "", err
	}
	if !k.parse(&s, value) {
		return "", k.refuse(value)
	}
	return k.written(value), nil
}

// checkTyped refuses what somebody types and can hardly mean, though it could be kept.
func (k *Setting) checkTyped(value string) error {
	if k.Key == "gate" && meansNoGate(value) {
		return k.refuse(value)
	}
	return k.checkUnit(value)
}

// meansNoGate reports whether a gate is a word that only removes one. true and false are programs, which a gate may be.
func meansNoGate(value string) bool {
	return slices.Contains([]string{"off", "no", "disable", "disabled", "0"}, strings.ToLower(strings.TrimSpace(value)))
}

// checkUnit refuses a duration without a unit, if somebody types it: 8 may be meant as seconds, minutes or hours.
func (k *Setting) checkUnit(value string) error {
	if _, is := k.field(&Settings{}).(*time.Duration); !is || !unitless(value) {
		return nil
	}
	likely := k.Example()
	for _, unit := range []string{likely[len(likely)-1:], "s", "m", "h"} { // as in the default, if the setting can have that
		if k.parse(&Settings{}, value+unit) {
			likely = value + unit
			break
		}
	}
	return fmt.Errorf("%w: %s: %w", ErrSetting, k.Key, noUnit(value, likely))
}

// noUnit is the error about a duration without a unit.
func noUnit(s, likely string) error {
	return &todo.UnknownWordError{Text: fmt.Sprintf("%s what? %[1]sh, %[1]sm or %[1]ss", s), Word: s, Known: []string{likely}}
}

// unitless reports whether a duration is a bare number, other than 0.
func unitless(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" && strings.Trim(s, "0") != ""
}

// written returns a value as it is kept and shown: older versions know true and false only.
func (k *Setting) written(value string) string {
	if _, is := k.field(&Settings{}).(*bool); is {
		on, _ := truth.Parse(value)
		return strconv.FormatBool(on)
	}
	return value
}

// FindSetting returns the setting of a key.
func FindSetting(key string) (Setting, error) {
	for _, k := range table {
		if k.Key == key {
			return k, nil
		}
	}
	return Setting{}, fmt.Errorf("%w: unknown key %q", ErrSetting, key)
}

// Example returns a value that the setting can have, for the user to type.
func (k Setting) Example() string {
	examples := map[string]string{
		"gate": "go test ./...", "prompt-template": "prompt.md", "max-tokens": "2000000", "max-usd": "5", "max-duration": "8h", "max-turn": "500",
		"check-files": "data, *.expected", "protect-files": "api, *.lock",
	}
	return cmp.Or(examples[k.Key], k.Default)
}

func (k Setting) refuse(value string) error {
	wrong := &todo.UnknownWordError{Text: fmt.Sprintf("%s cannot be %q (allowed: %s)", k.Key, value, k.Allowed), Word: value, Known: []string{k.Example()}}
	if k.Key == "gate" && meansNoGate(value) {
		wrong.Known = []string{k.Default}
	}
	for unit, zeros := range map[string]string{"k": "000", "m": "000000"} { // 2M is written out
		if n, found := strings.CutSuffix(strings.ToLower(value), unit); found && unitless(n) && k.parse(&Settings{}, n+zeros) {
			wrong.Known = []string{n + zeros}
		}
	}
	if hours := inHours(value); hours != "" && k.parse(&Settings{}, hours) {
		wrong.Known = []string{hours}
	}
	return fmt.Errorf("%w: %w", ErrSetting, wrong)
}

// TypedDuration is ParseDuration for what somebody types, with a unit.
func TypedDuration(s string) (time.Duration, error) {
	if unitless(s) {
		return 0, noUnit(s, s+"h")
	}
	d, err := ParseDuration(s)
	if err != nil {
		return 0, &todo.UnknownWordError{Text: fmt.Sprintf("%q is not a duration such as 90s, 5m or 1h30m", s), Word: s, Known: []string{cmp.Or(inHours(s), "30m")}}
	}
	return d, nil
}

// inHours returns a duration in days or weeks as one in hours; empty if it is none.
func inHours(s string) string {
	for unit, hours := range map[string]uint64{"d": 24, "w": 7 * 24} {
		number, found := strings.CutSuffix(s, unit)
		if n, err := strconv.ParseUint(number, 10, 16); found && err == nil {
			return fmt.Sprintf("%dh", n*hours)
		}
	}
	return ""
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

// MaxGateCommand limits the command of a gate, in bytes.
const MaxGateCommand = 4096

// parse reads a value into the settings; false: it is out of range.
func (k *Setting) parse(s *Settings, v string) bool {
	switch to := k.field(s).(type) {
	case *bool:
		on, ok := truth.Parse(v)
		*to = on
		return ok
	case *int:
		n, err := strconv.Atoi(v)
		*to = n
		return k.within(int64(n), err)
	case *int64:
		n, err := strconv.ParseInt(v, 10, 64)
		*to = n
		return k.within(n, err)
	case *time.Duration:
		if k.Key == "countdown" && v == "auto" {
			*to = auto
			return true
		}
		d, err := ParseDuration(v)
		*to = d
		return k.within(int64(d), err)
	case *TurnLimit:
		n, err := strconv.Atoi(v)
		if *to = (TurnLimit{Calls: n}); err == nil {
			return n == 0 || k.within(int64(n), nil)
		}
		d, err := TypedDuration(v)
		*to = TurnLimit{Time: d}
		return err == nil && d > 0 && d <= 1000*time.Hour
	case *float64:
		n, err := strconv.ParseFloat(v, 64)
		*to = n
		return err == nil && n >= 0 && n < 1e12
	case *[]string:
		names := strings.Split(strings.ToLower(v), ",")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		*to = names
		return utf8.ValidString(v) && len(v) <= maxName
	case *string:
		if *to = v; strings.TrimSpace(v) == "none" {
			*to = ""
		}
	}
	switch k.Key {
	case "prompt-style":
		return v == "cli" || v == "tool"
	case "prompt-template":
		return v != "" && utf8.ValidString(v) && len(v) <= maxName
	case "check-files", "protect-files":
		specs := Pathspecs(v)
		if len(specs) == 0 && v != "" || slices.ContainsFunc(specs, unknownMagic) {
			return false
		}
	}
	s.Gate = ParseGate(s.Gate)
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(v) && len(v) <= MaxGateCommand && !strings.ContainsFunc(v, control)
}

// Pathspecs returns the pathspecs of a setting. A comma ends a pathspec, but not among its words in parentheses, as in `:(top,glob)x`.
func Pathspecs(value string) (out []string) {
	for more := true; more; {
		value = strings.TrimSpace(value)
		end := 0
		if strings.HasPrefix(value, ":(") {
			end = max(0, strings.IndexByte(value, ')'))
		}
		words := value[:end]
		var path string
		path, value, more = strings.Cut(value[end:], ",")
		if spec := strings.TrimSpace(words + path); spec != "" {
			out = append(out, spec)
		}
	}
	return out
}

// unknownMagic reports whether a pathspec begins with words in parentheses of which git does not know one: it would refuse the pathspec
// once it looks at the files, and nothing would be checked or protected. The words are those of gitglossary(7).
func unknownMagic(pathspec string) bool {
	words, has := strings.CutPrefix(pathspec, ":(")
	if !has {
		return false
	}
	words, _, closed := strings.Cut(words, ")")
	return !closed || slices.ContainsFunc(strings.Split(words, ","), func(word string) bool {
		return !strings.HasPrefix(word, "attr:") && !slices.Contains([]string{"", "top", "literal", "icase", "glob", "exclude"}, word)
	})
}

// ParseGate returns the gate that a value of the setting means; empty if none.
func ParseGate(value string) string {
	if value = strings.TrimSpace(value); value == "none" {
		return ""
	}
	return value
}

func (k *Setting) within(n int64, err error) bool { return err == nil && k.low <= n && n <= k.high }
