package deduce

import "sync"

// Topologies keeps the topologies of the outlines that were met, for the next puzzle with one of them. It is safe for
// use by several goroutines.
type Topologies[O comparable] struct {
	Make func(outline O) *Topology
	Most int // are kept: when one more is made, all others are forgotten

	mu   sync.RWMutex
	kept map[O]*Topology // guarded by mu
}

// Of returns the topology of an outline.
func (k *Topologies[O]) Of(outline O) *Topology {
	k.mu.RLock()
	t, known := k.kept[outline]
	k.mu.RUnlock()
	if known {
		return t
	}
	t = k.Make(outline)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= k.Most {
		k.kept = map[O]*Topology{}
	}
	k.kept[outline] = t
	return t
}
