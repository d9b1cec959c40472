//! The binary: everything is in the library, but for the allocator.

/// glibc keeps what large trees took; the reasons are in `syntax::take_over`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    recount::syntax::take_over();
    recount::cli::main()
}
