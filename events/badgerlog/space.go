package badgerlog

// DefaultReserve is how many bytes of disk stay free when Options say nothing. The store goes on writing after
// an append was acknowledged: two memtables, of up to 38 MiB with one largest transaction, are written out as
// tables, and a compaction at the end writes up to 17 tables of 16 MiB before it deletes what went in. The reserve has
// to hold all that, 350 MiB together.
const DefaultReserve = 512 << 20
