package integrity

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"

	"assay/events"
	"assay/registry/input"
)

// A backup is one zstd stream: the line backupHeader, the notes of the ledger and then the records in order,
// each preceded by its length as a uvarint, and at the end a zero. It holds no key and no secret.
const backupHeader = "assay backup 1\n"

// maxNotes is the most of a ledger's notes that is read, in bytes.
const maxNotes = 64 << 20

// Backup describes a backup: the object backup/1.
type Backup struct {
	Schema string     `json:"schema"`
	Events events.Seq `json:"events"`
	Root   string     `json:"root"`
}

// Backup writes the log up to the newest checkpoint, while the registry goes on.
func (h Holdings) Backup(ctx context.Context, w io.Writer) (Backup, error) {
	checkpoint := h.Ledger.Checkpoint()
	notes := h.Ledger.NotesUpTo(checkpoint.Size)
	out, err := zstd.NewWriter(w)
	if err != nil {
		return Backup{}, err
	}
	defer out.Close()
	if _, err := io.WriteString(out, backupHeader); err != nil {
		return Backup{}, err
	}
	if err := writeBlock(out, notes); err != nil {
		return Backup{}, err
	}
	if err := h.backupRecords(ctx, out, checkpoint.Size); err != nil {
		return Backup{}, err
	}
	if _, err := out.Write([]byte{0}); err != nil {
		return Backup{}, err
	}
	return Backup{Schema: "backup/1", Events: checkpoint.Size, Root: checkpoint.Root.String()}, out.Close()
}

func (h Holdings) backupRecords(ctx context.Context, w io.Writer, size events.Seq) error {
	done := events.Seq(0)
	for e, err := range h.Log.Read(ctx, 0) {
		switch {
		case err != nil:
			return err
		case e.Seq > size:
			return nil
		}
		if err := writeBlock(w, e.Raw); err != nil {
			return err
		}
		done = e.Seq
	}
	if done < size {
		return fmt.Errorf("the log ends at event %d of %d: %w", done, size, events.ErrDamaged)
	}
	return nil
}

func writeBlock(w io.Writer, data []byte) error {
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(data)))); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

// OpenBackup reads a backup: the notes of its ledger, and its events in order. Damage is an error, at the latest at its
// end.
func OpenBackup(r io.Reader) (notes []byte, records iter.Seq2[events.Event, error], err error) {
	stream, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return nil, nil, fmt.Errorf("backup: %w", err)
	}
	in := bufio.NewReaderSize(stream, 1<<20)
	header := make([]byte, len(backupHeader))
	if _, err := io.ReadFull(in, header); err != nil || string(header) != backupHeader {
		stream.Close()
		return nil, nil, errors.Join(input.Errorf("the file is not a backup that this program knows: it does not begin with %q", backupHeader), err)
	}
	if notes, err = readBlock(in, maxNotes); err != nil {
		stream.Close()
		return nil, nil, fmt.Errorf("backup: the ledger: %w", err)
	}
	return notes, func(yield func(events.Event, error) bool) {
		defer stream.Close()
		backedUp(in, yield)
	}, nil
}

func backedUp(in *bufio.Reader, yield func(events.Event, error) bool) {
	for seq := events.Seq(1); ; seq++ {
		raw, err := readBlock(in, events.MaxRecord)
		if err == nil && len(raw) == 0 {
			if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
				yield(events.Event{}, fmt.Errorf("backup: something follows its end: %w", err))
			}
			return
		}
		var e events.Event
		if err == nil {
			e, err = events.Decode(raw)
		}
		if err != nil {
			err = fmt.Errorf("backup: event %d: %w", seq, err)
		}
		if e.Seq = seq; !yield(e, err) || err != nil {
			return
		}
	}
}

func readBlock(in *bufio.Reader, most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, noEOF(err)
	}
	if n > most {
		return nil, fmt.Errorf("%d bytes are more than %d", n, most)
	}
	var data bytes.Buffer
	if _, err := io.CopyN(&data, in, int64(n)); err != nil {
		return nil, noEOF(err)
	}
	return data.Bytes(), nil
}

// noEOF turns an early end into an error.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
