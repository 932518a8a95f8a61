//! Sets the allocator on Linux: mimalloc, for the Rust allocations of this module only.
//!
//! A batch is many vectors of some megabytes, which are all freed at once. The allocator of the C
//! library returns them to the system, and fetches them again page by page for the next batch. That
//! costs a tenth of the reading time, and more on several threads, which wait for each other in the
//! kernel. mimalloc keeps free memory for a moment.
//!
//! After a fork, the child can use this module regardless of other threads: version 2 of mimalloc
//! takes no lock to allocate from its arenas.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
