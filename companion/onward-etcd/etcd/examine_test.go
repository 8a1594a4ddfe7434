package etcd

import (
	"strings"
	"testing"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
)

// TestRemarks checks what doctor reports about servers that need attention.
func TestRemarks(t *testing.T) {
	for _, c := range []struct {
		name     string
		status   *pb.StatusResponse
		revision int64
		compacts bool
		want     string // the beginnings of the remarks; an exclamation mark marks a problem
	}{
		{"sound", &pb.StatusResponse{Version: "3.5.14", DbSize: 80, DbSizeQuota: 100}, 1_000_000, true, ""},
		{"young", &pb.StatusResponse{Version: "3.7.3"}, uncompacted, false, ""},
		{"old", &pb.StatusResponse{Version: "3.5.13"}, 1, false, "etcd 3.5.13 has"},
		{"older", &pb.StatusResponse{Version: "3.4.23"}, 1, false, "etcd 3.4.23 has"},
		{"3.4", &pb.StatusResponse{Version: "3.4.32"}, 1, false, ""},
		{"nearly full", &pb.StatusResponse{Version: "3.6.0", DbSize: 81, DbSizeQuota: 100}, 1, false, "the database has used 81 %"},
		{"full", &pb.StatusResponse{Version: "3.6.0", Errors: []string{"memberID:1 alarm:NOSPACE"}}, 1, false, "!the server reports: memberID:1 alarm:NOSPACE"},
		{"never compacted", &pb.StatusResponse{Version: "3.6.0"}, uncompacted + 1, false, "none of 10001 revisions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := remarks(c.status, c.revision, c.compacts)
			if c.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || !strings.HasPrefix(got[0].Detail, strings.TrimPrefix(c.want, "!")) || got[0].Bad != strings.HasPrefix(c.want, "!") || got[0].Hint == "" {
				t.Errorf("got %+v, want %q", got, c.want)
			}
		})
	}
}
