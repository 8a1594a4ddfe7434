package find

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"onward/internal/cli"

	"github.com/adrg/xdg"
	"github.com/go-json-experiment/json"

	continuation "onward/internal/continue"
)

// FuzzConfig searches for a configuration file that is refused with a wrong exit code, or
// whose settings differ after the file was written again.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		`{"max-attempts":3,"yolo":true,"countdown":"1h30m"}`, `{"max-attempts":3,"max-attempts":4}`, `{"gate":"go test ./...","max-usd":1e999}`,
		`{"max-attempts":null}`, `{"yolo":[true]}`, `{"no-such":1}`, `{} {}`, "\xef\xbb\xbf{}", "[]", "{", "",
	} {
		f.Add([]byte(seed))
	}
	f.Setenv("XDG_CONFIG_HOME", f.TempDir())
	xdg.Reload()
	f.Cleanup(xdg.Reload)
	if err := os.MkdirAll(filepath.Dir(ConfigPath()), 0o700); err != nil {
		f.Fatal(err)
	}
	read := func(t *testing.T, data []byte) (map[string]string, error) {
		if err := os.WriteFile(ConfigPath(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		return ConfigValues()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := read(t, data)
		if err != nil {
			if code := (&cli.Failures{}).Code(err); code != cli.ExitConfig {
				t.Fatalf("exit %d: %v", code, err)
			}
			return
		}
		c := Config{Values: values}
		if _, _, err := c.Resolve(nil, nil); err != nil {
			t.Fatal(err)
		}
		if _, _, err := continuation.Resolve(continuation.Source{Where: "configuration", Get: func(key string) (string, bool) { v, ok := values[key]; return v, ok }}); err != nil {
			t.Fatalf("accepted and of no use: %v", err)
		}
		written, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		again, err := read(t, written)
		if err != nil || !maps.Equal(again, values) {
			t.Fatalf("%q, and then %q, %v", values, again, err)
		}
	})
}
