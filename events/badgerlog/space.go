package badgerlog

// DefaultReserve is how many bytes of disk stay free when Options say nothing. The store goes on writing after
// an append was acknowledged. At most that is: two memtables, of up to 21 MiB with one largest transaction,
// written out as tables; a compaction of 16 such tables and of the level below them, which is at most 100 MiB,
// and one of deeper levels, some 90 MiB, each of which writes its result before it deletes what went in. The
// reserve has to hold all that, 490 MiB together.
const DefaultReserve = 512 << 20
