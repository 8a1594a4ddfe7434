package stream

import (
	"bytes"
	"slices"
)

// WhyUnrecognised returns a known reason why the lines of an input were not recognised, and what to do.
func (r *Reader) WhyUnrecognised() string {
	if r.strange.name != "" {
		return "it is from " + r.strange.name + ", which onward does not read"
	}
	head := r.lines.in.first
	for _, form := range []struct{ name, magic, command string }{
		{"gzip", "\x1f\x8b", "gunzip -c"},
		{"zstd", "\x28\xb5\x2f\xfd", "zstd -dc"},
		{"xz", "\xfd7zXZ\x00", "xz -dc"},
		{"bzip2", "BZh", "bunzip2 -c"},
		{"zip", "PK\x03\x04", "unzip -p"},
	} {
		if bytes.HasPrefix(head, []byte(form.magic)) {
			return "the input is compressed (" + form.name + "): try " + form.command + " FILE | onward ingest"
		}
	}
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("data: {")) || bytes.Contains(head, []byte("\ndata: {")) {
		return "the input is a stream of server-sent events, as of a server; ingest reads what the agent's command prints"
	}
	// Every second byte of an ASCII text in UTF-16 is NUL.
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.Count(head, []byte{0}) > len(head)/3 {
		return "the input is UTF-16 and not UTF-8: try iconv -f UTF-16 -t UTF-8 FILE | onward ingest"
	}
	if !r.opt.Lenient && r.sum.Skipped.NotJSON > 0 && slices.Contains(head, '{') {
		return "the input has objects over several lines, or something before them: try --lenient"
	}
	return ""
}
