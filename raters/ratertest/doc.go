// Package ratertest is the conformance suite of the engines: what every genre promises, checked the
// same way for all of them, and the version locks that keep the output of an engine version for ever.
package ratertest
