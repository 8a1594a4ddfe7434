package simulate

import "time"

// machine is an actor that changes the machine's clock, ends its processes, and disturbs the store.
type machine struct{ *actor }

func (m machine) live() {
	for m.at < night {
		m.pass(40 * time.Minute)
		switch m.choice(4, 2, 1, 1, 1) {
		case 1:
			silent := time.Duration(1+m.upTo(300)) * time.Second
			m.count("store", "is silent")
			m.say("store", "does not answer for %v", silent)
			m.down = m.at + silent
		case 2:
			m.count("machine", "has its clock set")
			m.jumped = true
			const from1970 = 56 * 365 * 24 * time.Hour // a machine's clock cannot be set to a time before 1970
			m.offset += []time.Duration{time.Hour, -time.Hour, 14 * 365 * 24 * time.Hour, -from1970, -m.offset}[m.upTo(5)]
			m.offset = max(m.offset, -from1970)
			m.say("machine", "has its clock set to %s", m.clock().Time().UTC().Format(time.RFC3339))
		case 4:
			m.count("machine", "has a full disk")
			m.full = m.at + time.Duration(1+m.upTo(60))*time.Minute
			m.say("machine", "has a full disk for %v", m.full-m.at)
		case 3:
			m.count("machine", "is started again")
			m.say("machine", "is started again")
			for _, s := range m.shifts {
				s.reboots()
			}
			for _, g := range m.agents {
				switch {
				case g.shift != nil:
				case g.busy:
					g.killed = true
					g.wake()
				case g.process != nil:
					m.count("agent", "is killed")
					g.dies()
				}
			}
		}
	}
}
