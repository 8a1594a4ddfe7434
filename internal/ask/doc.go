// Package ask is the use case "what now?": it takes an agent's report and returns the answer.
//
// An agent reports through a hook or a stream: an event, a list, the end
// of its turn. The report is applied to the agent's list, unless another agent owns it.
// At the end of a turn the answer is to continue, to wait or to stop:
// a question reads the list, decides, runs the gate, counts down if the user wants that,
// commits what must be remembered, and decides again after a wait. The rules of the decision are
// in package continuation; the caller passes in the lists, their store and the clock.
package ask
