//go:build unix

package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// patience is how long maintenance waits for a server, which a busy machine may delay.
const patience = 10 * time.Second

// Compact drops every revision but the present one, and lets each server free the space.
func (c *Cluster) Compact() error {
	leader := c.Leader()
	err := leader.ask(patience, func(ctx context.Context, conn *grpc.ClientConn) error {
		kv := pb.NewKVClient(conn)
		now, err := kv.Range(ctx, &pb.RangeRequest{Key: []byte("x"), CountOnly: true})
		if err == nil {
			_, err = kv.Compact(ctx, &pb.CompactionRequest{Revision: now.Header.Revision, Physical: true})
		}
		if status.Code(err) == codes.OutOfRange { // it is compacted already
			return nil
		}
		return err
	})
	for _, n := range c.Nodes {
		err = errors.Join(err, n.ask(patience, func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pb.NewMaintenanceClient(conn).Defragment(ctx, &pb.DefragmentRequest{})
			return err
		}))
	}
	return err
}

// SetSpaceAlarm raises or clears the alarm of a full database.
func (c *Cluster) SetSpaceAlarm(is bool) error {
	action := pb.AlarmRequest_DEACTIVATE
	if is {
		action = pb.AlarmRequest_ACTIVATE
	}
	leader := c.Leader()
	s, err := leader.status()
	if err != nil {
		return err
	}
	return leader.ask(patience, func(ctx context.Context, conn *grpc.ClientConn) error {
		_, err := pb.NewMaintenanceClient(conn).Alarm(ctx, &pb.AlarmRequest{Action: action, MemberID: s.Header.MemberId, Alarm: pb.AlarmType_NOSPACE})
		return err
	})
}

// Replace removes a follower for good, with its data, and adds an empty server in its place.
func (c *Cluster) Replace(t testing.TB) error {
	t.Helper()
	leader := c.Leader()
	for i, n := range c.Nodes {
		s, err := n.status()
		if err != nil || s.Header.MemberId == s.Leader {
			continue
		}
		err = leader.ask(patience, func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pb.NewClusterClient(conn).MemberRemove(ctx, &pb.MemberRemoveRequest{ID: s.Header.MemberId})
			return err
		})
		if err != nil {
			return err
		}
		n.Kill()
		c.replaced++
		n.set("--data-dir", fmt.Sprintf("%s/n%d-%d", c.Dir, i, c.replaced))
		n.set("--initial-cluster-state", "existing")
		// Servers refuse a new member until the others are connected.
		for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
			err = c.Leader().ask(patience, func(ctx context.Context, conn *grpc.ClientConn) error {
				_, err := pb.NewClusterClient(conn).MemberAdd(ctx, &pb.MemberAddRequest{PeerURLs: []string{n.value("--initial-advertise-peer-urls")}})
				return err
			})
			if err == nil || time.Now().After(end) {
				break
			}
		}
		n.Start(t)
		return err
	}
	return errors.New("no server follows")
}

// WaitForLeader waits until every server knows a leader, and reports whether they do in time.
func (c *Cluster) WaitForLeader(within time.Duration) error {
	var waits []string
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		waits = nil
		for _, n := range c.Nodes {
			if s, err := n.status(); err != nil || s.Leader == 0 {
				waits = append(waits, n.Client)
			}
		}
		if waits == nil {
			return nil
		}
	}
	return fmt.Errorf("without a leader: %s", strings.Join(waits, ", "))
}

// set changes an argument for the server's next start; value returns one.
func (n *Node) set(flag, value string) {
	for i, arg := range n.args {
		if arg == flag {
			n.args[i+1] = value
			return
		}
	}
	n.args = append(n.args, flag, value)
}

func (n *Node) value(flag string) string {
	for i, arg := range n.args {
		if arg == flag {
			return n.args[i+1]
		}
	}
	return ""
}
