// Package ask is the use case "what now?": an agent is about to end its turn,
// and is told to continue, to wait or to stop.
//
// It reads the list, decides, counts down where the user wants that, commits what
// must be remembered, and asks again after a wait. The rules of the decision are
// in package continuation; the list, its store and the passing of time are handed in.
package ask
