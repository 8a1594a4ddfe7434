package etcd

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"

	"onward/internal/store"
)

func TestVersionsKnownToLoseData(t *testing.T) {
	for version, refused := range map[string]bool{
		"3.4.19": false, "3.4.20": true, "3.4.21": true, "3.4.22": false, "3.4.32": false, "3.5.0-rc.1": false,
		"3.5.0": true, "3.5.5": true, "3.5.6": false, "3.6.0": false, "3.7.3": false, "new": false,
	} {
		if err := refuseVersion(version); (err != nil) != refused {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// outdated is a server that answers all requests and reports a version that loses data.
type outdated struct {
	pb.UnimplementedMaintenanceServer
	pb.UnimplementedKVServer
	writes int
	hangs  bool // it does not answer the request for its version
}

func (o *outdated) Status(ctx context.Context, _ *pb.StatusRequest) (*pb.StatusResponse, error) {
	if o.hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &pb.StatusResponse{Version: "3.5.4"}, nil
}

func (o *outdated) Txn(_ context.Context, req *pb.TxnRequest) (*pb.TxnResponse, error) {
	resp := &pb.TxnResponse{Header: &pb.ResponseHeader{Revision: 1}, Succeeded: true}
	for _, op := range req.Success {
		if op.GetRequestRange() == nil {
			o.writes++
		}
		resp.Responses = append(resp.Responses, &pb.ResponseOp{Response: &pb.ResponseOp_ResponseRange{ResponseRange: &pb.RangeResponse{}}})
	}
	return resp, nil
}

// A server of a version that loses data gets only the request for its version and one more.
// The wait for the version is no longer than that for any other answer.
func TestRefuseServerKnownToLoseData(t *testing.T) {
	for hangs, want := range map[bool]error{false: store.ErrSettings, true: store.ErrUnavailable} {
		listen, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		o, server := &outdated{hangs: hangs}, grpc.NewServer()
		pb.RegisterMaintenanceServer(server, o)
		pb.RegisterKVServer(server, o)
		go server.Serve(listen)
		defer server.Stop()
		url := plain + "://" + listen.Addr().String() + "/team"
		set, err := ParseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(url, set, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		key := store.Key{Kind: &store.Spec{Folder: "pages", Limit: 100}, Name: "a"}
		err = s.Update(key, func(store.Value, error) (store.Write, error) {
			return store.Write{Data: []byte("x"), Now: time.Now()}, nil
		})
		if !errors.Is(err, want) || o.writes > 0 {
			t.Errorf("hangs %v: %v, %d writes", hangs, err, o.writes)
		}
	}
}
