package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/browser"
)

// many returns a run with many items, one of which has a text of the maximal length.
func many() Source {
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprintf("%d:%s", i, todo.Statuses()[i%len(todo.Statuses())]))
	}
	items := list(words...)
	items[7].Content = strings.Repeat("unbroken", todo.MaxText/8)
	doc := &session.Document{Session: "many", Rev: 1, CreatedAt: start, UpdatedAt: minute(9000), Todos: session.Todos{Active: true, Rev: 1, Items: items}}
	return Source{
		Name: session.Name{Session: "many"}, Doc: doc, Standing: continuation.Standing{Attention: continuation.AttentionContinuing, Why: "180 items open"},
		Entries: []session.Entry{{Rev: 1, At: start, Active: true, Items: list(words[:1]...)}, {Rev: 2, Previous: 1, At: minute(9000), Active: true, Items: items}},
	}
}

// TestBrowser opens reports in both colour schemes, with the width of a telephone and of a large screen. The
// browser must not complain, the page must not scroll sideways, and no text may become markup or a script.
// If ONWARD_PICTURES names a folder, pictures of the pages are saved there.
func TestBrowser(t *testing.T) {
	b := browser.Start(t)
	reports := map[string][]Session{
		"example": {Build(example())},
		"empty":   {Build(Source{Name: session.Name{Session: "empty"}})},
		"one":     {Build(Source{Doc: &session.Document{}, Entries: []session.Entry{{Rev: 1, At: start, Active: true, Items: list("a:pending")}}})},
		"many":    {Build(many())},
		"several": {Build(example()), Build(Source{Name: session.Name{Session: "empty"}})},
		"hostile": {Build(hostile())},
	}
	for name, sessions := range reports {
		path := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(path, HTML(Report{Schema: Schema, At: minute(40), Sessions: sessions}, time.UTC), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{400, 1400} {
			for _, dark := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %d dark=%v", name, width, dark), func(t *testing.T) {
					b.Open(path, width, dark)
					b.Quiet()
					check(t, b, width, dark)
					if folder := os.Getenv("ONWARD_PICTURES"); folder != "" {
						file := filepath.Join(folder, fmt.Sprintf("%s-%d-%v.png", name, width, dark))
						if err := os.WriteFile(file, b.Picture(), 0o600); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}

func check(t *testing.T, b *browser.Browser, width int, dark bool) {
	t.Helper()
	var page struct {
		Width, Foreign    int
		Ground, Title     string
		Handlers, Sources []string
	}
	b.Eval(`({
		Width: document.documentElement.scrollWidth,
		Foreign: document.querySelectorAll("script, img, iframe, object, embed, link, form, base").length,
		Ground: getComputedStyle(document.body).backgroundColor,
		Title: document.title,
		Handlers: [...document.querySelectorAll("*")].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith("on")),
		Sources: [...document.querySelectorAll("[href], [src]")].map(e => e.getAttribute("href") || e.getAttribute("src")).filter(h => !h.startsWith("#")),
	})`, &page)
	if page.Width > width {
		t.Errorf("the page is %d pixels wide", page.Width)
	}
	if page.Foreign > 0 || len(page.Handlers)+len(page.Sources) > 0 || page.Title == "owned" || !strings.HasSuffix(page.Title, "onward report") {
		t.Errorf("a text became markup: %+v", page)
	}
	if want := map[bool]string{false: "rgb(255, 255, 255)", true: "rgb(13, 17, 23)"}[dark]; page.Ground != want {
		t.Errorf("the ground is %s, not %s", page.Ground, want)
	}
}
