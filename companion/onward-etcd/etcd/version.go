package etcd

import (
	"context"
	"fmt"

	"github.com/coreos/go-semver/semver"
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"onward/internal/store"
)

// Servers of these versions can have data that differs from one server to another, so they are refused.
// github.com/etcd-io/etcd/blob/main/Documentation/postmortems/v3.5-data-inconsistency.md
var broken = [][2]string{{"3.5.0", "3.5.5"}, {"3.4.20", "3.4.21"}}

// refuseVersion refuses a server whose data cannot be relied upon.
func refuseVersion(text string) error {
	v, err := semver.NewVersion(text)
	if err != nil {
		return nil // no release has a version of this form
	}
	for _, b := range broken {
		if from, to := semver.New(b[0]), semver.New(b[1]); !v.LessThan(*from) && !to.LessThan(*v) {
			return store.WrapProblem(store.ErrSettings, "the server is etcd %s, and the versions %s to %s lose data: upgrade it", text, b[0], b[1])
		}
	}
	return nil
}

// checkVersion returns a function that asks a server for its version at the first request, and
// returns the same result from then on. A server that does not report its version is accepted,
// since permissions may hide it.
func (s *servers) checkVersion() func(context.Context) error {
	answered := make(chan struct{})
	var refused error
	go func() {
		defer close(answered)
		status, err := s.status()
		for codeOf(err) == codes.DeadlineExceeded && s.client.Ctx().Err() == nil {
			status, err = s.status()
		}
		if err != nil {
			return
		}
		if err := refuseVersion(status.Version); err != nil {
			refused = fmt.Errorf("%s: %w", s.url, err)
		}
	}()
	return func(ctx context.Context) error {
		select {
		case <-answered:
			return refused
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// status asks a server how it is. One that froze after it was connected to is not waited for, since another may be asked.
func (s *servers) status() (*pb.StatusResponse, error) {
	ctx, cancel := context.WithTimeout(s.client.Ctx(), 2*least)
	defer cancel()
	return pb.NewMaintenanceClient(s.client.ActiveConnection()).Status(ctx, &pb.StatusRequest{}, grpc.WaitForReady(true))
}
