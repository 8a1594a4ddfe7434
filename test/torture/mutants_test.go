package torture

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a mistake that is made in the code on purpose, which a test must catch.
type mutant struct {
	name string
	file string
	edit []string // old and new text, in pairs
	test string   // the package whose tests must catch it
	run  string   // which of them
}

func mutants() []mutant {
	const (
		storm             = "TestManyProcessesLoseNothing|TestEachProcessCompletesAnotherItem|TestKilledWriters"
		commit            = "internal/durable/commit.go"
		killed            = "TestKilledAtEverySystemCall/commands/(add|edit)$"
		failed            = "TestEveryErrorAtEverySystemCall/commands/(add|edit|move)$"
		simulator, nights = "./test/simulate", "TestWorlds"
		unlock            = "err := syscall.Flock(int(f.Fd()), how)"
	)
	return []mutant{
		{"no lock", "internal/durable/lock_unix.go", []string{unlock, "var err error; _, _ = f, how"}, "./internal/durable", storm},
		{"no lock and no second look", "internal/durable/lock_unix.go+" + commit, []string{
			unlock, "var err error; _, _ = f, how",
			"err = t.checkUnchanged(old)", "_ = t.checkUnchanged(old)",
		}, "./internal/durable", storm},
		{"lock on the document", commit, []string{"OpenFile(t.root, t.doc.lockPath(),", "OpenFile(t.root, t.doc.path(),"}, "./internal/durable", storm},
		{"lock file removed", commit, []string{") end() {\n", ") end() {\n\tt.root.Remove(t.doc.lockPath())\n"}, "./internal/durable", "TestLost|TestWriterWithLost"},
		{"fixed temporary name, no lock", "internal/durable/lock_unix.go+" + commit, []string{
			unlock, "var err error; _, _ = f, how",
			`fmt.Sprintf(".%s.tmp-%012x", t.doc.Name, rand.Uint64()>>16)`, `fmt.Sprintf(".%s.tmp-%012x", t.doc.Name, rand.Uint64()&0)`,
			"err = t.checkUnchanged(old)", "_ = t.checkUnchanged(old)",
			"os.O_WRONLY|os.O_CREATE|os.O_EXCL", "os.O_WRONLY|os.O_CREATE|os.O_TRUNC",
		}, "./internal/durable", storm},
		{"in place", commit, []string{
			"\tpath := filepath.Join(t.doc.Kind.Folder, temp)\n", "\tpath := filepath.Join(t.doc.Kind.Folder, t.doc.Name+\".json\")\n",
			"os.O_WRONLY|os.O_CREATE|os.O_EXCL", "os.O_WRONLY|os.O_CREATE|os.O_TRUNC",
			"err = t.checkUnchanged(old)", "_ = t.checkUnchanged(old)",
		}, "./test/torture", killed},
		{"no fsync", commit, []string{"err = f.Sync()", "err = nil"}, "./test/torture", "TestRenamedFilesAreSynced"},
		{"failed fsync ignored", commit, []string{"err = f.Sync()", "_ = f.Sync()"}, "./test/torture", failed},
		{"no fsync of the folder", "internal/durable/replace_unix.go", []string{"err = d.Sync()", "err = nil"}, "./test/torture", "TestRenamedFilesAreSynced"},
		{"failed fsync of the folder ignored", "internal/durable/replace_unix.go", []string{"err = d.Sync()", "_ = d.Sync(); err = nil"}, "./test/torture", failed},
		{"no second look", commit, []string{"err = t.checkUnchanged(old)", "_ = t.checkUnchanged(old)"}, "./internal/durable", "."},
		{"read before the lock", "internal/durable/store.go", []string{
			"\tt, err := beginTransaction(s.Dir, doc, s.patience())\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer t.end()\n\tv, err := doc.read(t.root)\n",
			"\tvar v store.Value\n\tvar unread error\n\tif early, _ := Open(s.Dir); early != nil {\n\t\tv, unread = doc.read(early)\n\t\tearly.Close()\n\t}\n\tt, err := beginTransaction(s.Dir, doc, s.patience())\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer t.end()\n\terr = unread\n",
		}, "./internal/durable", storm},
		{"a missing document is an empty list", "internal/durable/document.go", []string{"if !saved {", "if !saved || true {"}, "./internal/durable", "TestLost|TestWriterWithLost"},
		{"a damaged document is an empty list", "internal/store/collection.go", []string{"if errors.Is(err, ErrCorrupt) {", "if errors.Is(err, ErrCorrupt) { doc, err = nil, nil }; if errors.Is(err, ErrCorrupt) {"}, "./test/torture", "TestDamagedDocument"},
		{"dead writers' files are left", commit, []string{"\tif err = t.sweep(); err != nil {\n", "\tif err != nil {\n"}, "./test/torture", killed},
		{"the history is written last", commit, []string{
			"\tif w.Line != nil {\n", "\tif false {\n",
			"\tt.record(stateSaved, \"\")\n", "\tt.record(stateSaved, \"\"); if w.Line != nil { if err := t.appendLog(w, before); err != nil { return err } }\n",
		}, "./test/torture", killed + "|" + failed},
		{"a deletion is not marked, and begins with the history", commit + "+internal/store/deletion.go", []string{
			"\terr := t.record(stateGone, \"\")\n", "\tfor _, path := range others { t.root.Remove(path) }; err := t.record(stateGone, \"\")\n",
			"how.Mark == nil || how.Cut {", "how.Mark == nil || how.Cut || true {",
		}, "./test/torture", "TestKilledAtEverySystemCall/commands/session_delete$"},
		{"text is printed as it is", "internal/render/escape.go", []string{"if !strings.ContainsFunc(s, hides) {", "if !strings.ContainsFunc(s, hides) || true {"}, "./test/torture", "TestHostileTextStaysText"},

		{"a run does not end the processes that the run before has left", "internal/night/begin.go", []string{"if !r.Programs.WaitForEnd(before) {", "if false {"}, ".", "TestScripts/run_leftover"},
		{"a run does not look at its gate again at its end", "internal/night/end.go", []string{"if r.record.Gate == \"\" || act.Outcome", "if true || r.record.Gate == \"\" || act.Outcome"}, ".", "TestScripts/run_gate_gone"},
		{"what a gate wrote is work", "internal/night/proof.go", []string{"r.record.Start, r.record.Still = f.After, f.After", "r.record.Start, r.record.Still = f.After, f.Before"}, ".", "TestScripts/run_idle"},
		{"a check that restores itself is as it was", "internal/night/proof.go", []string{"r.Checkout.ChangedChecks(set, r.record.FilesToKeep(), f.Before, f.After)", "r.Checkout.ChangedChecks(set, r.record.FilesToKeep(), f.After)"}, ".", "TestScripts/run_proof"},
		{"what the user changed between two runs is the agent's", "internal/night/begin.go", []string{"case last.Start == \"\":", "case true:"}, ".", "TestScripts/run_user_edits"},
		{"a check that the user edited is the one that failed", "internal/run/proof.go", []string{"len(p.Checks)+len(p.Edited) == 0", "len(p.Checks) == 0"}, ".", "TestScripts/run_user_edits"},
		{"a protected file that restores itself is as it was", "internal/night/proof.go", []string{"r.Checkout.ChangedProtected(set, r.record.FilesToKeep(), before, after)", "r.Checkout.ChangedProtected(set, r.record.FilesToKeep(), []string{after, before}[:1]...)"}, ".", "TestScripts/run_protect"},

		// At least one for each invariant of the simulator, which must catch it within 2,000 nights.
		{"invariant 1: an operation that was done is done again", "internal/store/collection.go", []string{"} else if op != \"\" {", "} else if op == \"none\" {"}, simulator, nights},
		{"invariant 2: onward's own prompt counts as the user's", "internal/continue/apply_turns.go", []string{"if hasTag(a.event.Text) {", "if false {"}, simulator, nights},
		{"invariant 3: progress is not seen", "internal/continue/apply_lists.go", []string{"\tif w.rose {\n", "\tif w.rose && false {\n"}, simulator, nights},
		{"invariant 4: a gate that fails passes", "internal/continue/checks_gate.go", []string{"if q.rememberGateResult(); !proof.Passed() {", "if q.rememberGateResult(); proof.Problem != \"\" {"}, simulator, nights},
		{"invariant 5: a hook overlooks an interrupt", "internal/continue/checks_user.go", []string{"if q.led.AbortedAt == 0 {", "if q.led.AbortedAt == 0 || q.facts.Hook != nil {"}, simulator, nights},
		{"invariant 5: a call that awaits approval does not stop the agent", "internal/continue/checks_user.go", []string{"ids := q.facts.Awaiting; len(ids) > 0 {", "ids := q.facts.Awaiting; len(ids) > 99 {"}, simulator, nights},
		{"invariant 6: a hook that runs twice is two questions", "internal/continue/checks_host.go", []string{"age < hookDuplicate {", "age < 0 {"}, simulator, nights},
		{"invariant 3: a reset that the host named is forgotten", "internal/continue/checks_host.go", []string{"if f.RetryAt > f.At {", "if f.RetryAt > f.At && f.Count > 1 {"}, simulator, nights},
		{"invariant 7: a failure is over when the session is idle", "internal/ask/turn.go", []string{"t.Agent.RepeatsFailedEnd && l.Turn == nil && l.Error != nil", "t.Agent.RepeatsFailedEnd && l.Turn != nil && l.Error != nil"}, simulator, nights},
		{"invariant 8: only one of several messages is read", "internal/calls/schedule/message.go", []string{"\ttexts := make([]string, len(d.Messages))\n", "\td.Messages = d.Messages[:1]\n\ttexts := make([]string, len(d.Messages))\n"}, simulator, nights},
		{"invariant 9: a dry run counts", "internal/ask/question.go", []string{"q.DryRun || !a.news", "!a.news"}, simulator, nights},
		{"invariant 10: a hook counts down", "internal/ask/hook_event.go", []string{"\tset.Countdown = 0\n", ""}, simulator, nights},
		{"invariant 2: a limit is one too high", "internal/continue/checks_limits.go", []string{"ofPrompt >= q.set.MaxTotal", "ofPrompt > q.set.MaxTotal"}, simulator, nights},
		{"invariant 2: a turn that has ended is given back", "internal/continue/give_back.go", []string{"l.Turns != last.Turns || ", ""}, simulator, nights},
		{"invariant 2: new conversations without end", "internal/run/machine.go", []string{"\"context_full\" && m.handed < handovers:", "\"context_full\":"}, simulator, nights},
		{"invariant 3: a turn that was cut off with its run is counted", "internal/continue/give_back.go", []string{"max(0, l.TotalPrompt-1), max(0, l.TotalSession-1)", "l.TotalPrompt, l.TotalSession"}, simulator, nights},
		{"invariant 4: a run without a list and a gate is done", "internal/run/machine.go", []string{"act := m.end(Unproven, a)", "act := m.end(Done, a)"}, simulator, nights},
		{"invariant 15: a gate that passed before the work proves it", "internal/run/proof.go", []string{"return p.Before == FailedBefore && !p.Flaky", "return p.Before != \"\" && !p.Flaky"}, simulator, nights},
		{"invariant 15: a gate that passes proves the work though no file changed", "internal/run/proof.go", []string{" && !p.Flaky && !p.Unchanged && p.Start != \"\" && p.Now != \"\" && (!p.leavesStart() || p.restoresStart())", ""}, simulator, nights},
		{"invariant 15: the work may come with the check that fails before it", "internal/run/check_first.go", []string{"case len(is.Others) > 0:", "case len(is.Others) > 99:"}, simulator, nights},
		{"invariant 15: a gate that passed on other files is not run again", "internal/session/results.go", []string{"is.Command != command || is.Tree != tree {", "is.Command != command {"}, simulator, nights},
		{"invariant 15: a gate that failed is not run again", "internal/session/results.go", []string{"r.all = append(r.all, is)", "is.Code = 0; r.all = append(r.all, is)"}, simulator, nights},
		{"invariant 16: a gate that passed before proves the task", "internal/run/machine.go", []string{"if m.Task && (!m.Acted || a.Proof.Unchanged && (!a.Listed || a.Counts.Total == 0)) || a.Abandoned && !a.Changed {", "if false {"}, simulator, nights},
		{"invariant 7: a limit on standard error is not read", "internal/agents/stream/turn.go", []string{"if p.Class == \"\" {", "if p.Class != \"none\" {"}, simulator, nights},
		{"invariant 3: a conversation whose requests are refused ends the run", "internal/run/machine.go", []string{"return m.last.Worked || m.resumed ||", "return m.last.Worked ||"}, simulator, nights},
		{"invariant 5: a run overlooks a stop", "internal/run/machine.go", []string{"case a.Reason != continuation.ReasonNoList:", "case a.Reason == \"disabled\":"}, simulator, nights},
		{"invariant 5: `stop --now` lets the turn end", "internal/night/turn.go", []string{"defer t.Clock.OnChange(stops)()", "_ = t.Clock.OnChange"}, simulator, nights},
		{"invariant 6: a run does not know that an agent is still working", "internal/session/run.go", []string{"object.Pointer(f, \"keeper\", &r.Keeper)", "object.Pointer(f, \"keeper\", new(*Process))"}, simulator, nights},
		{"invariant 6: a question overlooks the agent of a run", "internal/continue/checks_host.go", []string{"if q.facts.AtWork {", "if false {"}, simulator, nights},
		{"invariant 6: a run forgets its turns", "internal/session/run.go", []string{"Int(\"turns\", &r.Turns)", "Int(\"turns\", new(int))"}, simulator, nights},
		{"invariant 7: a run does not wait", "internal/run/machine.go", []string{"return Action{Kind: WaitFor, For: left, Named: a.ResetAt != 0 && left == a.RetryAfter, Reason: a.Reason, Message: a.Message}", "return m.start(Prompt, true)"}, simulator, nights},
		{"invariant 7: a new conversation costs nothing", "internal/run/machine.go", []string{"(forTurn || act.Kind == Start):", "(forTurn || act.Kind == Start && act.Text == Prompt):"}, simulator, nights},
		{"invariant 7: a budget of tokens is one turn too high", "internal/continue/checks_limits.go", []string{"tokens >= q.set.MaxTokens:", "tokens >= 2*q.set.MaxTokens:"}, simulator, nights},
		{"invariant 7: the time of a run is twice as long", "internal/continue/checks_limits.go", []string{"elapsed >= q.set.MaxDuration:", "elapsed >= 2*q.set.MaxDuration:"}, simulator, nights},
		{"invariant 7: a wait overlooks that a budget is used up", "internal/night/ask.go", []string{", Over: continuation.BudgetUsedUp(got.Doc, facts, got.Settings, now)}", "}"}, simulator, nights},
		{"invariant 6: a run that is taken up does not resume its conversation", "internal/night/begin.go", []string{"r.Machine.Known = r.Program.CanResume(r.record.Conversation)", "r.Machine.Known = false"}, simulator, nights},
		{"invariant 12: a claim is kept after the end of its run", "internal/night/end.go", []string{"return r.endItem(act)", "return r.finish(act, endCode(act))"}, simulator, nights},
		{"invariant 12: a run that is interrupted keeps its claim", "internal/night/end.go", []string{"return r.settleItem(todo.Pending, act, cli.ExitInterrupted)", "act.Hint = \"\""}, simulator, nights},
		{"invariant 10: a run waits for a host for ever", "internal/run/machine.go", []string{"case m.limits > limitTimes:", "case m.limits > 1000*limitTimes:"}, simulator, nights},
		{"invariant 2: agents go on for each other without end", "internal/run/relay.go", []string{"case r.Switches >= mostSwitches:", "case r.Switches >= 99:"}, simulator, nights},
		{"invariant 7: an agent goes on within its own limit", "internal/run/relay.go", []string{"free := max(now, r.Until[other]);", "free := now;"}, simulator, nights},
		{"invariant 7: a run that is taken up has forgotten the limits", "internal/night/relay.go", []string{"of.Until = earlier.AgentRecord(is.Name).Until", "of.Until = 0"}, simulator, nights},
		{"invariant 7: a run that is taken up begins with the first agent", "internal/night/relay.go", []string{"at >= 0 {\n\t\tr.UseAgent(at)", "at >= 0 {\n\t\tr.UseAgent(0)"}, simulator, nights},
		{"invariant 6: an agent resumes the conversation of another one", "internal/session/run.go", []string{"r.Agent, r.Conversation, r.HandedOn = to, \"\", true", "r.Agent, r.HandedOn = to, true"}, simulator, nights},
		{"invariant 3: no agent goes on for another one", "internal/run/relay.go", []string{"case from.Since(until) <= m.RelayAfter,", "case true, from.Since(until) <= m.RelayAfter,"}, simulator, nights},
		{"invariant 12: an item that another worker holds is ready", "internal/todo/claim.go", []string{"!w.owns(it.Claim) {", "!w.owns(it.Claim) && len(w.Name) > 99 {"}, simulator, nights},
		{"invariant 12: an item is ready before those it depends on", "internal/todo/claim.go", []string{"len(WaitsFor(items, i)) > 0:", "len(WaitsFor(items, i)) > 99:"}, simulator, nights},
		{"invariant 12: claims never expire", "internal/todo/claim.go", []string{"return c != nil && now < c.Until", "return c != nil"}, simulator, nights},
		{"invariant 12: a late worker reopens a completed item", "internal/todo/claim.go", []string{"!is.Open() && s != is", "false && s != is"}, simulator, nights},
		{"invariant 12: a worker does not get its claimed item again", "internal/todo/claim.go", []string{"case held && it.Claim.By == w.Name && !w.Take && !it.Status.Waits():", "case held && it.Claim.By == w.Name && !w.Take && !it.Status.Waits() && it.Claims > 99:"}, simulator, nights},
		{"invariant 13: an agent's list loses a claim", "internal/todo/carry.go", []string{"\t\tit.Claim = old.Claim\n", "\t\tit.Claim = nil\n"}, simulator, nights},
		{"invariant 13: an agent's list loses an order", "internal/todo/carry.go", []string{"\t\tit.BlockedBy = old.BlockedBy\n", "\t\tit.BlockedBy = nil\n"}, simulator, nights},
		{"invariant 12: an item stays with a run that was killed", "internal/session/claim.go", []string{"case c.Live(now) && (s.Gone == nil || !s.Gone(c.Process)):", "case c.Live(now):"}, simulator, nights},
		{"invariant 12: an item is free while the keeper still ends its agent", "internal/session/claim.go", []string{" || s.isAlive(r.Keeper):", ":"}, simulator, nights},
		{"invariant 12: a run that was suspended loses its item", "internal/session/claim.go", []string{"case s.isAlive(r.Process) || s.isAlive(r.Keeper):\n\t\treturn true", "case false:"}, simulator, nights},
		{"invariant 12: a run on another machine is overlooked", "internal/session/claim.go", []string{"return held || err != nil", "return held && err != nil"}, simulator, nights},
		{"invariant 13: an agent's list loses a gate", "internal/todo/carry.go", []string{"\t\tit.Gate = old.Gate\n", "\t\tit.Gate = nil\n"}, simulator, nights},
		{"invariant 14: an agent's list completes an item without its gate", "internal/todo/gate.go", []string{"it.Gate == nil || it.Status != Completed ||", "true ||"}, simulator, nights},
		{"invariant 14: a gate that fails passes", "internal/todo/gate.go", []string{"return r.Problem == \"\" && r.Code == 0", "return r.Problem == \"\""}, simulator, nights},
		{"invariant 14: a gate that was changed while it ran counts", "internal/todo/gate.go", []string{"case it.Gate == nil || it.Gate.Command != was.Gate.Command:", "case it.Gate == nil:"}, simulator, nights},
		{"invariant 13: an agent's list loses a claimed item", "internal/todo/carry.go", []string{`saved[i].guarded() != "" || saved[i].Claim != nil ||`, `saved[i].guarded() != "" ||`}, simulator, nights},
		{"invariant 11: marks before the first list are dropped", "internal/continue/event_check.go", []string{"\treturn kindOf(e.Type).makes\n", "\treturn kindOf(e.Type).list\n"}, simulator, nights},
	}
}

