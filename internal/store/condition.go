package store

// Condition is the state of what stores the documents, for its administrator.
type Condition struct {
	Version string // of the database; empty if that is the file system
	Size    int64  // in bytes, including older revisions
	Quota   int64  // its limit in bytes; 0 if unknown
	Remarks []Remark
}

// Remark is a problem of a store that its administrator should fix.
type Remark struct {
	Bad    bool   `json:"bad"` // nothing can be saved until it is fixed
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitzero"`
}

// Examiner is a backend that can report its condition.
type Examiner interface {
	Examine() (Condition, error)
}
