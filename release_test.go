package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReleaseReportsItsVersion builds with the linker's flags of the release. The linker reports nothing
// of a variable that there is not.
func TestReleaseReportsItsVersion(t *testing.T) {
	t.Parallel()
	release, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`ldflags: \["(.*)"\]`).FindStringSubmatch(string(release))
	if found == nil {
		t.Fatal("the release has no flags for the linker")
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	flags := strings.NewReplacer("{{ .Version }}", "1.2.3", "{{ .FullCommit }}", revision).Replace(found[1])
	program := filepath.Join(t.TempDir(), "onward")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, "--version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Version, Revision string }
	if err := json.Unmarshal(out, &got); err != nil || got.Version != "1.2.3" || got.Revision != revision {
		t.Errorf("the release says %s, %v", out, err)
	}
}
