package agent

// ListFiles is the form of the files in which an agent keeps its lists, in JSON, for `onward todo import`.
type ListFiles struct {
	// Claims reports whether a file is of this form. base is its name in lower case; array tells whether it holds an array,
	// and has whether the object, or the first one of the array, has a member.
	Claims func(base string, array bool, has func(member string) bool) bool

	Tasks    bool   // each file is one task, and a folder is the list
	Statuses string // the words for a status, for messages about others; empty is onward's
	Numbered bool   // the ids of tasks are numbers, which give their order
	Parents  bool   // a task names the one that it is a part of; the most urgent come first
}
