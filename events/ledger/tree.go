package ledger

import (
	"fmt"
	"os"
	"sync"

	"assay/events"

	"golang.org/x/mod/sumdb/tlog"
)

// frontier is the right edge of a tree: the hash of each complete subtree that is not in a larger one. There is one of
// 2ⁱ leaves for each bit i of size.
type frontier struct {
	size  int64
	peaks [63]tlog.Hash // by level
}

// add makes the tree one leaf larger. It appends to out the hashes of the leaf and of the subtrees that the leaf
// completes, in their stored form.
func (f *frontier) add(leaf tlog.Hash, out []byte) []byte {
	h := leaf
	out = append(out, h[:]...)
	level := 0
	for ; f.size>>level&1 == 1; level++ {
		h = tlog.NodeHash(f.peaks[level], h)
		out = append(out, h[:]...)
	}
	f.peaks[level] = h
	f.size++
	return out
}

// root returns the hash of the tree.
func (f *frontier) root() tlog.Hash {
	if f.size == 0 {
		empty, _ := tlog.TreeHash(0, nil) // reads nothing
		return empty
	}
	var root tlog.Hash
	first := true
	for level := range f.peaks {
		switch {
		case f.size>>level&1 == 0:
		case first:
			root, first = f.peaks[level], false
		default:
			root = tlog.NodeHash(f.peaks[level], root)
		}
	}
	return root
}

// hashFile is the file of tree hashes. It may have more of them than the ledger vouches for.
type hashFile struct {
	file *os.File

	mu    sync.Mutex // guards the fields below: the part of the file that was read last
	from  int64
	block []byte
}

const blockSize = 64 << 10

func openHashes(path string, create bool) (*hashFile, error) {
	flag := os.O_RDWR
	if create {
		flag |= os.O_CREATE
	}
	file, err := os.OpenFile(path, flag, 0o600)
	if os.IsNotExist(err) {
		return nil, damaged(fmt.Errorf("%w: they are missing: %w", ErrHashes, err))
	}
	if err != nil {
		return nil, err
	}
	return &hashFile{file: file, block: make([]byte, 0, blockSize)}, nil
}

// at reads the hash with a stored hash index.
func (h *hashFile) at(index int64) (hash tlog.Hash, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := index*tlog.HashSize - h.from
	if at < 0 || at+tlog.HashSize > int64(len(h.block)) {
		h.from = index * tlog.HashSize / blockSize * blockSize
		at = index*tlog.HashSize - h.from
		n, err := h.file.ReadAt(h.block[:blockSize], h.from) // missing bytes are found below
		h.block = h.block[:n]
		if events.Shortage(err) {
			return hash, err
		}
	}
	if at+tlog.HashSize > int64(len(h.block)) {
		return hash, damaged(fmt.Errorf("%w: number %d is missing", ErrHashes, index))
	}
	copy(hash[:], h.block[at:])
	return hash, nil
}

// ReadHashes makes the file a tlog.HashReader.
func (h *hashFile) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		var err error
		if hashes[i], err = h.at(index); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

// write writes hashes at a stored hash index, and drops the part that was read.
func (h *hashFile) write(index int64, hashes []byte, sync bool) error {
	_, err := h.file.WriteAt(hashes, index*tlog.HashSize)
	if err == nil && sync {
		err = h.file.Sync()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.block = h.block[:0]
	return err
}

// frontier reads the right edge of the tree of a size.
func (h *hashFile) frontier(size events.Seq) (f frontier, err error) {
	for level := range f.peaks {
		if size>>level&1 == 1 {
			n := int64(size>>level) - 1
			if f.peaks[level], err = h.at(tlog.StoredHashIndex(level, n)); err != nil {
				return frontier{}, err
			}
		}
	}
	f.size = int64(size)
	return f, nil
}
