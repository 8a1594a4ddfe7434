package find

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// Config has the settings of the configuration file, or the error of reading it.
type Config struct {
	Values map[string]string
	err    error

	projects map[string]map[string]string // the settings of the projects that were read so far; nil if they are not remembered
}

// ReadConfig reads the configuration file once, for a command that resolves the settings of many sessions.
func ReadConfig() *Config {
	values, err := ConfigValues()
	return &Config{Values: values, err: err}
}

// WithGateOf returns the configuration with the gate of a later reading, for a run: what its agent has written into the file since counts for
// nothing else, and that it has another gate is the run's to judge. A file that cannot be read any more is an error as before.
func (c *Config) WithGateOf(later *Config) *Config {
	if c == nil || c.err != nil || later.err != nil {
		return later
	}
	values := maps.Clone(c.Values)
	delete(values, "gate")
	if gate, is := later.Values["gate"]; is {
		values["gate"] = gate
	}
	return &Config{Values: values}
}

// Caching makes it read the settings of each project only once, for a command about many sessions.
func (c *Config) Caching() *Config {
	c.projects = map[string]map[string]string{}
	return c
}

// Settings resolves every setting: flag, session, project, environment, configuration file, default.
// The session's own are in its documents: a sub-agent's list first, then the main one. A missing one is nil.
func (c *Config) Settings(flags, project map[string]string, docs ...*session.Document) (continuation.Settings, error) {
	set, _, err := c.Resolve(flags, project, docs...)
	if err == nil && set.TemplateFile != "" {
		set.Template, err = readTemplate(set.TemplateFile)
	}
	if _, said := flags["gate"]; len(docs) > 0 && !said && !set.GateAppliesTo(docs[0]) {
		set.Gate = ""
	}
	return set, err
}

// readTemplate reads the user's own text of the prompt.
func readTemplate(path string) (t continuation.Template, err error) {
	var text []byte
	if !filepath.IsAbs(path) {
		err = errors.New("it is not an absolute path")
	} else if text, err = durable.ReadForeign(path, MaxConfig); errors.Is(err, fs.ErrNotExist) {
		err = errors.New("no such file")
	}
	if err == nil {
		t, err = continuation.ParseTemplate(string(text))
	}
	if err != nil {
		err = cli.Failf(cli.ExitConfig, "read prompt template %q: %v", path, err)
	}
	return t, err
}

// Resolve looks for each setting in all places where it can be, in the order of precedence. It also returns every
// setting as text, with the place where it was found.
func (c *Config) Resolve(flags, project map[string]string, docs ...*session.Document) (set continuation.Settings, all []continuation.Effective, err error) {
	if c.err != nil {
		return set, nil, c.err
	}
	sources := []continuation.Source{{Where: continuation.FromFlag, Name: flagOf, Get: lookupIn(flags)}}
	for _, doc := range docs {
		if doc != nil {
			sources = append(sources, continuation.Source{Where: continuation.FromSession, Get: lookupIn(settingsOf(doc))})
		}
	}
	environment := func(key string) (string, bool) {
		v := os.Getenv(SettingVariable(key))
		return v, v != ""
	}
	return continuation.Resolve(append(
		sources,
		continuation.Source{Where: continuation.FromProject, Get: lookupIn(project)},
		continuation.Source{Where: continuation.FromEnvironment, Name: SettingVariable, Get: environment},
		continuation.Source{Where: "configuration", Get: lookupIn(c.Values)},
	)...)
}

// SettingsProject returns the project whose settings a command changes; nil if it changes those of a session: one that --session
// names, a sub-agent's, or in a store that machines share, that of a project without a name there.
func (f *Finder) SettingsProject(t List) (*session.Project, error) {
	if f.Session != nil || t.Name.Agent != "" {
		return nil, nil
	}
	project, err := t.CurrentProject()
	if err != nil || t.Store.SettingsName(project) == "" {
		return nil, err
	}
	return &project, nil
}

// settingsOf returns the settings of a list. Of another user's list only the gate counts, which needs trust of its own: the rest
// would let that user speak to this one's agent, or keep it going.
func settingsOf(doc *session.Document) map[string]string {
	gate, set := doc.Settings["gate"]
	switch {
	case !doc.IsUntrusted():
		return doc.Settings
	case set:
		return map[string]string{"gate": gate}
	}
	return nil
}

// flagOf names the flag of a setting.
func flagOf(key string) string { return "--" + key }

// SettingVariable names the environment variable of a setting.
func SettingVariable(key string) string {
	name := []byte("ONWARD_" + key)
	for i, c := range name {
		switch {
		case c == '-':
			name[i] = '_'
		case 'a' <= c && c <= 'z':
			name[i] = c - 'a' + 'A'
		}
	}
	return string(name)
}

func lookupIn(values map[string]string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		v, ok := values[key]
		return v, ok
	}
}

// MaxConfig is how large a file of the user's configuration may be, in bytes.
const MaxConfig = 4 << 20

// ConfigDir is where the user's own files are.
func ConfigDir() string { return filepath.Join(xdg.ConfigHome, "onward") }

// ConfigPath is where the user's own defaults are.
func ConfigPath() string { return filepath.Join(ConfigDir(), "config.json") }

// RulesPath is where the user's own rules are.
func RulesPath() string { return filepath.Join(ConfigDir(), "policy.json") }

// ConfigStore returns the backend of the user's own files, which waits this long for another writer.
func ConfigStore(wait time.Duration) *durable.Store {
	return &durable.Store{Dir: ConfigDir(), Wait: wait}
}

const configHint = "correct the file, or remove it: without it the defaults apply"

// ConfigValues reads the configuration file; a missing one is empty.
// An unknown key is an error, because a misspelt one would silently have no effect.
func ConfigValues() (map[string]string, error) {
	path := ConfigPath()
	data, err := durable.ReadForeign(path, MaxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	bad := func(format string, args ...any) error {
		return cli.WithHint(cli.Failf(cli.ExitConfig, "read configuration %s: %s", path, fmt.Sprintf(format, args...)), configHint)
	}
	if err != nil {
		return nil, bad("%v", err)
	}
	var raw map[string]jsontext.Value
	if kind := jsontext.Value(data).Kind(); kind != '{' && kind != jsontext.KindInvalid {
		return nil, bad("it is not a JSON object")
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, bad("%v", todo.DescribeJSONError(data, err))
	}
	values := make(map[string]string, len(raw))
	for key, v := range raw {
		text := string(v)
		switch v.Kind() {
		case '"':
			if err := json.Unmarshal(v, &text); err != nil {
				return nil, bad("%s: %v", key, err)
			}
		case '[', '{':
			return nil, bad("the value of %q is not a text, number or boolean", key)
		}
		if _, err := continuation.FindSetting(key); err != nil {
			return nil, cli.SuggestNames(bad("%v", err), key, settingKeys(), configHint)
		}
		if _, err := continuation.CheckSetting(key, text); err != nil {
			return nil, bad("%v", err)
		}
		values[key] = text
	}
	return values, nil
}

// Absolute returns a path that is valid from every folder.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// settingKeys lists the names of all settings.
func settingKeys() []string {
	return render.Map(continuation.AllSettings(), func(_ int, s *continuation.Setting) string { return s.Key })
}
