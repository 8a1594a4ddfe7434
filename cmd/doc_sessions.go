package cmd

import (
	"onward/internal/calls/schedule"
	"onward/internal/doctor"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
)

// damaged reports the documents of all sessions, besides their lists, that cannot be read.
func damaged(t find.List) []doctor.Finding {
	calls := doctor.Documents(t.Storage.Backend, schedule.Key, func(b store.Backend, name session.Name) error {
		_, err := (&schedule.Store{Backend: b}).Load(name)
		return err
	})
	runs := doctor.Documents(t.Storage.Backend, session.RunKey, func(b store.Backend, name session.Name) error {
		_, err := t.Store.On(b).ReadRun(name)
		return err
	})
	return append(calls, runs...)
}

// lostGates reports the gates whose onward was killed, so that some of their processes may still run.
func lostGates(t find.List) []doctor.Finding {
	keys, err := session.LostGates(t.Storage.Local)
	if err != nil {
		return []doctor.Finding{{Name: "gate", State: doctor.Bad, Detail: err.Error()}}
	}
	return render.Each(keys, func(_ int, key *store.Key) doctor.Finding {
		folder := key.Name
		var run supervise.GateRun
		if v, err := t.Storage.Local.Get(*key); err == nil && key.Kind.Read(v.Data, &run) == nil && run.Dir != "" {
			folder = run.Dir
		}
		return doctor.Finding{
			Name: "gate", State: doctor.Note, Detail: "onward was killed while it ran the gate in " + folder,
			Hint: "the next gate that runs there ends what is left of it",
		}
	})
}
