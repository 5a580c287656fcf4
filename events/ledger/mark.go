package ledger

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"assay/events"
)

// A mark shows that the owner of the signing key stored a group of records, before a checkpoint covers them. It is a
// random nonce of 12 bytes and the tag of AES-256-GCM over the group as additional data, with nothing to encrypt: a MAC
// (NIST SP 800-38D, GMAC). It costs a tenth of hashing the group, and the store would wait for it.

// marking derives the cipher of marks from the seed of a signing key.
func marking(seed []byte) (cipher.AEAD, error) {
	secret, err := hkdf.Key(sha256.New, seed, nil, "assay marks of groups", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// mark returns the mark of a group of records that follow a position.
func (k key) mark(after events.Seq, records [][]byte) []byte {
	nonce := make([]byte, k.marking.NonceSize(), k.marking.NonceSize()+k.marking.Overhead())
	rand.Read(nonce)
	text := groupText(after, records)
	defer groupTexts.Put(&text)
	return k.marking.Seal(nonce, nonce, nil, text)
}

// bears reports whether a mark is that of a group.
func (k key) bears(after events.Seq, records [][]byte, mark []byte) bool {
	n := k.marking.NonceSize()
	if len(mark) < n {
		return false
	}
	text := groupText(after, records)
	defer groupTexts.Put(&text)
	_, err := k.marking.Open(nil, mark[:n], mark[n:], text)
	return err == nil
}

// groupTexts are used again: new memory for each costs more than the MAC.
var groupTexts = sync.Pool{New: func() any { return new([]byte) }}

// groupText returns the text that a mark authenticates: the position, the number of the records, and each record with
// its length.
func groupText(after events.Seq, records [][]byte) []byte {
	text := (*groupTexts.Get().(*[]byte))[:0]
	text = binary.BigEndian.AppendUint64(text, uint64(after))
	text = binary.BigEndian.AppendUint64(text, uint64(len(records)))
	for _, r := range records {
		text = append(binary.BigEndian.AppendUint64(text, uint64(len(r))), r...)
	}
	return text
}
