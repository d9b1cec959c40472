//! The binary: everything is in the library.

/// glibc keeps what large trees took: in a campaign the memory that it holds grows with every thousand jobs.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    recount::cli::main()
}
