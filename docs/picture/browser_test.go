package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// measure runs in the browser: it names each text of which fewer characters are drawn than it has,
// as happens where runs of spaces collapse, and then the columns with them.
const measure = `<script>
let texts = [...document.querySelectorAll("text")];
let lost = texts.filter(t => t.getNumberOfChars() < t.textContent.length).map(t => t.textContent);
document.title = "drawn " + texts.length + ", collapsed " + lost.length + ": " + lost.join(" / ");
</script>`

// TestBrowserKeepsColumns draws the picture of the README in the browser that ONWARD_BROWSER names.
func TestBrowserKeepsColumns(t *testing.T) {
	browser := os.Getenv("ONWARD_BROWSER")
	if browser == "" {
		t.Skip("skipped: ONWARD_BROWSER names no browser; .ci/run looks for one")
	}
	picture, err := os.ReadFile(filepath.Join("..", "picture.svg"))
	if err != nil {
		t.Fatal(err)
	}
	own := string(picture)
	if !regexp.MustCompile(`>[^<\n]*\S {2,}\S`).MatchString(own) {
		t.Error("the picture has no columns to look at")
	}
	group := strings.Replace(strings.ReplaceAll(own, ` xml:space="preserve"`, ""), "<g ", `<g xml:space="preserve" `, 1)
	for name, c := range map[string]struct {
		svg  string
		want string
	}{
		"the picture":                {own, `^drawn [1-9][0-9]*, collapsed 0: $`},
		"said on the group, a proof": {group, `^drawn [1-9][0-9]*, collapsed [1-9]`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			page := filepath.Join(dir, "page.html")
			if err := os.WriteFile(page, []byte("<!doctype html><meta charset=utf-8>"+c.svg+measure), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+page).Output()
			if err != nil {
				t.Fatalf("%s: %v", browser, err)
			}
			title := regexp.MustCompile(`<title>(.*)</title>`).FindSubmatch(out)
			if title == nil || !regexp.MustCompile(c.want).Match(title[1]) {
				t.Errorf("got %q, want %s", title, c.want)
			}
		})
	}
}
