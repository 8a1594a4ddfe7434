package transfer

import (
	"testing"

	"onward/internal/session"
	"onward/internal/store"
	"onward/test/storetest"
)

// TestRenamedDocumentComesBackAsItWas renames documents with any content and back. A damaged one stays as it is.
func TestRenamedDocumentComesBackAsItWas(t *testing.T) {
	there := map[string][2]string{"session": {"app-1", "y-2"}, "project": {"/home/me/app", "example.org/x/y"}}
	back := map[string][2]string{"session": {"y-2", "app-1"}, "project": {"example.org/x/y", "/home/me/app"}}
	for text, want := range map[string]string{
		`{"session":"app-1","project":"/home/me/app","todos":{"session":"app-1"}}`: `{"session":"y-2","project":"example.org/x/y","todos":{"session":"app-1"}}`,
		`{"todos":["app-1"],"session":"app-1"}`:                                    `{"todos":["app-1"],"session":"y-2"}`,
		`{"session":"other","project":""}`:                                         `{"session":"other","project":""}`,
	} {
		was, is := string(store.Seal([]byte(text+"\n"))), string(store.Seal([]byte(want+"\n")))
		if got := string(replace([]byte(was), there)); got != is {
			t.Errorf("got %s, want %s", got, is)
		}
		if got := string(replace([]byte(is), back)); got != was {
			t.Errorf("back: got %s, want %s", got, was)
		}
		damaged := "{" + was[2:]
		if got := string(replace([]byte(damaged), there)); got != damaged {
			t.Errorf("damaged: %s", got)
		}
	}
}

// TestCopyUnderAnotherName copies a sub-agent's list with its history and its operations, and recognises the copy the second time.
func TestCopyUnderAnotherName(t *testing.T) {
	source, target := storetest.NewMemory(), storetest.NewMemory()
	from, to := side(source, source, "from"), side(target, target, "to")
	sub := session.Name{Session: name.Session, Agent: "helper"}
	for _, n := range []session.Name{name, sub} {
		_, err := from.Lists.Update(n, "first", now, func(d *session.Document) (session.Change, error) {
			d.Project, d.Todos.Active = "/home/me/app", true
			return session.Change{What: "began", By: "test", List: true}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	under := Transfer{From: from, To: to.Renamed(Renaming{name.Session, "y-2", "/home/me/app", "example.org/x/y"}), Now: now}
	for _, n := range []session.Name{name, sub} {
		for _, want := range []Result{Copied, Unchanged} {
			if did, err := under.TransferList(n); did != want || err != nil {
				t.Errorf("%s: %q, %v, want %q", n, did, err, want)
			}
		}
		at := session.Name{Session: "y-2", Agent: n.Agent}
		doc, err := to.Lists.Load(at)
		if err != nil || doc == nil || doc.Session != "y-2" || doc.Project != "example.org/x/y" {
			t.Fatalf("%s: %+v, %v", at, doc, err)
		}
		if entries, err := to.Lists.Entries(at); err != nil || len(entries) != 1 {
			t.Errorf("a history of %d, %v", len(entries), err)
		}
		again, err := to.Lists.Update(at, "first", now, func(*session.Document) (session.Change, error) {
			return session.Change{What: "again", By: "test"}, nil
		})
		if err != nil || !again.Again {
			t.Errorf("the operation is applied again: %v", err)
		}
	}
	if lists, err := to.Lists.SavedLists(session.Name{}); err != nil || len(lists) != 2 {
		t.Errorf("%v, %v", lists, err)
	}
}
