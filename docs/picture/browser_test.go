package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onward/test/browser"
)

// collapsed names each text that is drawn with fewer characters than it has, as happens when runs of spaces collapse.
const collapsed = `[...document.querySelectorAll("text")].filter(t => t.getNumberOfChars() < t.textContent.length).map(t => t.textContent)`

// TestBrowserKeepsColumns draws the picture of the README.
func TestBrowserKeepsColumns(t *testing.T) {
	b := browser.Start(t)
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
		svg       string
		collapses bool
	}{
		"the picture":                {own, false},
		"said on the group, a proof": {group, true},
	} {
		t.Run(name, func(t *testing.T) {
			page := filepath.Join(t.TempDir(), "page.html")
			if err := os.WriteFile(page, []byte("<!doctype html><meta charset=utf-8>"+c.svg), 0o600); err != nil {
				t.Fatal(err)
			}
			b.Open(page, 1000, false)
			b.Quiet()
			var drawn int
			b.Eval(`document.querySelectorAll("text").length`, &drawn)
			var texts []string
			b.Eval(collapsed, &texts)
			if drawn == 0 || len(texts) > 0 != c.collapses {
				t.Errorf("of %d texts collapsed: %q", drawn, texts)
			}
		})
	}
}
