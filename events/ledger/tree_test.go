package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"testing"

	"assay/events"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

// naiveRoot is RFC 6962, section 2.1, word by word.
func naiveRoot(leaves [][]byte) [32]byte {
	switch n := len(leaves); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	default:
		k := 1 << (bits.Len(uint(n-1)) - 1) // the largest power of two below n
		left, right := naiveRoot(leaves[:k]), naiveRoot(leaves[k:])
		return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
	}
}

// naivePath is the audit path of section 2.1.1.
func naivePath(m int, leaves [][]byte) [][32]byte {
	n := len(leaves)
	if n == 1 {
		return nil
	}
	k := 1 << (bits.Len(uint(n-1)) - 1)
	if m < k {
		return append(naivePath(m, leaves[:k]), naiveRoot(leaves[k:]))
	}
	return append(naivePath(m-k, leaves[k:]), naiveRoot(leaves[:k]))
}

// naiveConsistency is the proof of section 2.1.2.
func naiveConsistency(m int, leaves [][]byte, whole bool) [][32]byte {
	n := len(leaves)
	if m == n {
		if whole {
			return nil
		}
		return [][32]byte{naiveRoot(leaves)}
	}
	k := 1 << (bits.Len(uint(n-1)) - 1)
	if m <= k {
		return append(naiveConsistency(m, leaves[:k], whole), naiveRoot(leaves[k:]))
	}
	return append(naiveConsistency(m-k, leaves[k:], false), naiveRoot(leaves[:k]))
}

// The inputs and roots that the first implementation of RFC 6962 tests itself with, certificate-transparency.
func TestPublishedRoots(t *testing.T) {
	inputs := []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	roots := []string{
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
	var f frontier
	if got, want := hex.EncodeToString(rootBytes(&f)), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; got != want {
		t.Errorf("the empty tree has root %s", got)
	}
	for i, input := range inputs {
		leaf, err := hex.DecodeString(input)
		if err != nil {
			t.Fatal(err)
		}
		f.add(tlog.RecordHash(leaf), nil)
		if got := hex.EncodeToString(rootBytes(&f)); got != roots[i] {
			t.Errorf("%d leaves have root %s, want %s", i+1, got, roots[i])
		}
	}
}

func rootBytes(f *frontier) []byte {
	root := f.root()
	return root[:]
}

// The frontier stores what tlog stores, and has the root of tlog and of the RFC at every size; the file
// gives the frontier back.
func TestTreeIsTheOneOfTlogAndOfTheRFC(t *testing.T) {
	hashes, err := openHashes(filepath.Join(t.TempDir(), "hashes"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer hashes.file.Close()
	var f frontier
	var leaves [][]byte
	for n := int64(0); n < 300; n++ {
		leaf := fmt.Append(nil, "leaf ", n)
		leaves = append(leaves, leaf)
		want, err := tlog.StoredHashes(n, leaf, hashes)
		if err != nil {
			t.Fatal(err)
		}
		out := f.add(tlog.RecordHash(leaf), nil)
		if len(out) != len(want)*tlog.HashSize {
			t.Fatalf("leaf %d stores %d bytes, want %d hashes", n, len(out), len(want))
		}
		for i, h := range want {
			if h != tlog.Hash(out[i*tlog.HashSize:]) {
				t.Fatalf("leaf %d, stored hash %d differs", n, i)
			}
		}
		if err := hashes.write(tlog.StoredHashCount(n), out, false); err != nil {
			t.Fatal(err)
		}
		root, err := tlog.TreeHash(n+1, hashes)
		if err != nil || root != f.root() || root != tlog.Hash(naiveRoot(leaves)) {
			t.Fatalf("%d leaves: tlog %v, %v; frontier %v; naive %x", n+1, root, err, f.root(), naiveRoot(leaves))
		}
		if back, err := hashes.frontier(events.Seq(n + 1)); err != nil || back.root() != root {
			t.Fatalf("%d leaves, read back: %v, %v", n+1, back.root(), err)
		}
	}
	if _, err := hashes.at(tlog.StoredHashCount(300)); err == nil {
		t.Error("a hash beyond the end was read")
	}
}

func same(a []tlog.Hash, b [][32]byte) bool {
	return slices.EqualFunc(a, b, func(a tlog.Hash, b [32]byte) bool { return a == b })
}

// The proofs that tlog makes from the file are those of the RFC.
func TestProofsAreThoseOfTheRFC(t *testing.T) {
	l := newLedger(t)
	var leaves [][]byte
	for n := range 70 {
		leaves = append(leaves, fmt.Append(nil, "leaf ", n))
	}
	mustSeal(t, l, leaves...)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, len(leaves)).Draw(t, "size")
		m := rapid.IntRange(1, n).Draw(t, "old")
		proof, err := tlog.ProveRecord(int64(n), int64(m-1), l.hashes)
		if err != nil || !same(proof, naivePath(m-1, leaves[:n])) {
			t.Fatalf("event %d of %d: %x, %v", m, n, proof, err)
		}
		growth, err := l.Consistency(events.Seq(m), events.Seq(n))
		if err != nil || !same(growth, naiveConsistency(m, leaves[:n], true)) {
			t.Fatalf("%d to %d: %x, %v", m, n, growth, err)
		}
		if err := tlog.CheckTree(growth, int64(n), naiveRoot(leaves[:n]), int64(m), naiveRoot(leaves[:m])); err != nil {
			t.Fatal(err)
		}
	})
}
