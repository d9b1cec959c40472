//! The binary: everything is in the library, but for the allocator.

/// glibc keeps what large trees took; the reasons are in `syntax::share_allocator`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    recount::syntax::share_allocator();
    // The allocator is built to do without huge pages: they took twice the memory, and the time to clear it. It
    // gives them up for the process, though, and compilers would inherit that. Where this fails nothing was set.
    let _ = rustix::thread::disable_transparent_huge_pages(false);
    recount::cli::main()
}
