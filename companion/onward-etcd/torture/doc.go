// Package torture checks onward over etcd as a tester of databases does.
//
// Many processes of the real programs work at once: they change and read lists, queue and read messages, submit and run
// calls, ask whether to continue, create and delete sessions. Meanwhile the network between them and the servers is cut,
// swallows, delays, and loses answers; servers are killed, frozen, filled, compacted and replaced; commands are killed,
// runners frozen, and clocks wrong. What each command was asked, when, and what it answered is recorded,
// and afterwards it must be explained by what the manual promises: for lists, messages and sessions there must be an
// order of all operations, each between its beginning and its end, which leads to every answer (linearizability,
// checked by porcupine); for calls and counters there are rules of their own.
//
// It is in the module of the engine, because the servers and porcupine are needed here only.
package torture
