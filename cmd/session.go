package cmd

import (
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/live"
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
	doc, err := t.store.Load(t.name)
	switch {
	case err != nil:
		return err
	case doc == nil && (t.named || a.JSON):
		return fmt.Errorf("%w: %q", session.ErrNoSession, t.name)
	case a.JSON:
		data, err := session.Encode(doc)
		if err != nil {
			return err
		}
		a.write(render.JSON(data))
		return nil
	}
	var standing continuation.Standing
	if doc != nil {
		if _, standing, err = t.stand(readConfigFile(), doc, t.gone(doc)); err != nil {
			standing = live.Unknown(err.Error(), doc.UpdatedAt)
		}
	}
	a.print(sessionText(t.name, t.store.Path(t.name), doc, standing, a.style(), t.now.Time()))
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
	path := t.store.Path(t.name)
	a.show(pathJSON(t.name, path), render.Text(path)+"\n")
	return nil
}

// targetNamed is the target of a command that takes a session as its argument.
func (a *app) targetNamed(id string) (target, error) {
	t, err := a.target()
	if err != nil || id == "" {
		return t, err
	}
	t.name, err = session.ParseName(id)
	t.named = true
	return t, err
}

type sessionUseCmd struct {
	ID      string `arg:"" optional:"" complete:"session" help:"The session."`
	Derived bool   `help:"Go back to the one that is derived from the project's folder."`
}

// Run chooses the session that commands in this project use from now on.
func (c *sessionUseCmd) Run(a *app) error {
	if (c.ID == "") != c.Derived {
		return cli.Hinted(cli.Usagef("name one session, or use --derived"), "for example `onward session use release`; `onward session list` shows the sessions")
	}
	files, err := a.storage()
	if err != nil {
		return err
	}
	now, err := a.clock()
	if err != nil {
		return err
	}
	project, err := findProject("")
	if err != nil {
		return err
	}
	why := files.identify(&project)
	if c.ID != "" {
		if err := settle(files, c.ID, project, now); err != nil {
			return err
		}
	}
	id, err := files.sessions().Choose(project, c.ID, now.Time())
	if err != nil {
		return unnamed(err, why)
	}
	a.committed = true
	a.tell(document("onward/project/v1", session.Name{Session: id}, "project", project.Dir), fmt.Sprintf("session %s is now the session of %s\n", id, render.Text(project.Dir)))
	if _, named := setting(a.Session, "ONWARD_SESSION"); named && !a.JSON {
		a.printNote("ONWARD_SESSION or --session still goes before it")
	}
	return nil
}
