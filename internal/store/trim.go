package store

// A line may have the whole document, and what was changed of it once more. So the log of a long document has
// to be larger than its bound, or no change of a long list could be undone.
const (
	keptLong = 2            // a trimmed log keeps lines as long as so many documents
	fullLong = 4 * keptLong // and is trimmed when it is as long as so many, since that costs a second fsync
)

// NeedsTrim reports whether a log of a size has to be trimmed in a commit that replaces a document of before bytes.
func (l *Log) NeedsTrim(size int, w Write, before int) bool {
	return w.Trim || l.Bound > 0 && int64(size+len(w.Line)) > max(l.Bound, fullLong*longer(w, before))
}

// longer is the size of a document before or after a commit.
func longer(w Write, before int) int64 { return int64(max(len(w.Data), before)) }

// Trim returns how many of the lines of a full log go, from the oldest on, whose sizes are given: all but the newest
// that fit in half of the bound together with the new one, and two more. Those may be the deletion of most of a long
// list, with what was deleted, and the list before it.
func (l *Log) Trim(sizes []int, w Write, before int) int {
	size, from, more := len(w.Line), len(sizes), 2
	most := max(l.Bound/2, keptLong*longer(w, before))
	for from > 0 && more > 0 && len(sizes)-from < l.Lines-1 {
		from--
		if size += sizes[from]; int64(size) > most {
			more--
		}
	}
	return from
}
