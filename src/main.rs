//! The binary: everything is in the library.

fn main() -> std::process::ExitCode {
    recount::cli::main()
}
