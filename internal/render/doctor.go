package render

import (
	"onward/internal/doctor"
	"onward/internal/object"
)

// Doctor shows what was looked at, a line each, with what to do below it.
func Doctor(findings []doctor.Finding, style Style) string {
	rows := make([][]string, len(findings))
	for i, f := range findings {
		sign, color := style.either("✓", "ok"), green
		switch f.State {
		case doctor.Note:
			sign, color = style.either("•", "--"), yellow
		case doctor.Bad:
			sign, color = style.either("✗", "!!"), red
		}
		detail := Text(f.Detail)
		if f.Hint != "" {
			detail += "\nhint: " + Text(f.Hint)
		}
		rows[i] = []string{style.paint(color, sign), f.Name, detail}
	}
	return style.paragraphs(rows)
}

// DoctorJSON is onward/doctor/v1: what was looked at.
func DoctorJSON(findings []doctor.Finding) []byte {
	w := object.NewWriter(256 * len(findings))
	w.Open('{')
	w.String("schema", "onward/doctor/v1")
	w.Bool("ok", doctor.Healthy(findings))
	w.Name("findings")
	w.Open('[')
	for _, f := range findings {
		w.Open('{')
		w.String("name", f.Name)
		w.String("state", string(f.State))
		w.String("detail", f.Detail)
		w.SomeString("hint", f.Hint)
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
