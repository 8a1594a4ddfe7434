package render

import (
	"strings"

	"github.com/olekukonko/tablewriter"
)

// Tables use tablewriter v0.0.5, the version whose start costs least, with a newer go-runewidth than its own,
// because the old one compiles a regular expression at every start of the program.

// table lays out rows in columns for a person: left-aligned, two spaces between, no lines.
func table(header []string, rows [][]string) string {
	var b strings.Builder
	t := tablewriter.NewWriter(&b)
	if header != nil {
		t.SetHeader(header)
	}
	t.SetAutoFormatHeaders(false)
	t.SetAutoWrapText(false)
	t.SetHeaderAlignment(tablewriter.ALIGN_LEFT)
	t.SetAlignment(tablewriter.ALIGN_LEFT)
	t.SetBorder(false)
	t.SetHeaderLine(false)
	t.SetRowSeparator("")
	t.SetCenterSeparator("")
	t.SetColumnSeparator("")
	t.SetTablePadding("  ")
	t.SetNoWhiteSpace(true)
	t.AppendBulk(rows)
	t.Render()
	return trim(b.String())
}
