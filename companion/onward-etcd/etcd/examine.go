package etcd

import (
	"context"
	"errors"
	"fmt"

	"github.com/coreos/go-semver/semver"
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// uncompacted is the number of revisions after which a server should have compacted some.
const uncompacted = 10_000

// Examine asks a server for its version, the size of the database, the alarms that it has raised,
// and whether it ever compacted older revisions.
func (s *Store) Examine() (store.Condition, error) {
	ctx, cancel := s.limited()
	defer cancel()
	var status *pb.StatusResponse
	var revision int64
	compacts := false
	err := s.ask(ctx, func(ctx context.Context) (err error) {
		if status, err = pb.NewMaintenanceClient(s.client.ActiveConnection()).Status(ctx, &pb.StatusRequest{}); err != nil {
			return err
		}
		now, err := s.client.Get(ctx, s.prefix, clientv3.WithCountOnly())
		if err != nil {
			return err
		}
		revision = now.Header.Revision
		_, err = s.client.Get(ctx, s.prefix, clientv3.WithCountOnly(), clientv3.WithRev(1))
		if compacts = errors.Is(err, rpctypes.ErrCompacted); compacts {
			err = nil
		}
		return err
	})
	if err != nil {
		return store.Condition{}, err
	}
	c := store.Condition{Version: "etcd " + status.Version, Size: status.DbSize, Quota: status.DbSizeQuota}
	c.Remarks = remarks(status, revision, compacts)
	return c, nil
}

// remarks returns what should be done about a server.
func remarks(status *pb.StatusResponse, revision int64, compacts bool) (out []store.Remark) {
	for _, text := range status.Errors {
		out = append(out, store.Remark{
			Bad: true, Detail: "the server reports: " + text,
			Hint: "where it has no space left: `etcdctl compact REVISION`, `etcdctl defrag`, then `etcdctl alarm disarm`",
		})
	}
	if v, err := semver.NewVersion(status.Version); err == nil && (v.LessThan(*semver.New("3.4.32")) || v.Minor == 5 && v.LessThan(*semver.New("3.5.14"))) {
		out = append(out, store.Remark{
			Detail: fmt.Sprintf("etcd %s has defects that 3.4.32 and 3.5.14 mend", status.Version),
			Hint:   "upgrade the servers",
		})
	}
	if size, quota := status.DbSize, status.DbSizeQuota; quota > 0 && size > quota/5*4 {
		out = append(out, store.Remark{
			Detail: fmt.Sprintf("the database has used %d %% of its quota", size*100/quota),
			Hint:   "`etcdctl defrag` gives back what is compacted; --quota-backend-bytes raises the quota",
		})
	}
	if revision > uncompacted && !compacts {
		out = append(out, store.Remark{
			Detail: fmt.Sprintf("none of %d revisions was ever compacted, so every change is kept for good", revision),
			Hint:   "start the servers with --auto-compaction-mode=periodic --auto-compaction-retention=1h",
		})
	}
	return out
}
