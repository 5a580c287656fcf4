package home

import (
	"strings"
	"syscall"
	"testing"
)

func TestWhoIsBelieved(t *testing.T) {
	const root, owner, user, other = 0, 10, 20, 30
	for _, c := range []struct {
		listener syscall.Ucred
		says     string
	}{
		{syscall.Ucred{Pid: 7, Uid: owner}, ""},
		{syscall.Ucred{Pid: 7, Uid: user}, ""},
		{syscall.Ucred{Pid: 7, Uid: other}, "it is of user 30, and the directory of user 10"},
		{syscall.Ucred{Pid: 7, Uid: root}, "it is of user 0, and the directory of user 10"},
		{syscall.Ucred{Pid: 8, Uid: owner}, "process 8 listens on its socket"},
		{syscall.Ucred{Pid: 0, Uid: user}, "process 0 listens on its socket"},
	} {
		switch err := (holder{PID: 7}).isAt(c.listener, owner, user); {
		case err == nil && c.says != "", err != nil && (c.says == "" || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%+v: %v, not %q", c.listener, err, c.says)
		}
	}
	for _, c := range []struct {
		asks, serves uint32
		may          bool
	}{{user, user, true}, {root, user, true}, {other, user, false}, {user, root, false}} {
		if mayAsk(c.asks, c.serves) != c.may {
			t.Errorf("%+v", c)
		}
	}
}
