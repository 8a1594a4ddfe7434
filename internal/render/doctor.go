package render

import "onward/internal/doctor"

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
	return encode(struct {
		Schema   string           `json:"schema"`
		OK       bool             `json:"ok"`
		Findings []doctor.Finding `json:"findings"`
	}{"onward/doctor/v1", doctor.Healthy(findings), findings})
}
