package deduce

import "sync"

// Topologies stores the topologies of known outlines, for the next puzzle with the same outline. It is safe for use by
// several goroutines.
type Topologies[O comparable] struct {
	Make func(outline O) *Topology
	Most int // stored at most: one more makes all others be dropped

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
