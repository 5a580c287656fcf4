package projections

import (
	"context"
	"sync"

	"assay/events"
)

// Follow applies new events of a log to tables until the context ends or end is called. End waits until Follow has
// stopped. Meanwhile CatchUp only waits for Follow. If a table cannot be brought up to date, Follow tries again when
// somebody asks. Only one Follow of a store may run at a time.
func (s *Store) Follow(ctx context.Context, log events.Log, tables ...Projection) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.followed.change(func() { s.followed.running = true })
	var group sync.WaitGroup
	group.Go(func() {
		defer s.followed.end()
		for ctx.Err() == nil {
			try, again := context.WithCancel(ctx)
			s.followed.begin(again)
			if err := s.keepUp(try, log, tables); ctx.Err() == nil {
				s.followed.fail(err)
			}
			<-try.Done()
			again()
		}
	})
	return func() { cancel(); group.Wait() }
}

// keepUp applies events as they arrive, and returns why it cannot go on.
func (s *Store) keepUp(ctx context.Context, log events.Log, tables []Projection) error {
	at, err := s.takeIn(ctx, log, tables)
	if err != nil {
		return err
	}
	for e, err := range log.Follow(ctx, at) {
		if err == nil && e.Seq > at {
			at, err = s.takeIn(ctx, log, tables)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// takeIn brings tables up to the end of the log, and returns the position that all of them have reached.
func (s *Store) takeIn(ctx context.Context, log events.Log, tables []Projection) (events.Seq, error) {
	if err := s.bringUp(ctx, log, tables); err != nil {
		return 0, err
	}
	at, err := s.position(tables)
	if err == nil {
		s.followed.reach(at)
	}
	return at, err
}

// position returns the position that all of the tables have reached at least.
func (s *Store) position(tables []Projection) (events.Seq, error) {
	at := ^events.Seq(0)
	for _, p := range tables {
		seq, err := s.Cursor(p.Name())
		if err != nil {
			return 0, err
		}
		at = min(at, seq)
	}
	return at, nil
}

// awaitEnd waits until the tables have reached the present end of the log. It reports whether Follow is running.
func (s *Store) awaitEnd(ctx context.Context, log events.Log, tables []Projection) (is bool, err error) {
	if !s.followed.is() {
		return false, nil
	}
	end, err := s.position(tables)
	if err != nil {
		return true, err
	}
	for e, err := range log.Read(ctx, end) {
		if err != nil {
			return true, err
		}
		end = e.Seq
	}
	return s.followed.await(ctx, end)
}

// Await waits until the tables of a running Follow have reached an event, and returns why they cannot. Without a Follow
// it returns at once.
func (s *Store) Await(ctx context.Context, seq events.Seq) error {
	_, err := s.followed.await(ctx, seq)
	return err
}

// Current returns why the tables of a running Follow are not up to date.
func (s *Store) Current(ctx context.Context) error { return s.Await(ctx, 0) }

// followState is the progress of Follow.
type followState struct {
	mu      sync.Mutex // guards the fields below
	changed *sync.Cond // signals changes
	running bool
	seq     events.Seq         // the position that all tables have reached
	tries   int                // the number of the present attempt
	again   context.CancelFunc // starts another attempt when the present one has failed
	failed  int                // the attempt that failed last
	err     error              // its error; nil once a later attempt has caught up
}

func newFollowed() *followState {
	f := &followState{}
	f.changed = sync.NewCond(&f.mu)
	return f
}

// change changes the state, and wakes those who wait.
func (f *followState) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
	f.changed.Broadcast()
}

func (f *followState) begin(again context.CancelFunc) {
	f.change(func() { f.tries, f.again = f.tries+1, again })
}

func (f *followState) is() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.running
}

func (f *followState) reach(seq events.Seq) { f.change(func() { f.seq, f.err = seq, nil }) }
func (f *followState) fail(err error)       { f.change(func() { f.failed, f.err = f.tries, err }) }
func (f *followState) end()                 { f.change(func() { f.running, f.err = false, nil }) }

// await waits until the tables have reached an event. It tries once more when it finds a failure. It reports whether
// Follow is running.
func (f *followState) await(ctx context.Context, seq events.Seq) (is bool, err error) {
	defer context.AfterFunc(ctx, func() { f.change(func() {}) })()
	f.mu.Lock()
	defer f.mu.Unlock()
	for first := f.tries; f.running && ctx.Err() == nil; f.changed.Wait() {
		switch {
		case f.err == nil && f.seq >= seq:
			return true, nil
		case f.err != nil && f.failed > first:
			return true, f.err
		case f.err != nil && f.failed == f.tries:
			f.again()
		}
	}
	return f.running, ctx.Err()
}
