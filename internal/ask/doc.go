// Package ask is the use case "what now?": what an agent says, and what it is told.
//
// An agent says something through a hook or a stream: what happened, a list, the end
// of its turn. It goes into the agent's list, where nobody else holds that.
// At the end of a turn the agent is told to continue, to wait or to stop:
// a question reads the list, decides, runs the gate, counts down where the user wants that,
// commits what must be remembered, and asks again after a wait. The rules of the decision are
// in package continuation; the lists, their store and the passing of time are handed in.
package ask