// files returns the files of the mutant with its edits.
func (m mutant) files(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	edits := 0
	for _, file := range strings.Split(m.file, "+") {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for i := 0; i < len(m.edit); i += 2 {
			if n := strings.Count(text, m.edit[i]); n == 1 {
				text = strings.Replace(text, m.edit[i], m.edit[i+1], 1)
				edits++
			} else if n > 1 {
				t.Fatalf("%q is %d times in %s", m.edit[i], n, file)
			}
		}
		files[file] = text
	}
	if edits != len(m.edit)/2 {
		t.Fatalf("%d of %d edits found their place: the code has changed, and so must the mutant", edits, len(m.edit)/2)
	}
	return files
}

// TestEveryMutantFindsItsPlace checks that each mutant can still be made from the code: only the long form builds them.
func TestEveryMutantFindsItsPlace(t *testing.T) {
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) { m.files(t, filepath.Join("..", "..")) })
	}
}

// TestEveryMutantIsCaught makes each mistake, and runs the tests that must catch it. They have to fail:
// a test that passes with the mistake does not prove that the mistake is absent.
func TestEveryMutantIsCaught(t *testing.T) {
	if *form != "all" {
		t.Skip("skipped: it builds and tests the program once for each mutant; run it with -sweep all")
	}
	if os.Getenv("ONWARD_TORTURED") != "" {
		t.Skip("skipped: this is a mutant")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			dir := t.TempDir()
			replaced := map[string]string{}
			overlaid := map[string]string{}
			for file, text := range m.files(t, root) {
				// A name that ends with _linux.go or the like would be built for that system only.
				at := filepath.Join(dir, filepath.Base(file))
				if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				replaced[file], overlaid[filepath.Join(root, file)] = at, at
			}
			mutated := m.name
			if m.test != "./test/simulate" { // the simulator starts no program
				if mutated, err = build(dir, replaced); err != nil {
					t.Fatal(err)
				}
			}
			overlay, err := writeOverlay(dir, overlaid)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"test", "-count=1", "-short", "-failfast", m.test, "-run", m.run}
			switch m.test {
			case "./test/torture":
				args = append(args, "-sweep", "once", "-kills", "100")
			case "./test/simulate":
				args = append(args, "-worlds", "2000")
			case ".":
				args = append(args, "-long")
			}
			cmd := exec.Command("go", args...)
			cmd.Dir = root
			// The flag reaches the builds of the test as well.
			cmd.Env = append(os.Environ(), "ONWARD_TORTURED="+mutated, "GOFLAGS=-overlay="+overlay)
			said, err := cmd.CombinedOutput()
			sign := "--- FAIL"
			number, _, named := strings.Cut(m.name, ":")
			if named {
				sign = "breaks " + number + ","
			}
			if err == nil || strings.Contains(string(said), "[build failed]") || !strings.Contains(string(said), sign) {
				t.Errorf("it was not caught: %v\n%.2000s", err, said)
			}
			if at := bytes.Index(said, []byte("seed ")); named && at >= 0 {
				seed, _, _ := bytes.Cut(said[at:], []byte(" breaks"))
				t.Logf("found at %s", seed)
			}
		})
	}
}
