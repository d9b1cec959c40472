//! The binary: everything except the allocator is in the library.

/// glibc keeps what large trees took; the reasons are in `syntax::share_allocator`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    recount::syntax::share_allocator();
    recount::cli::main()
}
