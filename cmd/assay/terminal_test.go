package main

import (
	"os"
	"testing"
)

func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	for _, path := range []string{os.DevNull, "terminal_test.go"} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if isTerminal(f) {
			t.Errorf("%s is a terminal", path)
		}
	}
	terminal, err := os.Open("/dev/ptmx")
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if !isTerminal(terminal) {
		t.Error("a pseudo terminal is none")
	}
}
