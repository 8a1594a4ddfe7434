// Package torture checks onward over etcd as databases are tested.
//
// Many processes of the real programs work at the same time: they change and read lists, queue and read messages, submit
// and run calls, ask whether to continue, create and delete sessions. While they do, the network between them and the servers
// is cut, drops and delays data, and loses answers; servers are killed, frozen, filled, compacted and replaced; commands
// are killed, runners frozen, and clocks wrong. The requests, the answers and the times of all commands are recorded, and
// compared with the promises of the manual afterwards. For lists, messages and sessions, some order of all operations, each
// between its beginning and its end, must explain every answer (linearizability, checked by porcupine). Calls and counters have rules of their own.
//
// It is in this module because no other one needs the servers and porcupine.
package torture
