//! The features of `x86_64` Linux with glibc, by their names in GCC's testsuite.
//!
//! A name that is in neither list is not guessed: the program is skipped, and the name is reported. Programs are built
//! at -O0, so features of the optimiser count as present.

use super::options::{begins_with_one_of, is_in};

const HOLDS: &str = "\
    4byte_wchar_t 64bit __float128 alloca anon_structs base_quadfloat_support builtin_eh_return c \
    c99_runtime cet clone comdat_group concurrent constant_pool dfp dfprt double64 double64plus elf error_h \
    exceptions fenv fenv_exceptions fenv_exceptions_dfp fenv_exceptions_double fenv_exceptions_float \
    fenv_exceptions_long_double float128 float128_runtime float32 float32_runtime float32x float32x_runtime \
    float64 float64_runtime float64x float64x_runtime floatn_nx_runtime fopenmp_simd fpic freorder \
    fstack_protector function_sections gas gettimeofday global_constructor hard_float has_q_floating_suffix \
    has_w_floating_suffix hosted ifunc indirect_calls indirect_jumps inf inff init_priority int128 int32 \
    int32plus issignaling label_values large_double large_long_double le linux longlong64 lp64 mempcpy mmap \
    named_sections native non_bionic nonlocal_goto nonpic pcc_bitfield_type_matters peephole2 pie \
    pie_enabled posix_memalign pthread pthread_h ptr32plus ptr_eq_long return_address scheduling setrlimit \
    signal size20plus size24plus size32plus sse sse2 sse2_runtime sse_runtime static stdint_types \
    store_merge stpcpy string_merging strndup strnlen supports_stack_clash_protection swapcontext symver \
    sync_char_short sync_int_long sync_int_long_stack sync_long_long sync_long_long_runtime tls tls_native \
    tls_runtime trampolines trapping ucn ucontext_h untyped_assembly wchar weak weak_undefined";

/// Including tests that run for hours.
const FAILS: &str = "\
    arm32 be big_endian c++ c++11 c++14 c++17 c++20 default_packed exceptions_sjlj fixed_point freestanding \
    hw hwaddress_exec ia32 ilp32 int16 keeps_null_pointer_checks llp64 longdouble64 newlib newlib_nano_io \
    simulator noinit objc pdp11 persistent ptr_eq_short rtems run_expensive_tests section_anchors \
    short_eq_int tls_emulated unsigned_char vect_cmdline_needed vmx_hw vsx_hw x32";

/// The beginnings of features of other processors.
const ELSEWHERE: &str = "arm_ aarch64_ powerpc_ ppc_ mips_ s390_ riscv_ sparc_ arc_ avr_";

/// Whether `x86_64` Linux has the feature `name`; none if that is not known.
///
/// Features of vectorisers and other optimisers count as present: they decide what a test expects in dumps, and not
/// what the program does.
pub fn has(name: &str) -> Option<bool> {
    if is_in(HOLDS, name) {
        return Some(true);
    }
    if is_in(FAILS, name) || begins_with_one_of(ELSEWHERE, name) {
        return Some(false);
    }
    name.starts_with("vect").then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_both_lists() {
        assert!(HOLDS.split_whitespace().all(|name| !is_in(FAILS, name)));
        assert_eq!(has("lp64"), Some(true));
        assert_eq!(has("ilp32"), Some(false));
        assert_eq!(has("arm_neon_hw"), Some(false));
        assert_eq!(has("avx512f_runtime"), None);
    }
}
