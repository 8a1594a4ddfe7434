package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (b *bench) read(uri string) (string, error) {
	b.t.Helper()
	r, err := b.client.ReadResource(b.t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	if len(r.Contents) != 1 || r.Contents[0].MIMEType != "application/json" || r.Contents[0].URI != uri {
		b.t.Fatalf("%s: %+v", uri, r.Contents)
	}
	return r.Contents[0].Text, nil
}

func TestResources(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		b.does(writeTool, todos("one"))
		b.onward("todo", "add", "elsewhere", "--session", "release-2")
		list, err := b.client.ListResources(t.Context(), nil)
		if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != currentURI {
			t.Errorf("the resources are %v, %v", list, err)
		}
		templates, err := b.client.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "todo://session/{id}" {
			t.Errorf("the templates are %v, %v", templates, err)
		}
		for uri, want := range map[string]string{currentURI: `"content":"one"`, "todo://session/release-2": `"content":"elsewhere"`} {
			if text, err := b.read(uri); err != nil || !strings.Contains(text, want) || !strings.Contains(text, "onward/todos/v1") {
				t.Errorf("%s: %v %s", uri, err, text)
			}
		}
		for _, uri := range []string{"todo://other", "todo://session/", "todo://session/..", "todo://session/a%2Fb", "todo://session/--help", "todo://session/%00", "todo://session/a/b", "file:///etc/passwd", "", "%zz"} {
			if text, err := b.read(uri); err == nil {
				t.Errorf("%q: %s", uri, text)
			}
		}
	})
}

func TestSubscription(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		if err := b.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "todo://session/x"}); err == nil && protocol == protocols[0] {
			t.Error("another list can be subscribed to")
		}
		if err := b.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: currentURI}); err != nil {
			t.Fatal(err)
		}
		b.onward("todo", "add", "one")
		if uri := soon(t, "notification", b.updated); uri != currentURI {
			t.Errorf("%s has changed", uri)
		}
		if text, err := b.read(currentURI); err != nil || !strings.Contains(text, `"content":"one"`) {
			t.Errorf("it is now %s, %v", text, err)
		}
		// If another session is chosen for the project, the resource is the list of that session.
		b.onward("todo", "add", "two", "--session", "other")
		b.onward("session", "use", "other")
		soon(t, "notification", b.updated)
		if text, err := b.read(currentURI); err != nil || !strings.Contains(text, `"content":"two"`) {
			t.Errorf("it is now %s, %v", text, err)
		}
	})
}

func TestCompletion(t *testing.T) {
	b := open(t, setting{})
	b.onward("todo", "add", "x", "--session", "release-1")
	b.onward("todo", "add", "x", "--session", "release-2")
	b.onward("todo", "add", "x", "--session", "main")
	complete := func(ref *mcp.CompleteReference, name, value string) string {
		t.Helper()
		r, err := b.client.Complete(t.Context(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: name, Value: value}})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(r.Completion.Values, " ")
	}
	session := &mcp.CompleteReference{Type: "ref/resource", URI: "todo://session/{id}"}
	if got := complete(session, "id", "rel"); !strings.Contains(got, "release-1") || !strings.Contains(got, "release-2") || strings.Contains(got, "main") {
		t.Errorf("rel completes to %s", got)
	}
	if got := complete(session, "other", ""); got != "" {
		t.Errorf("another argument completes to %s", got)
	}
	if got := complete(&mcp.CompleteReference{Type: "ref/prompt", Name: "add"}, "text", ""); got != "" {
		t.Errorf("a text completes to %s", got)
	}
}
