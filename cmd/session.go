package cmd

import (
	"errors"
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/render"
	"onward/internal/session"
)

type sessionShowCmd struct {
	ID string `arg:"" optional:"" complete:"session" help:"The session; default: the current one."`
}

// Run shows the saved state of a session. The JSON is the document itself.
func (c *sessionShowCmd) Run(a *app) error {
	t, err := a.targetNamed(c.ID)
	if err != nil {
		return err
	}
	doc, err := t.Store.Load(t.Name)
	switch {
	case err != nil:
		return err
	case doc == nil && (t.Named || a.JSON):
		return &session.NoSessionError{Name: t.Name.String()}
	case a.JSON:
		data, err := session.Encode(doc)
		if err != nil {
			return err
		}
		a.write(render.EscapeJSON(data))
		return nil
	}
	var standing continuation.Standing
	if doc != nil {
		if _, standing, err = overview.Standing(t, find.ReadConfig(), doc, overview.OwnerGone(t, doc)); err != nil {
			standing = live.DamagedStanding(err.Error(), doc.UpdatedAt)
		}
	}
	last, _ := t.Store.ReadRun(t.Name) // the state tells where it cannot be read
	a.print(sessionText(t.Name, t.Store.Path(t.Name), doc, standing, last.AgentsText(t.Now), a.style(), t.Now.Time()))
	return nil
}

type sessionPathCmd struct {
	ID string `arg:"" optional:"" complete:"session" help:"The session; default: the current one."`
}

// Run prints the file of a session, whether or not it exists yet.
func (c *sessionPathCmd) Run(a *app) error {
	t, err := a.targetNamed(c.ID)
	if err != nil {
		return err
	}
	path := t.Store.Path(t.Name)
	a.show(output.PathJSON(t.Name, path), render.Text(path)+"\n")
	return nil
}

// targetNamed is the target of a command that takes a session as its argument.
func (a *app) targetNamed(id string) (find.List, error) {
	t, err := a.target()
	if id == "" || err != nil && !errors.Is(err, session.ErrUnnamed) {
		return t, err
	}
	t.Name, err = session.ParseName(id)
	t.Named, t.ByFlag, a.Session = true, true, &t.Name.Session // hints name it, too
	return t, err
}

type sessionUseCmd struct {
	ID      string `arg:"" optional:"" complete:"session" help:"The session."`
	Derived bool   `help:"Go back to the session named after the project's folder."`
}

// Run chooses the session that commands in this project use from now on.
func (c *sessionUseCmd) Run(a *app) error {
	if (c.ID == "") != c.Derived {
		return cli.WithHint(cli.Usagef("name one session, or use --derived"), "for example `onward session use release`; `onward session list` shows the sessions")
	}
	// What a run has started has its session from the run, so the choice would only be another one for the user.
	if find.WithoutUser() {
		return find.RequirePerson("choose the session of the project in a run", "`onward --session NAME todo show` shows another one's list")
	}
	files, err := a.Storage()
	if err != nil {
		return err
	}
	now, err := a.Clock()
	if err != nil {
		return err
	}
	project, err := find.Project("")
	if err != nil {
		return err
	}
	why := files.Identify(&project)
	if c.ID != "" {
		if err := find.AdoptGoneProject(files, c.ID, project, now); err != nil {
			return err
		}
	}
	sessions := files.Sessions()
	sessions.Agent = find.AuthorityOverSessions()
	id, err := sessions.ChooseSession(project, c.ID, now.Time())
	if err != nil {
		return a.explainForbidden(find.List{}, find.UnnamedProjectError(err, why))
	}
	a.committed = true
	a.tell(output.Document("onward/project/v1", session.Name{Session: id}, "project", project.Dir), fmt.Sprintf("session %s is now the session of %s\n", id, render.Text(project.Dir)))
	if _, named := find.FlagOrVariable(a.Session, "ONWARD_SESSION"); named && !a.JSON {
		a.printNote("ONWARD_SESSION or --session still goes before it")
	}
	return nil
}
