package screen

import (
	"strconv"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
)

// terminal is as much of a terminal as the painter needs. Its screen is the last of its rows,
// and what is above scrolled away.
type terminal struct {
	t      *testing.T
	width  int
	height int
	rows   []row
	x, y   int
	nowrap bool
	cursor bool
	main   []row // put by, while the alternate screen is shown
}

// row is the content of a row: a cluster per cell; the second cell of a wide one is empty.
type row struct {
	cells  []string
	folded bool // it continues in the next row
}

func newTerminal(t *testing.T, width, height int) *terminal {
	return &terminal{t: t, width: width, height: height, rows: make([]row, 1), cursor: true}
}

// top is the first row on the screen.
func (m *terminal) top() int { return max(len(m.rows)-m.height, 0) }

// write receives the output of a program.
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

// resize folds lines that no longer fit, and the cursor stays with its line, as most terminals do.
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
				at-- // a wide sign is not split
			}
			rows = append(rows, row{r.cells[:at], true})
			r.cells = r.cells[at:]
			if i == m.y {
				y++
			}
		}
		rows = append(rows, r)
	}
	// Rows below the cursor go first, where they are empty.
	for len(rows) > y+1 && len(rows[len(rows)-1].cells) == 0 {
		rows = rows[:len(rows)-1]
	}
	m.rows, m.y, m.width, m.height = rows, y, width, height
	m.x = min(m.x, width)
}

// text is what the user sees, without empty rows at the end.
func (m *terminal) text() string {
	var b strings.Builder
	for _, r := range m.rows {
		b.WriteString(strings.TrimRight(strings.Join(r.cells, ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
