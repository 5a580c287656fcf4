package main

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"assay/registry/home/carry"
	"assay/registry/input"
	"assay/registry/limits"
	"assay/registry/schedule"
)

// maxConnections is the largest number for a flag.
const maxConnections = 1 << 20

// check refuses invalid flags, and reads the networks.
func (o *serveOptions) check() error {
	for flag, n := range map[string]int{"max-connections": o.total, "max-connections-per-address": o.perAddress} {
		if n < 1 || n > maxConnections {
			return input.Errorf("--%s %d is not from 1 to %d", flag, n, maxConnections)
		}
	}
	if _, port, err := net.SplitHostPort(o.addr); err != nil {
		return input.Errorf("--addr %.100q is no address with a port, such as 127.0.0.1:8080", o.addr)
	} else if _, err := net.LookupPort("tcp", port); err != nil {
		return input.Errorf("--addr %.100q: %.20q is no port", o.addr, port)
	}
	if o.zone != "" {
		if _, err := schedule.Zone(o.zone); err != nil {
			return &input.Error{Reason: "--" + err.Error()}
		}
	}
	for _, text := range o.proxies {
		network, err := parseNetwork(text)
		if err != nil {
			return input.Errorf("--trusted-proxy %.60q is neither an address nor a network, such as 10.0.0.0/8", text)
		}
		o.trusted = append(o.trusted, network)
	}
	return nil
}

// parseNetwork reads a network. An address is read as the network that has no other address.
func parseNetwork(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap().WithZone("")
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	return netip.ParsePrefix(text)
}

// stall is how long a client may take nothing of an answer.
const stall = 30 * time.Second

// limits returns the limits of connections. They leave the store the descriptors that it needs.
func (a *app) limits(o serveOptions) limits.Options {
	total, files := limits.Affordable(o.total, 2*carry.Most)
	if total < o.total {
		a.complain(fmt.Sprintf("takes %s at a time, not %d: the process may open %d files (ulimit -n)", plural(total, "connection"), o.total, files))
	}
	return limits.Options{Total: total, PerAddress: o.perAddress, Trusted: o.trusted, Stall: stall}
}
