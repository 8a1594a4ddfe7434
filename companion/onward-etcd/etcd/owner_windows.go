package etcd

import "io/fs"

// ofRoot is always false, because Windows has no root.
func ofRoot(fs.FileInfo) bool { return false }
