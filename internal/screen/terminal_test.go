package screen

import (
	"strconv"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
)

// terminal simulates as much of a terminal as the painter needs. The last rows are its screen, and
// those above have scrolled off it.
type terminal struct {
	t      *testing.T
	width  int
	height int
	rows   []row
	x, y   int
	nowrap bool
	cursor bool
	main   []row // the rows of the main screen while the alternate one is shown
}

// row is the content of a row, with a grapheme cluster in each cell. The second cell of a wide one is empty.
type row struct {
	cells  []string
	folded bool // it continues in the next row
}

func newTerminal(t *testing.T, width, height int) *terminal {
	return &terminal{t: t, width: width, height: height, rows: make([]row, 1), cursor: true}
}

// top returns the index of the first row on the screen.
func (m *terminal) top() int { return max(len(m.rows)-m.height, 0) }

// write processes the output of a program.
func (m *terminal) write(data string) {
	m.t.Helper()
	for data != "" {
		switch {
		case strings.HasPrefix(data, "\x1b["):
			end := strings.IndexFunc(data[2:], func(r rune) bool { return r >= '@' && r <= '~' }) + 2
			m.sequence(data[2:end], data[end])
			data = data[end+1:]
		case data[0] == '\r':
			m.x, data = 0, data[1:]
		case data[0] == '\n':
			m.down()
			data = data[1:]
		case data[0] < ' ':
			m.t.Fatalf("the control %q reached the terminal", data[0])
		default:
			g := displaywidth.StringGraphemes(data)
			g.Next()
			m.put(g.Value(), g.Width())
			data = data[len(g.Value()):]
		}
	}
}

func (m *terminal) down() {
	m.y++
	if m.y == len(m.rows) {
		m.rows = append(m.rows, row{})
	}
}

func (m *terminal) put(sign string, width int) {
	if m.x+width > m.width {
		if m.nowrap {
			return
		}
		m.rows[m.y].folded = true
		m.x = 0
		m.down()
	}
	r := &m.rows[m.y]
	for len(r.cells) < m.x+width {
		r.cells = append(r.cells, " ")
	}
	r.cells[m.x] = sign
	if width == 2 {
		r.cells[m.x+1] = ""
	}
	m.x += width
}

func (m *terminal) sequence(parameters string, final byte) {
	m.t.Helper()
	switch final {
	case 'm':
	case 'A':
		n, err := strconv.Atoi(parameters)
		if err != nil || n == 0 {
			m.t.Fatalf("the cursor goes up %q rows", parameters)
		}
		m.y = max(m.y-n, m.top())
	case 'H':
		m.x, m.y = 0, m.top()
	case 'J':
		m.rows, m.x, m.y = make([]row, 1), 0, 0
	case 'K':
		m.rows[m.y] = row{}
	case 'h', 'l':
		m.mode(parameters, final == 'h')
	default:
		m.t.Fatalf("unknown sequence %q %q", parameters, final)
	}
}

func (m *terminal) mode(name string, on bool) {
	switch name {
	case "?7":
		m.nowrap = !on
	case "?25":
		m.cursor = on
	case "?1049":
		if on {
			m.main, m.rows, m.x, m.y = m.rows, make([]row, 1), 0, 0
		} else {
			m.rows, m.x, m.y = m.main, 0, len(m.main)-1
		}
	case "?2026":
	default:
		m.t.Fatalf("unknown mode %q", name)
	}
}

// resize wraps lines that no longer fit, as most terminals do. The cursor stays in its line.
func (m *terminal) resize(width, height int) {
	var rows []row
	y := 0
	for i, r := range m.rows {
		if i == m.y {
			y = len(rows)
		}
		for len(r.cells) > width {
			at := width
			if r.cells[at] == "" {
				at-- // a wide character is not split
			}
			rows = append(rows, row{r.cells[:at], true})
			r.cells = r.cells[at:]
			if i == m.y {
				y++
			}
		}
		rows = append(rows, r)
	}
	// Empty rows below the cursor are removed first.
	for len(rows) > y+1 && len(rows[len(rows)-1].cells) == 0 {
		rows = rows[:len(rows)-1]
	}
	m.rows, m.y, m.width, m.height = rows, y, width, height
	m.x = min(m.x, width)
}

// text returns the rows on the screen, without empty rows at the end.
func (m *terminal) text() string {
	var b strings.Builder
	for _, r := range m.rows {
		b.WriteString(strings.TrimRight(strings.Join(r.cells, ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
