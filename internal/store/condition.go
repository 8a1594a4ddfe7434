package store

// Condition is how what keeps the documents is, for whoever looks after it.
type Condition struct {
	Version string // of the database; empty where that is the file system
	Size    int64  // in bytes, with what is kept of older revisions
	Quota   int64  // how large it may become, in bytes; 0 is not known
	Remarks []Remark
}

// Remark is something about a store that should be looked after.
type Remark struct {
	Bad    bool // nothing can be kept before it is mended
	Detail string
	Hint   string
}

// Examined is a backend that can tell how it is.
type Examined interface {
	Examine() (Condition, error)
}
