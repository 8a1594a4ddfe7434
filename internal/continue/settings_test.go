package continuation

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/todo"
)

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		key       string
		good, bad []string
	}{
		{"todo-continuation", []string{"true", "False", "yes", "1"}, []string{"", "y", "2"}},
		{"yolo", []string{"true", "on", "off"}, []string{"", "onn"}},
		{"max-attempts", []string{"1", "100"}, []string{"", "0", "101", "-1", "1.5", "3x"}},
		{"max-stagnation", []string{"1", "100"}, []string{"0", "101"}},
		{"max-total", []string{"1", "1000"}, []string{"0", "1001"}},
		{"countdown", []string{"auto", "0", "2s", "1h"}, []string{"", "-1s", "61m", "soon"}},
		{"grace", []string{"0s", "500ms", "1m"}, []string{"61s", "x"}},
		{"cooldown", []string{"0", "90s", "24h"}, []string{"25h", "-1"}},
		{"subagents", []string{"true", "false", "yes", "ON", "0"}, []string{"maybe", ""}},
		{"plan-agents", []string{"plan", "a,b"}, nil},
		{"max-duration", []string{"0", "1h30m", "10000h"}, []string{"10001h", "1 h"}},
		{"max-usd", []string{"0", "2.5"}, []string{"-1", "NaN", "Inf", "$1", "1e12"}},
		{"max-tokens", []string{"0", "1000000"}, []string{"-1", "1.5", "1e6"}},
		{"prompt-style", []string{"cli", "tool"}, []string{"", "gui"}},
		{"prompt-template", []string{"none", "/home/me/prompt.txt"}, []string{"", "\xff"}},
		{"gate", []string{"none", "", "go test ./... && make lint", "true", "false", "off.sh"}, []string{"off", " OFF", "no", "disabled", "0", "a\nb", "\x00", "\xff", strings.Repeat("x", 4097)}},
		{"protect-files", []string{"none", "a, *.txt", ":(glob)**/x", ":(attr:text)x", ":!x", ":()x", ":(top,icase)x, y"}, []string{":(bogus)x", "a,:(top", ":(top,bogus)x", "a\nb", ",,"}},
		{"gate-timeout", []string{"1ms", "90s", "24h"}, []string{"", "0", "-1s", "25h"}},
		{"hook-timeout", []string{"100ms", "3s", "1m"}, []string{"", "0", "99ms", "61s"}},
		{"max-gate", []string{"1", "100"}, []string{"0", "101", ""}},
		{"stale-after", []string{"1m", "2h", "8760h"}, []string{"59s", "0", "8761h"}},
	} {
		for _, v := range c.good {
			if _, err := CheckSetting(c.key, v); err != nil {
				t.Errorf("%s %q: %v", c.key, v, err)
			}
		}
		for _, v := range c.bad {
			if _, err := CheckSetting(c.key, v); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "allowed:") {
				t.Errorf("%s %q: got %v", c.key, v, err)
			}
		}
	}
	if _, err := CheckSetting("max-duration", "8"); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "8 what? 8h, 8m or 8s") {
		t.Errorf("a duration without a unit: %v", err)
	}
	for key, want := range map[string]string{"countdown 10": "10s", "stale-after 10": "10h", "gate-timeout 5": "5m", "grace 100": "500ms", "max-duration 8": "8h"} {
		key, value, _ := strings.Cut(key, " ")
		var wrong *todo.UnknownWordError
		if _, err := CheckSetting(key, value); !errors.As(err, &wrong) || wrong.Known[0] != want {
			t.Errorf("%s %s: got %v, want the hint %s", key, value, wrong, want)
		}
	}
	if got, err := CheckSetting("yolo", "On"); got != "true" || err != nil {
		t.Errorf("yolo On is kept as %q, %v", got, err)
	}
	if _, err := CheckSetting("yollo", "true"); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), `"yollo"`) {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestFirstSourceWins(t *testing.T) {
	source := func(where string, values map[string]string) Source {
		return Source{Where: where, Get: func(key string) (string, bool) { v, ok := values[key]; return v, ok }}
	}
	set, _, err := Resolve(source("flag", map[string]string{"max-attempts": "7"}), source("session", map[string]string{"max-attempts": "8", "cooldown": "5"}))
	if err != nil || set.MaxAttempts != 7 || set.Cooldown != 5*time.Second || set.MaxTotal != 20 || set.Countdown != auto {
		t.Errorf("got %+v, %v", set, err)
	}
	if _, _, err := Resolve(source("the file x", map[string]string{"yolo": "maybe"})); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "the file x") {
		t.Errorf("got %v", err)
	}
}

// TestDefaultsAreValid checks that every default in the table is a valid value of its setting.
func TestDefaultsAreValid(t *testing.T) {
	for _, k := range AllSettings() {
		if !k.parse(new(Settings), k.Default) {
			t.Errorf("the default of %s is no value of it: %q", k.Key, k.Default)
		}
	}
}

func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		set  Settings
		want string
	}{
		{Settings{}, ""},
		{Settings{MaxUSD: 2.5}, "$2.5"},
		{Settings{MaxUSD: 5, MaxTokens: 1, MaxDuration: 8 * time.Hour}, "$5, 1 token, 8 h"},
	} {
		if got := strings.Join(c.set.Budgets(), ", "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPathspecs(t *testing.T) {
	for value, want := range map[string][]string{
		"":                              nil,
		" , ":                           nil,
		"api, *.lock":                   {"api", "*.lock"},
		":(top,glob)**/a b, c":          {":(top,glob)**/a b", "c"},
		"c,:(top,icase)x,:(literal)a(b": {"c", ":(top,icase)x", ":(literal)a(b"},
		":(top,glob":                    {":(top", "glob"},
	} {
		if got := Pathspecs(value); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
