package badgerlog

// DefaultReserve is how many bytes of disk stay free when Options say nothing. The store goes on writing after
// an append was acknowledged: two memtables, of up to 38 MiB with one largest transaction, are written out as
// tables. The compaction at the end may need up to 17 tables of 16 MiB more, and is put off when there is less. All that
// is 350 MiB together.
const DefaultReserve = 512 << 20
