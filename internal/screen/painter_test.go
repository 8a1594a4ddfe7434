package screen

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"
)

// signs are the parts of random lines: narrow and wide characters, and an escape sequence.
var signs = []string{"a", "b", " ", "修", "✅", "e\u0301", "\x1b[1;36mx\x1b[0m"}

// tall is a height at which nothing scrolls off the screen.
const tall = 1000

func TestPainterShowsTheLastFrameOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		full := rapid.Bool().Draw(rt, "full")
		m := newTerminal(t, rapid.IntRange(6, 30).Draw(rt, "width"), tall) // at least as wide as the column above
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
					m.write(p.draw(nil, m.width, m.height))
					m.write("x\r\n")
					above += "\nx"
				}
			case "resize":
				m.resize(rapid.IntRange(6, 30).Draw(rt, "to"), tall)
			}
			frame := lines(rt, m.width, 6)
			m.write(p.draw(frame, m.width, m.height))
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

func TestPainterKeepsTheFrameOnASmallScreen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		full := rapid.Bool().Draw(rt, "full")
		m := newTerminal(t, 20, 8)
		p := painter{full: full}
		if full {
			m.write(enterFull)
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "resize") {
				m.resize(rapid.SampledFrom([]int{2, 7, 20, 21}).Draw(rt, "columns"), rapid.IntRange(2, 9).Draw(rt, "rows"))
			}
			room := m.height
			if !full {
				room--
			}
			frame := lines(rt, m.width, room)
			m.write(p.draw(frame, m.width, m.height))
			end := m.y // the frame is above the cursor
			if full {
				end = m.top() + len(frame)
			}
			var got []string
			for y := end - len(frame); y < end; y++ {
				if y < m.top() {
					rt.Fatalf("the frame's first row scrolled away: %q", m.text())
				}
				got = append(got, strings.TrimRight(strings.Join(m.rows[y].cells, ""), " "))
			}
			if strings.Join(got, "\n") != visible(frame) {
				rt.Fatalf("on %d by %d stands\n%s\nwant\n%s", m.width, m.height, strings.Join(got, "\n"), visible(frame))
			}
		}
	})
}

// lines draws a frame that fits into a width.
func lines(t *rapid.T, width, most int) []string {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		line := ""
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(signs), 0, 20).Draw(t, "line") {
			if columns(line+s) <= width {
				line += s
			}
		}
		return line
	}), 0, most).Draw(t, "frame")
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

func TestPainterWritesOnlyChanges(t *testing.T) {
	var p painter
	p.draw([]string{"one", "two", "three"}, 40, tall)
	got := p.draw([]string{"one", "TWO", "three"}, 40, tall)
	if strings.Contains(got, "one") || !strings.Contains(got, "TWO") || strings.Contains(got, "three") {
		t.Errorf("the second drawing is %q", got)
	}
}

func TestPainterCutsTooWideLines(t *testing.T) {
	m := newTerminal(t, 10, tall)
	var p painter
	// A frame that is wider than the screen is cut off, and does not wrap to more rows.
	m.write(p.draw([]string{"far too long for this", "two"}, 10, tall))
	if got := m.text(); got != "far too lo\ntwo" {
		t.Errorf("on the screen stands\n%s", got)
	}
}
