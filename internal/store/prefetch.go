package store

// GetResult is what Get returns of a document.
type GetResult struct {
	Value Value
	Err   error
}

// GetEach reads documents one by one, for a backend that cannot do better.
func GetEach(b Backend, keys []Key) []GetResult {
	out := make([]GetResult, len(keys))
	for i, k := range keys {
		out[i].Value, out[i].Err = b.Get(k)
	}
	return out
}

// prefetched answers Get from what was read before.
type prefetched struct {
	Backend
	got map[Key]GetResult
}

// Prefetch reads documents with few requests, and returns a backend whose Get answers with them. It is for a look at
// many documents that changes none: it does not show what others commit in the meantime.
func Prefetch(b Backend, keys []Key) Backend {
	p := prefetched{b, make(map[Key]GetResult, len(keys))}
	for i, g := range b.GetMany(keys) {
		p.got[keys[i]] = g
	}
	return p
}

func (p prefetched) Get(k Key) (Value, error) {
	if g, has := p.got[k]; has {
		return g.Value, g.Err
	}
	return p.Backend.Get(k)
}
