package cmd

import (
	"errors"
	"io/fs"
	"os"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/doctor"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/store"
)

type doctorCmd struct{}

// Run checks that everything is set up correctly, and ends with 1 otherwise.
func (c *doctorCmd) Run(a *app) error {
	at, err := a.Address()
	if err != nil {
		return err
	}
	findings := append(a.diagnose(at), configuration(), companions())
	if doctor.Healthy(findings) {
		current, err := a.currentFindings()
		if err != nil {
			return err
		}
		findings = append(findings, current...)
	}
	findings = append(findings, declarations()...)
	reports, err := (&hooksStatusCmd{}).reports(a)
	if err != nil {
		return err
	}
	findings = append(findings, doctor.Agents(installNames(), reports, find.OnPath, find.TodoToolHint)...)
	a.show(findingsJSON(findings), doctor.Text(findings, a.style()))
	if !doctor.Healthy(findings) {
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}

// diagnose examines a store: its folder, or what its database reports.
func (a *app) diagnose(at store.Address) []doctor.Finding {
	if at.Scheme == "" {
		return doctor.Store(at.Text)
	}
	var info overview.Store
	s, err := a.Open(at)
	if err == nil {
		err = info.Read(s)
	}
	if err != nil {
		return []doctor.Finding{{Name: "store", State: doctor.Bad, Detail: err.Error(), Hint: failures().Hint(err)}}
	}
	return doctor.Database(at.Text, info.RoundTrip, store.Condition{Version: info.Version, Remarks: info.Remarks})
}

// currentFindings examines the session that commands work on here, and all saved ones.
func (a *app) currentFindings() ([]doctor.Finding, error) {
	t, failed := a.target()
	here, err := doctor.Current(t.Name, failed, failures().Hint)
	if failed != nil || err != nil {
		return []doctor.Finding{here}, err
	}
	findings := []doctor.Finding{here}
	if is, err := readProject(t); err == nil { // what is wrong with it is reported below
		for _, f := range doctor.Project(is, t.Now) {
			f.Hint = a.withSameListFlags(f.Hint)
			findings = append(findings, f)
		}
	}
	findings = append(findings, doctor.Sessions(t.Store, t.Name, agents.TitleOf, t.Now)...)
	doc, _ := t.Store.Load(t.Name) // what is wrong with it is reported above
	findings = append(findings, doctor.Settings(t.Store.WithKnownSettings(doc), func(key, value string) error {
		_, err := continuation.CheckSetting(key, value)
		return err
	})...)
	findings = append(findings, doctor.DamagedDocuments(t)...)
	findings = append(findings, doctor.LostGates(t)...)
	findings = append(findings, budgets(t)...)
	return append(findings, doctor.Moved(t)...), nil
}

// budgets reports a budget in money for an agent that does not report its cost. Errors of reading are reported elsewhere.
func budgets(t find.List) []doctor.Finding {
	doc, err := t.Store.Load(t.Name)
	if err != nil || doc == nil {
		return nil
	}
	set, err := t.Settings(find.ReadConfig(), nil, doc)
	if err != nil {
		return nil
	}
	return doctor.Budget(doc, set.MaxUSD, agents.ReportsCost)
}

// configuration looks at the configuration file.
func configuration() doctor.Finding {
	path := find.ConfigPath()
	found := doctor.Finding{Name: "configuration", State: doctor.Good, Detail: path}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		found.Detail += " (none; the defaults apply)"
	}
	if _, err := find.ConfigValues(); err != nil {
		found.State, found.Detail, found.Hint = doctor.Bad, err.Error(), failures().Hint(err)
	}
	return found
}

// declarations reports errors in the user's files other than the configuration, because the first command that needs one
// of them would fail.
func declarations() (findings []doctor.Finding) {
	files, err := toolFiles()
	if err != nil {
		return nil // the check `current` has reported the error
	}
	_, badTools := files.UserTools()
	_, badCommands := userCommands(files)
	_, badRules := find.Rules()
	for _, err := range []error{badTools, badCommands, badRules, files.CheckTrust()} {
		if err != nil {
			findings = append(findings, doctor.Finding{Name: "configuration", State: doctor.Bad, Detail: err.Error(), Hint: failures().Hint(err)})
		}
	}
	return findings
}

// findingsJSON is onward/doctor/v1: the findings.
func findingsJSON(findings []doctor.Finding) any {
	return output.Members{"schema", "onward/doctor/v1", "ok", doctor.Healthy(findings), "findings", findings}
}
