//! Where memory comes from on Linux: mimalloc, for what Rust allocates in this module and for nothing else in the process.
//!
//! A batch is many vectors of some megabytes, all of which go at once. The allocator of the C library gives them back to the system, and fetches them
//! again page by page for the next batch: a tenth of the time of reading, and more on several threads, as they wait for each other there. mimalloc keeps
//! what is free for a moment.
//!
//! After a fork, the child may go on in this module whatever other threads did: version 2 of mimalloc waits for no lock where memory comes from its arenas.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
