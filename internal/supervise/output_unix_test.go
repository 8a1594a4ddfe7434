//go:build unix

package supervise

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestOutput asks programs for what they print. What one that takes too long has started ends with it.
func TestOutput(t *testing.T) {
	for line, want := range map[string]string{
		"echo one; echo two; echo three >&2":                       "one\ntwo\n",
		"echo no >&2; exit 3":                                      "sh: exit status 3: no",
		"exit 3":                                                   "sh: exit status 3",
		"printf '1\\n\\n2\\n' >&2; kill -9 $$":                     "sh: signal: killed: 2",
		"sleep 600 & echo late; sleep 600":                         "sh: it ran longer than 1 s",
		"i=0; while [ $i -lt 99 ]; do echo many; i=$((i+1)); done": strings.Repeat("many\n", 20),
		"echo $" + RunVariable + " $OWN":                           "onward yes\n",
	} {
		got, err := Output(ShellArgs(line), append(os.Environ(), RunVariable+"=", "OWN=yes"), time.Second, 100)
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
