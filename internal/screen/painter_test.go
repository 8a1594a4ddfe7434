package screen

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"
)

// signs are what lines are made of.
var signs = []string{"a", "b", " ", "修", "✅", "e\u0301", "\x1b[1;36mx\x1b[0m"}

func TestPainterShowsTheLastFrameOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		full := rapid.Bool().Draw(rt, "full")
		width := rapid.IntRange(6, 30).Draw(rt, "width") // no narrower than what stands above
		m := newTerminal(t, width)
		p := painter{full: full}
		above := "before"
		m.write("before\r\n")
		if full {
			m.write(enterFull)
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"draw", "draw", "above", "resize"}).Draw(rt, "step") {
			case "above":
				if !full {
					m.write(p.erase(m.width))
					m.write("x\r\n")
					above += "\nx"
				}
			case "resize":
				m.resize(rapid.IntRange(6, 30).Draw(rt, "to"))
			}
			frame := lines(rt, m.width)
			m.write(p.draw(frame, m.width))
			want := strings.TrimRight(visible(frame), "\n ")
			if !full {
				want = strings.TrimRight(above+"\n"+want, "\n ")
			}
			if got := m.text(); got != want {
				rt.Fatalf("on a screen of %d columns stands\n%s\nwant\n%s", m.width, got, want)
			}
			if m.nowrap {
				rt.Fatal("wrapping stays off after a drawing")
			}
		}
	})
}

// lines gives a frame that fits a width.
func lines(t *rapid.T, width int) []string {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		line := ""
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(signs), 0, 20).Draw(t, "line") {
			if columns(line+s) <= width {
				line += s
			}
		}
		return line
	}), 0, 6).Draw(t, "frame")
}

func columns(line string) int {
	return displaywidth.Options{ControlSequences: true}.String(line)
}

func visible(frame []string) string {
	rows := make([]string, len(frame))
	for i, line := range frame {
		rows[i] = strings.TrimRight(strings.NewReplacer("\x1b[1;36m", "", "\x1b[0m", "").Replace(line), " ")
	}
	return strings.Join(rows, "\n")
}

func TestPainterWritesOnlyWhatChanged(t *testing.T) {
	var p painter
	p.draw([]string{"one", "two", "three"}, 40)
	got := p.draw([]string{"one", "TWO", "three"}, 40)
	if strings.Contains(got, "one") || !strings.Contains(got, "TWO") || strings.Contains(got, "three") {
		t.Errorf("the second drawing is %q", got)
	}
}

func TestPainterDoesNotTrustWidths(t *testing.T) {
	m := newTerminal(t, 10)
	var p painter
	// A frame whose maker was wrong about the width is cut off, and takes no more rows for it.
	m.write(p.draw([]string{"far too long for this", "two"}, 10))
	if got := m.text(); got != "far too lo\ntwo" {
		t.Errorf("on the screen stands\n%s", got)
	}
}
