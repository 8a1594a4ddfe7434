package doctor

import (
	"slices"

	"onward/internal/calls/schedule"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
)

// DamagedDocuments reports the documents of all sessions, besides their lists, that cannot be read.
func DamagedDocuments(t find.List) []Finding {
	calls := UnreadableDocuments(t.Storage.Backend, schedule.Key, func(b store.Backend, name session.Name) error {
		_, err := (&schedule.Store{Backend: b}).Load(name)
		return err
	})
	runs := UnreadableDocuments(t.Storage.Backend, session.RunKey, func(b store.Backend, name session.Name) error {
		_, err := t.Store.WithBackend(b).ReadRun(name)
		return err
	})
	receipts := UnreadableDocuments(t.Storage.Backend, session.ReceiptKey, func(b store.Backend, name session.Name) error {
		_, err := t.Store.WithBackend(b).ReadReceipt(name)
		return err
	})
	return slices.Concat(calls, runs, receipts)
}

// Moved reports the lists of projects that may have been moved to this folder, if it has no list.
func Moved(t find.List) []Finding {
	if doc, err := t.Store.Load(t.Name); doc != nil || err != nil {
		return nil
	}
	return render.Map(t.PossiblyMovedProjects(), func(_ int, l *find.GoneProject) Finding {
		return Finding{Name: "moved", State: Note, Detail: l.String(), Hint: l.Hint()}
	})
}

// LostGates reports the gates whose onward was killed, so that some of their processes may still run.
func LostGates(t find.List) []Finding {
	keys, err := session.LostGates(t.Storage.Local)
	if err != nil {
		return []Finding{{Name: "gate", State: Bad, Detail: err.Error()}}
	}
	return render.Map(keys, func(_ int, key *store.Key) Finding {
		folder := key.Name
		var run supervise.GateRun
		if v, err := t.Storage.Local.Get(*key); err == nil && key.Kind.Read(v.Data, &run) == nil && run.Dir != "" {
			folder = run.Dir
		}
		return Finding{
			Name: "gate", State: Note, Detail: "onward was killed while it ran the gate in " + folder,
			Hint: "the next gate that runs there ends what is left of it",
		}
	})
}
